/**
 * What is on a disk when some operations never reached it: the last settled state, and from there forward every record
 * whose operation was kept, in order. Nothing is undone in place, because what is not durable is not the tail of the
 * journal: a renamed file's old bytes would come back under its old name. Leaves out which operations may be lost.
 */
import type { DirectoryInode, EntryRecord, FileInode, Inode, JournalRecord, Store } from "./store.ts";

export interface Content {
  /** Has room behind `size`, where it is zero. */
  readonly bytes: Uint8Array;
  readonly size: number;
  /** Of the last change that was kept. */
  readonly modifiedAtMs: number;
}

export interface Names {
  readonly entries: ReadonlyMap<string, Inode>;
  readonly modifiedAtMs: number;
}

/** A disk as it could be; the store is not changed. */
export interface Replayed {
  namesIn(directory: DirectoryInode): Names;
  contentOf(file: FileInode): Content;
  /** What the journal has records of, whether a name leads to it or not. */
  readonly directories: readonly DirectoryInode[];
  readonly files: readonly FileInode[];
}

/** Position in the journal of the first record of the operation that a record belongs to. */
export function groupAt(record: JournalRecord, position: number): number {
  return record.kind === "entry" ? record.group : position;
}

/** Answers the disk without the operations in `lost`; undefined when a directory would then lie within itself. */
export type Replay = (lost: ReadonlySet<number>) => Replayed | undefined;

export function createReplay(store: Store): Replay {
  const settled = settledState(store);
  const untouched = new Map<FileInode, Content>();
  const contents = new Map<FileInode, Map<string, Content>>();

  /** Depends on the lost records of this file only, and is kept for the next image that loses the same. */
  function contentOf(file: FileInode, lost: ReadonlySet<number>): Content {
    const before = settled.files.get(file);
    if (before === undefined) return kept(untouched, file, () => file);
    const lostHere = before.steps.filter(({ position }) => lost.has(position)).map(({ position }) => position);
    const variants = kept(contents, file, () => new Map<string, Content>());
    return kept(variants, lostHere.join(), () => replayFile(before, lost));
  }

  return (lost) => {
    const directories = replayEntries(settled, lost);
    if (directories === undefined) return undefined;
    return {
      directories: [...directories.keys()],
      files: [...settled.files.keys()],
      namesIn: (directory) => directories.get(directory) ?? directory,
      contentOf: (file) => contentOf(file, lost),
    };
  };
}

function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

interface FileStep {
  readonly position: number;
  readonly at: number;
  readonly bytes: Uint8Array;
  /** Of a record without bytes, which is a truncate. */
  readonly size: number;
  readonly modifiedAtMs: number;
}

interface SettledFile {
  bytes: Uint8Array;
  modifiedAtMs: number;
  /** Bytes that the longest of all outcomes needs. */
  room: number;
  /** Oldest first. */
  readonly steps: FileStep[];
}

interface SettledDirectory {
  readonly entries: Map<string, Inode>;
  modifiedAtMs: number;
}

interface EntryStep {
  readonly record: EntryRecord;
  readonly modifiedAtMs: number;
}

interface Place {
  readonly directory: DirectoryInode;
  readonly name: string;
}

interface Settled {
  readonly files: Map<FileInode, SettledFile>;
  readonly directories: Map<DirectoryInode, SettledDirectory>;
  /** Where the inodes were whose names have changed since. */
  readonly places: Map<Inode, Place>;
  /** Oldest first. */
  readonly entrySteps: EntryStep[];
  /** Those that a rename has moved; no other can come to lie within itself. */
  readonly movedDirectories: Set<DirectoryInode>;
}

