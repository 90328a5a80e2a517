/** The doors to the real world that code under test could use past its ports, and what to use instead of each. Data only. */
import * as childProcess from "node:child_process";
import * as clusterModule from "node:cluster";
import * as crypto from "node:crypto";
import * as dgram from "node:dgram";
import * as dns from "node:dns";
import * as fs from "node:fs";
import * as http from "node:http";
import * as http2 from "node:http2";
import * as https from "node:https";
import * as net from "node:net";
import * as timers from "node:timers";
import * as timersPromises from "node:timers/promises";
import * as tls from "node:tls";
import * as workerThreads from "node:worker_threads";

export interface Door {
  /** As it is written: `Date.now`, `fs.promises.readFile`. */
  readonly name: string;
  readonly owner: object;
  readonly key: string;
  readonly instead: string;
}

const NOW = "Take `clock` from the ports and call `clock.now()`.";
const SLEEP = "Take `clock` from the ports and call `clock.sleep(ms)`.";
const DEADLINE = "Use `withinDeadline(clock, ...)` from the ports.";
const IDS = "Take `ids` from the ports and call `ids.next(prefix)`.";
const DISK = "Take `disk` from the ports.";
const NETWORK = "Take `network` from the ports.";
const END = "Throw an error: a process of the world ends with it.";
const PROCESS = "Put another process into the system with `space.process(name, start)`.";

/** Of the constructor itself: `new Date()` and `Date()` ask the clock, `new Date(ms)` does not. */
export const DATE = { name: "Date", instead: NOW } as const;

const all = globalThis as unknown as Record<string, object | undefined>;

/** In the order in which they are put in place. What this Node does not have is left out. */
export function doors(): Door[] {
  return [
    ...some("Date", Date, ["now"], NOW),
    ...some("Math", Math, ["random"], IDS),
    ...some("performance", performance, ["now"], NOW),
    ...some("process", process, ["hrtime", "uptime"], NOW),
    // It would end who plays as well, with no report and whatever exit code it likes.
    ...some("process", process, ["exit", "reallyExit", "abort", "kill"], END),
    ...some("process.hrtime", process.hrtime, ["bigint"], NOW),
    ...some("Temporal.Now", (all["Temporal"] as { Now?: object } | undefined)?.Now, ["instant", "zonedDateTimeISO", "plainDateTimeISO", "plainDateISO", "plainTimeISO"], NOW),
    ...some("", globalThis, ["setTimeout", "setInterval", "setImmediate"], SLEEP),
    ...some("timers", plain(timers), ["setTimeout", "setInterval", "setImmediate"], SLEEP),
    ...some("timers/promises", plain(timersPromises), ["setTimeout", "setInterval", "setImmediate"], SLEEP),
    ...some("timers/promises.scheduler", timersPromises.scheduler, ["wait", "yield"], SLEEP),
    ...some("AbortSignal", AbortSignal, ["timeout"], DEADLINE),
    ...some("crypto", globalThis.crypto, ["randomUUID", "getRandomValues"], IDS),
    ...some("crypto", plain(crypto), ["randomUUID", "randomBytes", "randomInt", "randomFill", "randomFillSync", "getRandomValues"], IDS),
    ...functions("fs", plain(fs), DISK),
    ...functions("fs.promises", fs.promises, DISK),
    ...some("", globalThis, ["fetch", "WebSocket", "EventSource"], NETWORK),
    ...some("http", plain(http), ["request", "get", "createServer"], NETWORK),
    ...some("https", plain(https), ["request", "get", "createServer"], NETWORK),
    ...some("http2", plain(http2), ["connect", "createServer", "createSecureServer"], NETWORK),
    ...some("net", plain(net), ["connect", "createConnection", "createServer"], NETWORK),
    ...some("net.Socket", net.Socket.prototype, ["connect"], NETWORK),
    ...some("tls", plain(tls), ["connect", "createServer"], NETWORK),
    ...some("dgram", plain(dgram), ["createSocket"], NETWORK),
    ...functions("dns", plain(dns), NETWORK, /^(?:lookup|resolve|reverse)/),
    ...functions("dns.promises", dns.promises, NETWORK, /^(?:lookup|resolve|reverse)/),
    ...functions("child_process", plain(childProcess), PROCESS),
    ...some("worker_threads", plain(workerThreads), ["Worker"], PROCESS),
    ...some("cluster", plain(clusterModule), ["fork"], PROCESS),
  ];
}

/** The object behind the names that are imported one by one; a change in it reaches them after `syncBuiltinESMExports`. */
function plain(module: object): object {
  return (module as { default?: object }).default ?? module;
}

function some(name: string, owner: object | undefined, keys: readonly string[], instead: string): Door[] {
  if (owner === undefined) return [];
  return keys
    .filter((key) => typeof (owner as Record<string, unknown>)[key] === "function")
    // `getRandomValues` of the module cannot be replaced; the one of the global object is.
    .filter((key) => Object.getOwnPropertyDescriptor(owner, key)?.configurable !== false)
    .map((key) => ({ name: name === "" ? key : `${name}.${key}`, owner, key, instead }));
}

/** Functions and not classes, which by custom begin with a capital. */
function functions(name: string, owner: object, instead: string, which = /^[a-z]/): Door[] {
  return some(name, owner, Object.keys(owner).filter((key) => which.test(key)), instead);
}
