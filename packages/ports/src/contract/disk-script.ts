/**
 * Disk operations as data, played through a port and answered as text, so that two disks can be compared.
 * Handles live in numbered slots. Times are left out: they differ between a real and a simulated disk.
 */
import { expectEqual } from "./contract.ts";
import { errorCode, type Disk, type DiskFile, type FileStat, type OpenFlags } from "../index.ts";

export type DiskStep =
  | { readonly do: "open"; readonly slot: number; readonly path: string; readonly flags: OpenFlags }
  | { readonly do: "read"; readonly slot: number; readonly length: number; readonly position: number }
  | {
      readonly do: "write";
      readonly slot: number;
      readonly bytes: readonly number[];
      readonly position: number | undefined;
    }
  | { readonly do: "truncate"; readonly slot: number; readonly size: number }
  | { readonly do: "sync" | "fstat" | "close"; readonly slot: number }
  | { readonly do: "rename"; readonly from: string; readonly to: string }
  | {
      readonly do: "unlink" | "mkdir" | "rmdir" | "readdir" | "stat" | "syncDirectory";
      readonly path: string;
    };

/** Throws an Error that names the first step whose answers differ, or the first line of the tree. */
export function expectSameAnswers(script: readonly DiskStep[], seen: readonly string[], expected: readonly string[]): void {
  const differing = expected.findIndex((line, index) => line !== seen[index]);
  const step = script[differing];
  const what = step === undefined ? "tree after the steps" : `step ${differing} ${JSON.stringify(step)}`;
  if (differing !== -1) expectEqual(seen[differing], expected[differing], what);
  expectEqual(seen.length, expected.length, "lines in the tree after the steps");
}

/** One line per step, then one per file and directory that is left. Every handle is closed. */
export async function playScript(disk: Disk, steps: readonly DiskStep[]): Promise<string[]> {
  const slots = new Map<number, DiskFile>();
  const lines: string[] = [];
  try {
    for (const step of steps) lines.push(await outcomeOf(() => playStep(disk, slots, step)));
  } finally {
    for (const file of slots.values()) await file.close().catch(() => undefined);
  }
  await listTree(disk, "", lines);
  return lines;
}

async function outcomeOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (failure) {
    if (errorCode(failure) === "" || !(failure instanceof Error)) throw failure;
    return failure.message;
  }
}

async function playStep(disk: Disk, slots: Map<number, DiskFile>, step: DiskStep): Promise<string> {
  switch (step.do) {
    case "open":
      return replaceSlot(slots, step.slot, await disk.open(step.path, step.flags));
    case "rename":
      return done(disk.rename(step.from, step.to));
    case "readdir":
      return listing(disk, step.path);
    case "stat":
      return statText(await disk.stat(step.path));
    case "unlink":
    case "mkdir":
    case "rmdir":
    case "syncDirectory":
      return done(disk[step.do](step.path));
    default: {
      const file = slots.get(step.slot);
      return file === undefined ? "empty slot" : playFileStep(file, step);
    }
  }
}

async function playFileStep(file: DiskFile, step: Exclude<DiskStep, { path: string } | { from: string }>): Promise<string> {
  switch (step.do) {
    case "read":
      return bytesText(await file.read(step.length, step.position));
    case "write":
      return String(await file.write(Uint8Array.from(step.bytes), step.position));
    case "truncate":
      return done(file.truncate(step.size));
    case "sync":
      return done(file.sync());
    case "fstat":
      return statText(await file.stat());
    case "close":
      return done(file.close());
  }
}

/** The handle that was in the slot is closed, or a long script would run out of them. */
async function replaceSlot(slots: Map<number, DiskFile>, slot: number, file: DiskFile): Promise<string> {
  await slots.get(slot)?.close().catch(() => undefined);
  slots.set(slot, file);
  return "ok";
}

async function done(work: Promise<void>): Promise<string> {
  await work;
  return "ok";
}

async function listing(disk: Disk, path: string): Promise<string> {
  const entries = await disk.readdir(path);
  return JSON.stringify(entries.map(({ name, kind }) => `${kind} ${name}`).sort());
}

function statText({ kind, size }: FileStat): string {
  return `${kind} ${size}`;
}

function bytesText(bytes: Uint8Array): string {
  return `[${bytes.join(" ")}]`;
}

async function listTree(disk: Disk, path: string, lines: string[]): Promise<void> {
  const entries = await disk.readdir(path === "" ? "/" : path);
  const sorted = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, kind } of sorted) {
    const child = `${path}/${name}`;
    if (kind === "directory") {
      lines.push(`${child}/`);
      await listTree(disk, child, lines);
    } else {
      lines.push(`${child} ${await contentText(disk, child)}`);
    }
  }
}

async function contentText(disk: Disk, path: string): Promise<string> {
  const file = await disk.open(path, "r");
  try {
    const { size } = await file.stat();
    return bytesText(await file.read(size, 0));
  } finally {
    await file.close();
  }
}
