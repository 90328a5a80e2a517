/**
 * What a Node module finds around it without asking: globals and Node's own modules, made of the ports of one life. Time, timers,
 * random numbers and process ids are drawn from the ports and are the same every run. What only computes is Node's own; what
 * reaches out of the process is refused by name.
 */
import * as realCrypto from "node:crypto";
import { EventEmitter } from "node:events";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import type { Ports } from "@casebook/ports";
import { createNodeFs } from "./create-node-fs.ts";
import { createTimers } from "./timers.ts";

/** The ports of one life, as the kernel gives them; those of a world have no `process`. */
export type LifePorts = Pick<Ports, "clock" | "disk" | "ids"> & { readonly process?: { readonly name: string; readonly host: string; readonly life: number } };

export interface ProcessGlobals {
  /** Stand in for globals of the same names. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** For `require` of one of Node's own modules, without `node:`. Throws NODE_MODULE_NOT_MODELLED. */
  builtin(name: string): unknown;
}

/** They compute and keep nothing; `path` and `process` do, and are made here. */
const PURE = new Set(["assert", "assert/strict", "buffer", "constants", "events", "punycode", "querystring", "stream", "stream/promises", "string_decoder", "url", "util", "util/types"]);

export function createProcessGlobals(ports: LifePorts, load: (name: string) => unknown): ProcessGlobals {
  const { clock } = ports;
  const fs = createNodeFs(ports.disk);
  const { promises: timersPromises, ...timers } = createTimers(clock);
  const startMs = clock.now();
  const process = createProcess(ports, startMs);
  const path = pathFromRoot();
  const random = randomFrom(ports);
  const crypto = cryptoWith(random);
  const modules: Readonly<Record<string, unknown>> = {
    fs,
    "fs/promises": fs.promises,
    path,
    "path/posix": path,
    timers: { ...timers, promises: timersPromises },
    "timers/promises": timersPromises,
    process,
    crypto,
    worker_threads: refusing("worker_threads", { isMainThread: true, threadId: 0, parentPort: null, workerData: null }, load("worker_threads") as object),
    os: refusing("os", { EOL: "\n", constants: (load("os") as { constants: object }).constants, hostname: () => ports.process?.host ?? "host", platform: () => "linux", tmpdir: () => "/tmp", homedir: () => "/" }, load("os") as object),
  };
  const own: Record<string, unknown> = {
    ...timers,
    process,
    Date: dateFrom(() => clock.now()),
    Math: Object.create(Math, { random: { value: () => random(6).readUIntBE(0, 6) / 2 ** 48 } }) as Math,
    performance: { now: () => clock.now() - startMs, timeOrigin: startMs },
    crypto: refusing("crypto", { randomUUID: crypto["randomUUID"], getRandomValues: crypto["getRandomValues"] }, {}),
  };
  const globals = withGlobalObject(own);
  return {
    globals,
    builtin(name) {
      if (Object.hasOwn(modules, name)) return modules[name];
      if (PURE.has(name)) return load(name);
      throw Object.assign(
        new Error(`NODE_MODULE_NOT_MODELLED: require("${name}"): this module of Node's reaches out of the process, and the world has nothing to put in its place. Leave it out of what runs in the world.`),
        { code: "NODE_MODULE_NOT_MODELLED" },
      );
    },
  };
}

export function isNodes(specifier: string): boolean {
  return isBuiltin(specifier);
}

/** `globalThis` of the module is an object of its own, so that what it hangs there is not shared with the next life. */
function withGlobalObject(own: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<PropertyKey, unknown> = { ...own };
  const gone = new Set<PropertyKey>();
  const globalObject: object = new Proxy(kept, {
    get: (target, key) => (Object.hasOwn(target, key) ? target[key] : gone.has(key) ? undefined : (Reflect.get(globalThis, key) as unknown)),
    has: (target, key) => Object.hasOwn(target, key) || (!gone.has(key) && Reflect.has(globalThis, key)),
    deleteProperty: (target, key) => {
      gone.add(key);
      return Reflect.deleteProperty(target, key);
    },
  });
  kept["globalThis"] = globalObject;
  kept["global"] = globalObject;
  return { ...own, globalThis: globalObject, global: globalObject };
}

