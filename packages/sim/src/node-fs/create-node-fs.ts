/**
 * `node:fs` over the disk port, for code that was written for Node: callbacks and promises, numbered descriptors, errors as Node's.
 * Each call of the disk is one step of the world, so that it can be ordered, failed and cut off. Models files and directories;
 * leaves out links, watching, streams and signals; takes modes and owners and forgets them. What is left out, and every
 * synchronous call, throws with a code and the name of the call.
 */
import * as realFs from "node:fs";
import { promisify } from "node:util";
import type { Disk } from "@casebook/ports";
import { createDescriptorCalls } from "./descriptor-calls.ts";
import { DescriptorTable } from "./descriptors.ts";
import { notModelled, synchronous, wrongType } from "./errors.ts";
import { FileHandle } from "./file-handle.ts";
import { createPathCalls } from "./path-calls.ts";
import { Dirent, Stats } from "./stats.ts";
import { createWholeFileCalls } from "./whole-file-calls.ts";

export type NodeFs = typeof realFs;

type Call = (...given: unknown[]) => Promise<unknown>;
type Answers = (value: never) => unknown[];

/**
 * One process's `node:fs`: its descriptors are its own, so make one for each life. `disk` is the port of that life, and paths that
 * are not absolute start at its root. A callback is called in the step that answers; what it throws is a rejection that nobody
 * handles, and shows as one.
 */
export function createNodeFs(disk: Disk): NodeFs {
  const table = new DescriptorTable();
  const common = { ...createDescriptorCalls(table), ...createPathCalls(disk, table) };
  const calls = { ...common, ...createWholeFileCalls(disk, table, true) };
  const { realpathNative, ...plain } = calls;

  const fs: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(plain)) fs[name] = withCallback(name, call as Call);
  fs["realpath"] = Object.assign(withCallback("realpath", calls.realpath as Call), { native: withCallback("realpath", realpathNative as Call) });
  fs["exists"] = exists(calls.stat as Call);
  fs["promises"] = promisesOf({ ...common, ...createWholeFileCalls(disk, table, false) });
  Object.assign(fs, { constants: realFs.constants, Stats, Dirent, F_OK: realFs.constants.F_OK, R_OK: realFs.constants.R_OK, W_OK: realFs.constants.W_OK, X_OK: realFs.constants.X_OK });
  refuseTheRest("fs", fs, realFs);
  return fs as unknown as NodeFs;
}

/** What a callback gets behind the error, where it is not just the answer. */
const ANSWERS: Readonly<Record<string, Answers>> = {
  read: ({ bytesRead, buffer }: Record<string, unknown>) => [bytesRead, buffer],
  readv: ({ bytesRead, buffers }: Record<string, unknown>) => [bytesRead, buffers],
  write: ({ bytesWritten, buffer }: Record<string, unknown>) => [bytesWritten, buffer],
  writev: ({ bytesWritten, buffers }: Record<string, unknown>) => [bytesWritten, buffers],
};

function withCallback(name: string, call: Call): object {
  const answers = (ANSWERS[name] ?? ((value: unknown) => (value === undefined ? [] : [value]))) as (value: unknown) => unknown[];
  const withIt = (...given: unknown[]): void => {
    const tell = given.pop();
    if (typeof tell !== "function") throw wrongType("cb", "a function", tell);
    void call(...given).then(
      (value) => void tell(null, ...answers(value)),
      (failure: unknown) => void tell(failure),
    );
  };
  Object.defineProperty(withIt, "name", { value: name });
  // As in Node, these answer an object to whoever makes promises of them.
  if (name in ANSWERS) Object.defineProperty(withIt, promisify.custom, { value: (...given: unknown[]) => settled(() => call(...given)) });
  return withIt;
}

/** The one callback without an error. */
function exists(stat: Call): unknown {
  const isThere = (path: unknown): Promise<boolean> => settled(() => stat(path)).then(() => true, () => false);
  const withIt = (path: unknown, tell: unknown): void => {
    if (typeof tell !== "function") throw wrongType("cb", "a function", tell);
    void isThere(path).then((answer) => void tell(answer));
  };
  return Object.defineProperty(withIt, promisify.custom, { value: isThere });
}

type Calls = ReturnType<typeof createDescriptorCalls> & ReturnType<typeof createPathCalls> & ReturnType<typeof createWholeFileCalls>;

/** By name, because a file handle carries the others. */
const OF_PROMISES = ["rename", "unlink", "mkdir", "rmdir", "rm", "readdir", "stat", "lstat", "access", "readlink", "truncate", "chmod", "chown", "lchown", "utimes", "lutimes", "copyFile"] as const;
const WITH_HANDLE = ["readFile", "writeFile", "appendFile"] as const;

function promisesOf(calls: Calls): Record<string, unknown> {
  const promises: Record<string, unknown> = { constants: realFs.constants };
  for (const name of OF_PROMISES) promises[name] = (...given: unknown[]) => settled(() => (calls[name] as Call)(...given));
  for (const name of WITH_HANDLE) {
    promises[name] = (file: unknown, ...more: unknown[]) =>
      settled(async () => {
        if (typeof file === "number") throw wrongType("path", "a path or a FileHandle", file);
        return file instanceof FileHandle ? (file[name] as Call)(...more) : (calls[name] as Call)(file, ...more);
      });
  }
  promises["realpath"] = (...given: [unknown, unknown?]) => settled(() => calls.realpathNative(...given));
  promises["open"] = (...given: [unknown, unknown?]) => settled(async () => new FileHandle(calls, await calls.open(...given)));
  refuseTheRest("fs.promises", promises, realFs.promises);
  return promises;
}

/** Bad arguments reject here, and throw where there is a callback. */
async function settled<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** Every other function that this Node has there says that it is not here. */
function refuseTheRest(name: string, ours: Record<string, unknown>, real: object): void {
  for (const [key, value] of Object.entries(real)) {
    if (key in ours || typeof value !== "function") continue;
    const call = `${name}.${key}`;
    const failure = (): Error => (key.endsWith("Sync") ? synchronous(call) : notModelled(call, "there are files and directories only, and no links, watching or streams. Use what is there, or leave it out of what runs in the world."));
    ours[key] =
      name === "fs.promises"
        ? () => Promise.reject(failure())
        : function refused() {
            throw failure();
          };
  }
}
