/**
 * Errors as `node:fs` throws them: `code`, `errno`, `syscall`, `path`, `dest`, and a message made of these and of what the system
 * calls the code. Those of bad arguments carry Node's code and words of our own.
 */
import { getSystemErrorMap } from "node:util";
import { errorCode } from "@casebook/ports";

export interface FsError extends Error {
  code: string;
  errno?: number;
  syscall?: string;
  path?: string;
  dest?: string;
}

/** From `ENOENT` to its number, which is negative, and its words. */
const SYSTEM = new Map([...getSystemErrorMap()].map(([errno, [code, words]]) => [code, { errno, words }] as const));

/** What a call was made on. */
export interface CallSite {
  readonly syscall: string;
  readonly path?: string | undefined;
  readonly dest?: string | undefined;
}

export function systemError(code: string, { syscall, path, dest }: CallSite): FsError {
  const { errno, words } = SYSTEM.get(code) ?? { errno: undefined, words: "" };
  const objects = [path, dest].filter((text) => text !== undefined).map((text) => `'${text}'`);
  const failure: FsError = Object.assign(new Error(`${code}: ${words}, ${[syscall, objects.join(" -> ")].filter((text) => text !== "").join(" ")}`), { code, syscall });
  if (errno !== undefined) failure.errno = errno;
  if (path !== undefined) failure.path = path;
  if (dest !== undefined) failure.dest = dest;
  return failure;
}

/** Awaits a call of the disk; what the disk refuses becomes Node's error. Anything else is thrown on as it is. */
export async function asNode<T>(site: CallSite, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    const code = errorCode(failure);
    throw SYSTEM.has(code) ? systemError(code, site) : failure;
  }
}

export function wrongType(name: string, expected: string, given: unknown): FsError {
  return coded(new TypeError(`ERR_INVALID_ARG_TYPE: "${name}" has to be ${expected}, and is ${given === null ? "null" : typeof given}`), "ERR_INVALID_ARG_TYPE");
}

export function wrongValue(name: string, expected: string, given: unknown): FsError {
  return coded(new TypeError(`ERR_INVALID_ARG_VALUE: "${name}" has to be ${expected}, and is ${JSON.stringify(given)}`), "ERR_INVALID_ARG_VALUE");
}

export function outOfRange(name: string, expected: string, given: unknown): FsError {
  return coded(new RangeError(`ERR_OUT_OF_RANGE: "${name}" has to be ${expected}, and is ${String(given)}`), "ERR_OUT_OF_RANGE");
}

/** `rm` of a directory that was not told to be recursive. */
export function isDirectory(path: string): FsError {
  const failure = coded(new Error(`ERR_FS_EISDIR: rm of '${path}', which is a directory; say { recursive: true } to remove it`), "ERR_FS_EISDIR");
  return Object.assign(failure, { path, syscall: "rm", errno: -(SYSTEM.get("EISDIR")?.errno ?? 0) });
}

/** Nothing is guessed: what the world does not have is refused by name. */
export function notModelled(call: string, why: string): FsError {
  return coded(new Error(`NODE_FS_NOT_MODELLED: ${call} is not in the simulated node:fs: ${why}`), "NODE_FS_NOT_MODELLED");
}

export function synchronous(call: string): FsError {
  const form = call.replace(/Sync$/, "");
  return coded(
    new Error(`NODE_FS_SYNC: ${call} blocks, and a call that blocks cannot be a step of the world, which others take turns with. Call ${form} with a callback, or the one of fs.promises.`),
    "NODE_FS_SYNC",
  );
}

function coded<E extends Error>(failure: E, code: string): E & FsError {
  return Object.assign(failure, { code });
}