function dateFrom(now: () => number): DateConstructor {
  return new Proxy(Date, {
    apply: () => new Date(now()).toString(),
    construct: (target, given: [], newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    get: (target, key) => (key === "now" ? now : (Reflect.get(target, key) as unknown)),
  });
}

/** Paths start at the root of the world, whatever the machine's working directory is. */
function pathFromRoot(): Record<string, unknown> {
  const resolve = (...parts: string[]): string => posix.resolve("/", ...parts);
  const path: Record<string, unknown> = { ...posix, resolve, relative: (from: string, to: string) => posix.relative(resolve(from), resolve(to)) };
  path["posix"] = path;
  return path;
}

type RandomBytes = (count: number) => Buffer;

/** Every draw is a fresh id of the port, spread by a hash: different each time and in each process, the same every run. */
function randomFrom({ ids }: LifePorts): RandomBytes {
  return (count) => {
    const seed = ids.next("random");
    const blocks: Buffer[] = [];
    for (let at = 0; at * 32 < count; at += 1) blocks.push(realCrypto.createHash("sha256").update(`${seed} ${at}`).digest());
    return Buffer.concat(blocks).subarray(0, count);
  };
}

function cryptoWith(random: RandomBytes): Record<string, unknown> {
  const fill = <T extends ArrayBufferView>(view: T): T => {
    Buffer.from(view.buffer, view.byteOffset, view.byteLength).set(random(view.byteLength));
    return view;
  };
  const randomBytes = (count: number, tell?: (failure: null, bytes: Buffer) => void): Buffer | undefined => {
    const bytes = random(count);
    if (tell === undefined) return bytes;
    void Promise.resolve().then(() => tell(null, bytes));
    return undefined;
  };
  const randomUUID = (): string => {
    const bytes = random(16);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytes.toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  };
  const randomInt = (low: number, high?: number): number => {
    const [from, to] = high === undefined ? [0, low] : [low, high];
    return from + (random(6).readUIntBE(0, 6) % (to - from));
  };
  const { createHash, createHmac, timingSafeEqual, getHashes } = realCrypto;
  return refusing("crypto", { createHash, createHmac, timingSafeEqual, getHashes, randomBytes, randomUUID, randomInt, randomFillSync: fill, getRandomValues: fill }, realCrypto) as Record<string, unknown>;
}

/** Linux, root, no environment. It gets no signal and never exits by itself. */
function createProcess(ports: LifePorts, startMs: number): object {
  const { clock } = ports;
  const { name, life } = ports.process ?? { name: "main", life: 1 };
  const sinceMs = (): number => clock.now() - startMs;
  const hrtime = Object.assign((from: [number, number] = [0, 0]): [number, number] => [Math.floor(sinceMs() / 1000) - from[0], (sinceMs() % 1000) * 1_000_000 - from[1]], {
    bigint: () => BigInt(sinceMs()) * 1_000_000n,
  });
  const emitter = new EventEmitter();
  const own = {
    pid: pidOf(name, life),
    ppid: 1,
    title: name,
    platform: "linux",
    arch: "x64",
    version: process.version,
    versions: process.versions,
    env: {},
    argv: ["node", name],
    argv0: "node",
    execArgv: [],
    execPath: "/usr/bin/node",
    exitCode: undefined,
    release: { name: "node" },
    config: { variables: {} },
    features: {},
    cwd: () => "/",
    umask: () => 0o022,
    getuid: () => 0,
    geteuid: () => 0,
    getgid: () => 0,
    getegid: () => 0,
    hrtime,
    uptime: () => sinceMs() / 1000,
    nextTick: (callback: (...given: unknown[]) => void, ...given: unknown[]) => process.nextTick(callback, ...given),
    emitWarning: (warning: unknown) => void emitter.emit("warning", warning),
  };
  return refusing("process", Object.assign(emitter, own), process);
}

/** Distinct by process and life, as the machine's are for long enough; above those of what starts with a machine. */
function pidOf(name: string, life: number): number {
  return 1_000 + (realCrypto.createHash("sha256").update(`${name} ${life}`).digest().readUInt32BE(0) % 4_000_000);
}

/** Every other function that the real one has says that it is not here. */
function refusing(name: string, ours: object, real: object): object {
  const known = ours as Record<string, unknown>;
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(real))) {
    if (key in ours || typeof value !== "function") continue;
    known[key] = function refused() {
      throw Object.assign(new Error(`NODE_MODULE_NOT_MODELLED: ${name}.${key} reaches out of the process, and the world has nothing to put in its place. Leave it out of what runs in the world.`), { code: "NODE_MODULE_NOT_MODELLED" });
    };
  }
  return ours;
}
