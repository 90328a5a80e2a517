/**
 * What whoever watches a directory is told of the records of one operation. Models what Linux tells: entries that come and go,
 * content of the directory's own files, and that the directory itself was moved or removed. Leaves out opening and reading.
 */
import type { DirectoryInode, JournalRecord, Store } from "./store.ts";

/** Names in the directory, in the order of the records; undefined for the directory itself. */
export function changesSeen(directory: DirectoryInode, records: readonly JournalRecord[]): (string | undefined)[] {
  return records.flatMap((record) => {
    if (record.kind === "data") return [...directory.entries].filter(([, inode]) => inode === record.inode).map(([name]) => name);
    if (record.previous === directory && record.next !== directory) return [undefined];
    return record.directory === directory ? [record.name] : [];
  });
}

/** Does the work, and answers behind it what it recorded. */
export function recording<T>(store: Store, work: () => T, tell: (records: readonly JournalRecord[]) => void): T {
  const before = store.journal.length;
  try {
    return work();
  } finally {
    // Also of one that failed half way.
    if (store.journal.length > before) tell(store.journal.slice(before));
  }
}
