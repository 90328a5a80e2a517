/**
 * The truth about a disk: inodes, directory tables and one journal of everything that changed them. The journal has two
 * kinds of record, so that `images.ts` can tell what a power loss forgets; `sync` is one number per inode.
 * Knows no paths and makes no checks: those are in `operations.ts`. Leaves out links, owners and modes.
 */

export interface FileInode {
  readonly kind: "file";
  readonly id: number;
  /** Has room to grow; only the first `size` bytes are content. What is behind them is zero. */
  bytes: Uint8Array;
  /** The bytes are those of a template as well: whoever changes them copies them first. */
  isShared: boolean;
  size: number;
  modifiedAtMs: number;
  /** Records before this position of the journal are durable for this inode. */
  durableUpTo: number;
}

export interface DirectoryInode {
  readonly kind: "directory";
  readonly id: number;
  readonly entries: Map<string, Inode>;
  modifiedAtMs: number;
  durableUpTo: number;
  /** Where `..` leads; undefined for the root. */
  parent: DirectoryInode | undefined;
  /** Another file system begins here (`mounts.ts`). */
  isMount: boolean;
}

export type Inode = FileInode | DirectoryInode;

/** Content changed: `bytes` went in at `position`, the size went from `sizeBefore` to `sizeAfter`. */
export interface DataRecord {
  readonly kind: "data";
  readonly inode: FileInode;
  readonly position: number;
  readonly bytes: Uint8Array;
  /** What was there: the bytes that were written over, or those behind the cut. */
  readonly replaced: Uint8Array;
  readonly sizeBefore: number;
  readonly sizeAfter: number;
  readonly modifiedBeforeMs: number;
}

/** A name changed: create, unlink, mkdir and rmdir are one of these, a rename is two in one group. */
export interface EntryRecord {
  readonly kind: "entry";
  readonly directory: DirectoryInode;
  readonly name: string;
  readonly previous: Inode | undefined;
  readonly next: Inode | undefined;
  /** Position in the journal of the first record of the same operation. */
  readonly group: number;
  readonly modifiedBeforeMs: number;
}

export type JournalRecord = DataRecord | EntryRecord;

export interface Store {
  readonly root: DirectoryInode;
  readonly journal: JournalRecord[];
  nextInode: number;
  /** Records before this position belong to a disk that has been through a power loss: all of it is durable. */
  settledUpTo: number;
  /** Records that a failed sync has given up: no later sync makes them durable (`failSync`). */
  readonly givenUp: Set<JournalRecord>;
}

export function createStore(nowMs: number): Store {
  const root: DirectoryInode = {
    kind: "directory",
    id: 1,
    entries: new Map(),
    modifiedAtMs: nowMs,
    durableUpTo: 0,
    parent: undefined,
    isMount: false,
  };
  return { root, journal: [], nextInode: 2, settledUpTo: 0, givenUp: new Set() };
}

export function newFile(store: Store, nowMs: number): FileInode {
  return { kind: "file", id: takeId(store), bytes: NO_BYTES, isShared: false, size: 0, modifiedAtMs: nowMs, durableUpTo: 0 };
}

export function newDirectory(store: Store, nowMs: number): DirectoryInode {
  const id = takeId(store);
  const entries = new Map<string, Inode>();
  return { kind: "directory", id, entries, modifiedAtMs: nowMs, durableUpTo: 0, parent: undefined, isMount: false };
}

/** One name in one directory, and where it leads after the operation. */
export interface EntryChange {
  readonly directory: DirectoryInode;
  readonly name: string;
  readonly next: Inode | undefined;
}

/** The changes of one operation, as one group. */
export function changeEntries(store: Store, changes: readonly EntryChange[], nowMs: number): void {
  const group = store.journal.length;
  for (const { directory, name, next } of changes) {
    const previous = directory.entries.get(name);
    const modifiedBeforeMs = directory.modifiedAtMs;
    store.journal.push({ kind: "entry", directory, name, previous, next, group, modifiedBeforeMs });
    if (next === undefined) directory.entries.delete(name);
    else directory.entries.set(name, next);
    if (next?.kind === "directory") next.parent = directory;
    directory.modifiedAtMs = nowMs;
  }
}

export function writeData(
  store: Store,
  inode: FileInode,
  position: number,
  bytes: Uint8Array,
  nowMs: number,
): void {
  const sizeAfter = Math.max(inode.size, position + bytes.length);
  const replaced = inode.bytes.slice(Math.min(position, inode.size), Math.min(position + bytes.length, inode.size));
  record(store, inode, { position, bytes: bytes.slice(), replaced, sizeAfter }, nowMs);
  reserve(inode, sizeAfter);
  inode.bytes.set(bytes, position);
  inode.size = sizeAfter;
}

export function resize(store: Store, inode: FileInode, size: number, nowMs: number): void {
  const replaced = inode.bytes.slice(Math.min(size, inode.size), inode.size);
  record(store, inode, { position: size, bytes: NO_BYTES, replaced, sizeAfter: size }, nowMs);
  reserve(inode, size);
  inode.bytes.fill(0, size, Math.max(size, inode.size));
  inode.size = size;
}

/** Everything recorded so far is durable for this inode. */
export function markDurable(store: Store, inode: Inode): void {
  inode.durableUpTo = store.journal.length;
}

/**
 * A sync that reports EIO: what it was to make durable stays losable for ever, also when a later sync succeeds, because
 * Linux marks the pages clean that it failed to write. Source:
 * https://knowledge.enterprisedb.com/hc/en-us/articles/13522554539164-Lost-async-page-write-Linux-and-fsync-errors
 * Leaves out that a later write into the same page would bring its neighbours to the disk as well.
 */
export function failSync(store: Store, inode: Inode): void {
  const { journal } = store;
  for (let position = unsettledFrom(store, inode); position < journal.length; position += 1) {
    const record = journal[position]!;
    if (objectOf(record) === inode) store.givenUp.add(record);
  }
}

/** Whether no power loss takes this record away, judged by the inode that it changed and by nothing else. */
export function isDurable(store: Store, position: number): boolean {
  const record = store.journal[position]!;
  if (position < store.settledUpTo) return true;
  return position < objectOf(record).durableUpTo && !store.givenUp.has(record);
}

function unsettledFrom(store: Store, inode: Inode): number {
  return Math.max(store.settledUpTo, inode.durableUpTo);
}

function objectOf(record: JournalRecord): Inode {
  return record.kind === "data" ? record.inode : record.directory;
}

const NO_BYTES = new Uint8Array(0);

function record(
  store: Store,
  inode: FileInode,
  change: Pick<DataRecord, "position" | "bytes" | "replaced" | "sizeAfter">,
  nowMs: number,
): void {
  const { size: sizeBefore, modifiedAtMs: modifiedBeforeMs } = inode;
  store.journal.push({ kind: "data", inode, ...change, sizeBefore, modifiedBeforeMs });
  inode.modifiedAtMs = nowMs;
}

/** Makes room, in bytes of its own. Doubles, so that a thousand appends copy the file ten times and not a thousand. */
function reserve(inode: FileInode, size: number): void {
  if (size <= inode.bytes.length && !inode.isShared) return;
  inode.isShared = false;
  const grown = new Uint8Array(inode.size === 0 || size <= inode.size ? Math.max(size, inode.size) : Math.max(size, inode.bytes.length * 2));
  grown.set(inode.bytes.subarray(0, inode.size));
  inode.bytes = grown;
}

function takeId(store: Store): number {
  const id = store.nextInode;
  store.nextInode += 1;
  return id;
}
