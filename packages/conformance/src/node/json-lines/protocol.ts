/**
 * The lines between the kit and a program in any language, version 1. One JSON object a line, UTF-8. The kit writes calls to standard
 * input; the program asks for ports and returns on standard output; what it has to say to people goes to standard error.
 *
 *     kit      {"call":1,"do":"submit","task":{…},"nowMs":0}
 *     program  {"ask":"disk.read","path":"/tasks.json"}
 *     kit      {"answer":null,"nowMs":0}
 *     program  {"return":"accepted"}
 *
 * There is one call at a time, and each line of one side is answered by exactly one of the other. With a program that declares
 * `concurrent-calls` several calls are open at once, every line names its call, and the program answers a line of the kit with as many
 * as it likes, the last of which is {"rest":true}: nothing more will come until it hears the next. Only then the world goes on, so
 * that what a program writes does not depend on when the kit looks. Fields that one side does not know it ignores.
 */
import { AdapterError } from "../../adapter-error.ts";

export const PROTOCOL = 1;

export type Line = Readonly<Record<string, unknown>>;

/** What a program is. One that does not say is a dispatcher. */
export type Kind = "dispatcher" | "receipt-log";

/** What a program answers to `hello`, where it is of this protocol. What it declares is read where every adapter's is. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly capabilities: readonly string[];
  readonly limits: object | undefined;
  /** Those that may be left out, and are there. */
  readonly functions: readonly string[];
}

const RUN_BY: Readonly<Record<Kind, string>> = { dispatcher: "runProgramConformance", "receipt-log": "runReceiptProgramConformance" };

/** Throws where it cannot be judged as a `wanted`. */
export function readHello(line: Line, wanted: Kind): Manifest {
  if ("throw" in line) throw new AdapterError(`it gave hello up with ${shownOf(line["throw"])}. Answer hello without asking for anything.`);
  if (!("return" in line)) throw new AdapterError(`it asked for ${shownOf(line["ask"])} before it answered hello. Answer hello first; ports are there from create on.`);
  const { name, version, capabilities, limits, protocol = PROTOCOL, kind = "dispatcher", functions = [] } = (line["return"] ?? {}) as Record<string, unknown>;
  const who = typeof name === "string" && name !== "" ? name : "it";
  if (protocol !== PROTOCOL) throw new AdapterError(`${who} speaks protocol ${shownOf(protocol)}, and this kit speaks ${PROTOCOL}. Take the version of the kit that speaks it, or answer hello with "protocol":${PROTOCOL}.`);
  if (kind !== wanted) {
    const other = Object.hasOwn(RUN_BY, String(kind)) ? `Judge it with ${RUN_BY[kind as Kind]}, or answer hello with` : "Answer hello with";
    throw new AdapterError(`${who} is a ${shownOf(kind)}, and a ${wanted} was asked for. ${other} "kind":"${wanted}".`);
  }
  if (!Array.isArray(functions) || functions.some((one) => typeof one !== "string")) throw new AdapterError(`functions of ${who} is ${shownOf(functions)}. Answer a list of names, such as ["probe"], or leave it out.`);
  return { name, version, capabilities, limits, functions } as Manifest;
}

export type ReadLine = { readonly line: Line } | { readonly wrong: string };

/** Deeper than any answer; what is nested without end would end the kit where it is printed. */
const DEEPEST = 64;

/** Of the program. */
export function readLine(text: string): ReadLine {
  if (depthOf(text) > DEEPEST) return { wrong: `${shownOf(text)} on standard output, which is nested deeper than ${DEEPEST}. Answer what was asked for` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { wrong: `${shownOf(text)} on standard output, which is no JSON. Print what is meant for people to standard error` };
  }
  const isLine = typeof value === "object" && value !== null && ["ask", "return", "throw", "rest"].some((name) => Object.hasOwn(value, name));
  return isLine ? { line: value as Line } : { wrong: `${shownOf(text)} on standard output, which has no ask, return or throw. Answer each line with one of them` };
}

/** Of brackets outside of strings; text that is no JSON is found by who parses it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, (depth += 1));
    else if (token === "]" || token === "}") depth -= 1;
  }
  return deepest;
}

const LONGEST_SHOWN = 80;

export function shownOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "nothing";
  return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value);
}
