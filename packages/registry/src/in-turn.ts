/**
 * Lets the writes to one file of one disk happen one after the other, within a process. Models no lock that another process
 * would see. A write that is started and waited for from within a write to the same file waits for ever.
 */
import type { Disk } from "@casebook/ports";

/** The end of the last write that was asked for, by path. Weak, so that a disk that is gone takes its paths along. */
const lastWrites = new WeakMap<Disk, Map<string, Promise<unknown>>>();

/** `work` gets the path as it was given; spellings that differ by empty names and dots only are one file. */
export async function inTurn<T>(disk: Disk, path: string, work: (path: string) => Promise<T>): Promise<T> {
  const writes = lastWrites.get(disk) ?? new Map<string, Promise<unknown>>();
  lastWrites.set(disk, writes);
  const file = path.replace(/\/(\.?\/)+/g, "/");
  const before = writes.get(file);
  const mine = before === undefined ? work(path) : before.then(() => work(path));
  // What went wrong is told to its own caller; whoever waits needs to know only that it is over.
  const end = mine.then(
    () => undefined,
    () => undefined,
  );
  writes.set(file, end);
  try {
    return await mine;
  } finally {
    if (writes.get(file) === end) writes.delete(file);
  }
}