/** Copies of what the journal has touched, walked back to the last settled position. */
function settledState(store: Store): Settled {
  const settled: Settled = {
    files: new Map(),
    directories: new Map(),
    places: new Map(),
    entrySteps: [],
    movedDirectories: new Set(),
  };
  for (let position = store.journal.length - 1; position >= store.settledUpTo; position -= 1) {
    const record = store.journal[position]!;
    if (record.kind === "entry") {
      const { directory, name, previous } = record;
      const state = kept(settled.directories, directory, () => ({
        entries: new Map(directory.entries),
        modifiedAtMs: directory.modifiedAtMs,
      }));
      // The second record of a rename; the directory that a mkdir makes comes with the first.
      if (record.next?.kind === "directory" && record.group !== position) settled.movedDirectories.add(record.next);
      settled.entrySteps.push({ record, modifiedAtMs: state.modifiedAtMs });
      if (previous === undefined) state.entries.delete(name);
      else state.entries.set(name, previous);
      state.modifiedAtMs = record.modifiedBeforeMs;
      // The oldest record decides, and it comes last; a created inode was nowhere before.
      if (previous !== undefined) settled.places.set(previous, { directory, name });
      if (record.next !== undefined && record.next !== previous) settled.places.delete(record.next);
      continue;
    }
    const { inode, position: at, bytes, replaced, sizeBefore, sizeAfter: size } = record;
    const state = kept(settled.files, inode, (): SettledFile => {
      return { bytes: inode.bytes.slice(0, inode.size), modifiedAtMs: inode.modifiedAtMs, room: 0, steps: [] };
    });
    state.steps.push({ position, at, bytes, size, modifiedAtMs: state.modifiedAtMs });
    state.room = Math.max(state.room, size, sizeBefore);
    state.bytes = resized(state.bytes, sizeBefore);
    state.bytes.set(replaced, Math.min(at, sizeBefore));
    state.modifiedAtMs = record.modifiedBeforeMs;
  }
  settled.entrySteps.reverse();
  for (const { steps } of settled.files.values()) steps.reverse();
  return settled;
}

function resized(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes.subarray(0, size);
  const grown = new Uint8Array(size);
  grown.set(bytes);
  return grown;
}

function replayFile(before: SettledFile, lost: ReadonlySet<number>): Content {
  const bytes = new Uint8Array(before.room);
  bytes.set(before.bytes);
  let size = before.bytes.length;
  let { modifiedAtMs } = before;
  for (const step of before.steps) {
    if (lost.has(step.position)) continue;
    const sizeBefore = size;
    if (step.bytes.length === 0) size = step.size;
    else size = Math.max(size, step.at + step.bytes.length);
    bytes.set(step.bytes, step.at);
    if (size < sizeBefore) bytes.fill(0, size, sizeBefore);
    modifiedAtMs = step.modifiedAtMs;
  }
  return { bytes, size, modifiedAtMs };
}

type Directories = ReadonlyMap<DirectoryInode, SettledDirectory>;

/**
 * The last kept record of a name decides what it leads to. An inode has one name: a kept rename takes it from wherever
 * it is, also when the create or the rename that brought it to its old name is lost.
 */
function replayEntries(settled: Settled, lost: ReadonlySet<number>): Directories | undefined {
  const places = new Map(settled.places);
  const directories = new Map<DirectoryInode, SettledDirectory>();
  for (const [directory, { entries, modifiedAtMs }] of settled.directories) {
    directories.set(directory, { entries: new Map(entries), modifiedAtMs });
  }
  for (const { record, modifiedAtMs } of settled.entrySteps) {
    if (lost.has(record.group)) continue;
    const { directory, name, next } = record;
    const state = directories.get(directory)!;
    const displaced = state.entries.get(name);
    if (displaced !== undefined) places.delete(displaced);
    const from = next === undefined ? undefined : places.get(next);
    if (from !== undefined) directories.get(from.directory)!.entries.delete(from.name);
    if (next === undefined) state.entries.delete(name);
    else {
      state.entries.set(name, next);
      places.set(next, { directory, name });
    }
    state.modifiedAtMs = modifiedAtMs;
  }
  return hasLoop({ ...settled, places }) ? undefined : directories;
}

/** Whether a directory lies within itself: its rename was kept, and the one that brought its new parent out of it was not. */
function hasLoop({ movedDirectories, places }: Pick<Settled, "movedDirectories" | "places">): boolean {
  const above = (directory: DirectoryInode): DirectoryInode | undefined => {
    return movedDirectories.has(directory) ? places.get(directory)?.directory : directory.parent;
  };
  for (const moved of movedDirectories) {
    const passed = new Set<DirectoryInode>();
    for (let at: DirectoryInode | undefined = moved; at !== undefined; at = above(at)) {
      if (passed.has(at)) return true;
      passed.add(at);
    }
  }
  return false;
}
