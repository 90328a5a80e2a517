/**
 * Calls of `node:fs` as data, played through any `node:fs` and answered as text, so that Node's and ours can be compared: result or
 * error, with its code, number, call, paths and message. Leaves out times, sizes of directories, modes and the numbers of descriptors.
 */
import type * as realFs from "node:fs";
import { promisify as promisifyTyped } from "node:util";

const promisify = promisifyTyped as (call: unknown) => (...given: unknown[]) => Promise<unknown>;

type Fs = typeof realFs;

/** Where a call finds its descriptor: slots hold what was opened, one kind for each shape. */
export const SLOTS = 3;

export interface CallStep {
  readonly shape: "callback" | "promises";
  /** A name of `node:fs`, or of a method of a file handle where `slot` is given. */
  readonly call: string;
  readonly slot?: number;
  /** Strings that begin with "/" are paths. */
  readonly given: readonly unknown[];
}

/** Of the one a name of the other: a handle has its own. */
const OF_HANDLE: Readonly<Record<string, string>> = { fsync: "sync", fdatasync: "datasync", ftruncate: "truncate", fstat: "stat", fchmod: "chmod" };

type Handle = Record<string, (...given: unknown[]) => Promise<unknown>>;

export async function playCalls(fs: Fs, root: string, steps: readonly CallStep[]): Promise<string[]> {
  const descriptors = new Map<number, number>();
  const handles = new Map<number, Handle>();
  const place = (value: unknown): unknown => (typeof value === "string" && value.startsWith("/") ? root + value : value);
  const callbacks = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
  const promises = fs.promises as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;

  async function closeSlot({ shape, slot = 0 }: CallStep): Promise<unknown> {
    if (shape === "promises") {
      await handles.get(slot)?.["close"]?.();
      return handles.delete(slot);
    }
    const fd = descriptors.get(slot);
    // Forgotten before it is closed: a number that is closed may be somebody else's at once.
    descriptors.delete(slot);
    if (fd !== undefined) await promisify(fs.close)(fd);
    return fd !== undefined;
  }

  async function playOpen(step: CallStep): Promise<unknown> {
    const { shape, slot = 0, given } = step;
    const [path, flags] = given;
    if (shape === "promises") {
      const handle = (await promises["open"]!(place(path), flags)) as Handle;
      await closeSlot(step);
      handles.set(slot, handle);
    } else {
      const fd = (await promisify(callbacks["open"]!)(place(path), flags)) as number;
      await closeSlot(step);
      descriptors.set(slot, fd);
    }
    return "opened";
  }

  function playOn(step: CallStep): Promise<unknown> | string {
    const { shape, slot = 0, call } = step;
    // Buffers are filled: each play has its own.
    const given = step.given.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : Array.isArray(value) ? value.map((part) => Buffer.from(part as Uint8Array)) : value));
    if (shape === "promises") {
      const handle = handles.get(slot);
      return handle === undefined ? "empty slot" : handle[OF_HANDLE[call] ?? call]!(...given);
    }
    const fd = descriptors.get(slot);
    return fd === undefined ? "empty slot" : promisify(callbacks[call]!)(fd, ...given);
  }

  async function play(step: CallStep): Promise<unknown> {
    const { shape, call, slot, given } = step;
    if (call === "open") return playOpen(step);
    if (call === "close") return closeSlot(step);
    if (slot !== undefined) return playOn(step);
    if (shape === "promises") return promises[call]!(...given.map(place));
    return promisify(callbacks[call]!)(...given.map(place));
  }

  const lines: string[] = [];
  const inWorld = (text: string): string => (root === "" ? text : text.replaceAll(`"${root}"`, '"/"').replaceAll(root, ""));
  for (const step of steps) lines.push(inWorld(await outcomeOf(() => play(step))));
  for (let slot = 0; slot < SLOTS; slot += 1) {
    for (const shape of ["callback", "promises"] as const) await closeSlot({ shape, call: "close", slot, given: [] });
  }
  await listTree(fs, root, "", lines);
  return lines;
}

async function outcomeOf(work: () => unknown): Promise<string> {
  try {
    return textOf(await work());
  } catch (failure) {
    const { code, errno, syscall, path, dest, message } = failure as NodeJS.ErrnoException & { dest?: string };
    // Words of Node's own about bad arguments are not ours to repeat.
    if (code === undefined || code.startsWith("ERR_")) return code ?? String(failure);
    return JSON.stringify({ code, errno, syscall, path, dest, message });
  }
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return `[${value.join(" ")}]`;
  if (Array.isArray(value)) return JSON.stringify(value.map(textOf).toSorted());
  if (typeof value === "object" && value !== null) {
    const { name, bytesRead, bytesWritten, buffer, buffers, size } = value as Record<string, unknown>;
    if (bytesRead !== undefined) return `read ${String(bytesRead)} ${textOf(buffer ?? (buffers as Uint8Array[]).map(textOf).join(""))}`;
    if (bytesWritten !== undefined) return `wrote ${String(bytesWritten)}`;
    const kind = (value as realFs.Stats).isDirectory() ? "directory" : (value as realFs.Stats).isFile() ? "file" : "other";
    return name === undefined ? `${kind} ${kind === "file" ? String(size) : ""}` : `${kind} ${String(name)}`;
  }
  return JSON.stringify(value) ?? "nothing";
}

async function listTree(fs: Fs, root: string, path: string, lines: string[]): Promise<void> {
  const entries = await fs.promises.readdir(`${root}${path}/`, { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      lines.push(`${child}/`);
      await listTree(fs, root, child, lines);
    } else lines.push(`${child} ${textOf(await fs.promises.readFile(root + child))}`);
  }
}
