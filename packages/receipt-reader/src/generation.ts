/**
 * Which file of a log is the current one. A log begins as `receipts.jsonl`; each repair publishes `receipts.jsonl.g000002` and so on, and the
 * files before it stay as they were. Leaves out their removal.
 */
import type { Disk } from "@casebook/ports";

export interface Generation {
  readonly path: string;
  /** From 1. */
  readonly number: number;
}

/** Rejects with the disk's refusal where the directory cannot be listed. */
export async function currentGeneration(disk: Disk, path: string): Promise<Generation> {
  const { directory, name } = placeOf(path);
  const numbers = (await disk.readdir(directory))
    .filter((entry) => entry.name.startsWith(`${name}.g`))
    .map((entry) => entry.name.slice(name.length + 2))
    .filter((digits) => /^\d{6}$/.test(digits))
    .map(Number);
  return generationOf(path, Math.max(1, ...numbers));
}

export function generationOf(path: string, number: number): Generation {
  return { path: number === 1 ? path : `${path}.g${String(number).padStart(6, "0")}`, number };
}

export function placeOf(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf("/");
  return { directory: slash <= 0 ? "/" : path.slice(0, slash), name: path.slice(slash + 1) };
}
