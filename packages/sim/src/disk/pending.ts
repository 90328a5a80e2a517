/**
 * The operations that a power loss may take, each in words. Names and order are those that a person would give them and
 * do not tell which of two independent operations came first. Leaves out whether anybody would miss them (`images.ts`).
 */
import { groupAt } from "./replay.ts";
import {
  type DataRecord,
  type DirectoryInode,
  type EntryRecord,
  type Inode,
  isDurable,
  type JournalRecord,
  type Store,
} from "./store.ts";

export interface Unsynced {
  /** "write 5 bytes at 0 of /t (now /a)"; no two of one disk are equal. */
  readonly operation: string;
  /** One path, or two for a rename and for a file that has another name by now. */
  readonly paths: readonly string[];
  /** Bytes of content written or cut; 0 for names. */
  readonly bytes: number;
}

export interface Pending extends Unsynced {
  /** Position in the journal of its first record. */
  readonly group: number;
}

/** By path, then by what was done there. */
export function pendingOperations(store: Store): Pending[] {
  const groups = pendingGroups(store);
  if (groups.size === 0) return [];
  const paths = pathFinder(store);
  const described = [...groups].map(([group, records]) => ({ group, ...inWords(records, paths) }));
  return numbered(described).sort(inOrder);
}

/** A rename's entries are atomic: durable in one directory is durable in both. */
function pendingGroups(store: Store): ReadonlyMap<number, readonly JournalRecord[]> {
  const groups = new Map<number, JournalRecord[]>();
  const durable = new Set<number>();
  for (let position = store.settledUpTo; position < store.journal.length; position += 1) {
    const record = store.journal[position]!;
    const group = groupAt(record, position);
    if (isDurable(store, position)) durable.add(group);
    const records = groups.get(group);
    if (records === undefined) groups.set(group, [record]);
    else records.push(record);
  }
  for (const group of durable) groups.delete(group);
  return groups;
}

function inWords(records: readonly JournalRecord[], paths: PathFinder): Unsynced {
  const [first, second] = records;
  if (first!.kind === "data") return dataInWords(first!, paths);
  const source = paths.ofEntry(first!);
  if (second === undefined || second.kind === "data") {
    return { operation: `${verbOf(first!)} ${source}`, paths: [source], bytes: 0 };
  }
  const goal = paths.ofEntry(second);
  const preposition = second.previous === undefined ? "to" : "over";
  return { operation: `rename ${source} ${preposition} ${goal}`, paths: [source, goal], bytes: 0 };
}

function verbOf({ previous, next }: EntryRecord): string {
  if (next !== undefined) return next.kind === "file" ? "create" : "mkdir";
  return previous?.kind === "directory" ? "rmdir" : "unlink";
}

function dataInWords({ inode, position, bytes, replaced, sizeAfter }: DataRecord, paths: PathFinder): Unsynced {
  const { text, all } = paths.ofInode(inode);
  if (bytes.length === 0) {
    return { operation: `truncate ${text} to ${counted(sizeAfter)}`, paths: all, bytes: replaced.length };
  }
  return { operation: `write ${counted(bytes.length)} at ${position} of ${text}`, paths: all, bytes: bytes.length };
}

function counted(bytes: number): string {
  return bytes === 1 ? "1 byte" : `${bytes} bytes`;
}

/** The second of two equal texts says so: they are of one object, whose order everybody agrees on. */
function numbered(operations: readonly Pending[]): Pending[] {
  const seen = new Map<string, number>();
  return operations.map((pending) => {
    const count = (seen.get(pending.operation) ?? 0) + 1;
    seen.set(pending.operation, count);
    return count === 1 ? pending : { ...pending, operation: `${pending.operation} #${count}` };
  });
}

function inOrder(one: Pending, other: Pending): number {
  return compareTexts(one.paths[0]!, other.paths[0]!) || compareTexts(padded(one.operation), padded(other.operation));
}

/** So that position 9 comes before position 10. */
function padded(text: string): string {
  return text.replace(/\d+/g, (digits) => digits.padStart(16, "0"));
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

interface PathFinder {
  ofEntry(record: EntryRecord): string;
  /** The name that it had first and the one it has now, if that is another. */
  ofInode(inode: Inode): { readonly text: string; readonly all: readonly string[] };
}

interface Place {
  readonly directory: DirectoryInode;
  readonly name: string;
}

/**
 * A directory is called what it is called now, or was called last: what it was called at the time of an operation
 * depends on the order of operations that have nothing to do with each other.
 */
function pathFinder(store: Store): PathFinder {
  const now = livePaths(store);
  const first = new Map<Inode, Place>();
  const last = new Map<Inode, Place>();
  for (const record of store.journal.slice(store.settledUpTo)) {
    if (record.kind === "data") continue;
    const { directory, name, previous, next } = record;
    for (const inode of [previous, next]) {
      if (inode === undefined) continue;
      if (!first.has(inode)) first.set(inode, { directory, name });
      last.set(inode, { directory, name });
    }
  }
  const pathAt = ({ directory, name }: Place): string => `${pathOf(directory)}/${name}`;
  function pathOf(directory: DirectoryInode): string {
    const live = now.get(directory);
    if (live !== undefined) return live;
    const place = last.get(directory);
    return place === undefined ? "" : pathAt(place);
  }
  return {
    ofEntry: pathAt,
    ofInode(inode) {
      const live = now.get(inode);
      const place = first.get(inode);
      const was = place === undefined ? live : pathAt(place);
      if (was === undefined) return { text: "a file without a name", all: [""] };
      if (live === undefined) return { text: `${was} (removed)`, all: [was] };
      return was === live ? { text: live, all: [live] } : { text: `${was} (now ${live})`, all: [was, live] };
    },
  };
}

/** Every inode that a name leads to; "" for the root, so that a name can be glued on. */
function livePaths(store: Store): ReadonlyMap<Inode, string> {
  const paths = new Map<Inode, string>([[store.root, ""]]);
  // A Map that grows while it is walked is walked to its new end.
  for (const [inode, path] of paths) {
    if (inode.kind === "file") continue;
    for (const [name, child] of inode.entries) paths.set(child, `${path}/${name}`);
  }
  return paths;
}
