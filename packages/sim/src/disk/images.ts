/**
 * The ways in which a power loss can leave a disk. An operation is one group of the journal; any subset of those that
 * are not durable may be lost, and what stays keeps its order on each object. A directory whose own name is lost takes
 * along what is in it, and so does one whose removal was kept while what had emptied it was lost.
 *
 * Explored are four kinds (none, all, all but one, only one) and no cuts through the order of the whole journal: those
 * would make writes to different files depend on each other. Leaves out a write of which only a part arrives, and other
 * file systems' promises beyond these (`posix-min` is the least that POSIX lets a program rely on).
 */
import { WorldError } from "../world-options.ts";
import { type Pending, pendingOperations, type Unsynced } from "./pending.ts";
import { type Content, createReplay, type Replay, type Replayed } from "./replay.ts";
import { changeEntries, type DirectoryInode, type EntryChange, type FileInode, resize, type Store, writeData } from "./store.ts";

export type { Unsynced } from "./pending.ts";

/** `kill`: the page cache survives and nothing is lost. `posix-min`: a power loss, and only what was synced is safe. */
export type Durability = "kill" | "posix-min";

/** One way a power loss can leave the disk. */
export interface CrashImage {
  /** "nothing lost", "lost: create /t"; differs from that of every other image of the disk. */
  readonly label: string;
  /** Operations that are lost, each as the position of its first record in the journal; ascending. */
  readonly lost: readonly number[];
}

/**
 * The images that a search tries, each resulting disk once (names and contents; times are not compared). First the one
 * that loses nothing, then the one that loses all, all but one, only one, these in the order of their paths.
 */
export function crashImages(store: Store): readonly CrashImage[] {
  const pending = pendingOperations(store);
  return distinctImages(store, exploredImages(pending));
}

function* exploredImages(pending: readonly Pending[]): Generator<CrashImage> {
  yield imageOf("nothing lost", []);
  yield imageOf("everything unsynced lost", pending);
  for (const one of pending) yield imageOf(`lost: ${one.operation}`, [one]);
  for (const one of pending) {
    yield imageOf(`everything unsynced lost but: ${one.operation}`, pending.filter((other) => other !== one));
  }
}

/** Every legal image. Throws WORLD_IMAGES_TOO_MANY when that means to look at more than `max` subsets. */
export function legalImages(store: Store, max: number): readonly CrashImage[] {
  const pending = pendingOperations(store);
  if (2 ** pending.length > max) {
    throw new WorldError(
      "WORLD_IMAGES_TOO_MANY",
      `${pending.length} unsynced operations have 2^${pending.length} subsets, and at most ${max} are looked at. ` +
        "Sync more often, or use crashImages, which grows with the number of operations and not with its power.",
    );
  }
  return distinctImages(store, everySubset(pending));
}

function* everySubset(pending: readonly Pending[]): Generator<CrashImage> {
  for (let subset = 0; subset < 2 ** pending.length; subset += 1) {
    const lost = pending.filter((_, index) => Math.floor(subset / 2 ** index) % 2 === 1);
    const label = lost.length === 0 ? "nothing lost" : `lost: ${lost.map((one) => one.operation).join("; ")}`;
    yield imageOf(label, lost);
  }
}

function imageOf(label: string, lost: readonly Pending[]): CrashImage {
  return { label, lost: lost.map(({ group }) => group).sort((one, other) => one - other) };
}

function distinctImages(store: Store, candidates: Iterable<CrashImage>): CrashImage[] {
  const keyOf = diskKeys(store, createReplay(store));
  const images = new Map<string, CrashImage>();
  for (const image of candidates) {
    const key = keyOf(image.lost);
    if (key !== undefined && !images.has(key)) images.set(key, image);
  }
  return [...images.values()];
}

/** What a power loss now could take, without what nobody would miss (a write to a file that no name leads to). */
export function unsyncedReport(store: Store): readonly Unsynced[] {
  const pending = pendingOperations(store);
  const keyOf = diskKeys(store, createReplay(store));
  const groups = pending.map(({ group }) => group);
  const live = keyOf([]);
  const least = keyOf(groups);
  const isMissed = ({ group }: Pending): boolean => {
    const alone = keyOf([group]);
    const others = keyOf(groups.filter((other) => other !== group));
    return (alone !== undefined && alone !== live) || (others !== undefined && others !== least);
  };
  return pending.filter(isMissed).map(({ operation, paths, bytes }) => ({ operation, paths, bytes }));
}

/** Equal for equal names and contents, whichever inodes carry them; undefined for a subset that is not legal. */
function diskKeys(store: Store, replay: Replay): (lost: readonly number[]) => string | undefined {
  const idOf = contentIds();

  function keyOf(disk: Replayed, directory: DirectoryInode): string {
    const entries = [...disk.namesIn(directory).entries].sort(([one], [other]) => (one < other ? -1 : 1));
    const parts = entries.map(([name, inode]) => {
      const value = inode.kind === "file" ? idOf(disk.contentOf(inode)) : keyOf(disk, inode);
      return `${JSON.stringify(name)}:${value}`;
    });
    return `{${parts.join()}}`;
  }

  return (lost) => {
    const disk = replay(new Set(lost));
    return disk === undefined ? undefined : keyOf(disk, store.root);
  };
}

/** One number for all contents that are equal byte for byte. */
function contentIds(): (content: Content) => number {
  const ids = new Map<Content, number>();
  const alike = new Map<number, Content[]>();
  return (content) => {
    const known = ids.get(content);
    if (known !== undefined) return known;
    const sum = sumOf(content);
    const others = alike.get(sum) ?? [];
    alike.set(sum, others);
    const equal = others.find((other) => isEqual(other, content));
    if (equal === undefined) others.push(content);
    const id = equal === undefined ? ids.size : ids.get(equal)!;
    ids.set(content, id);
    return id;
  };
}

/** Only to find candidates by; equality is decided by the bytes. */
function sumOf({ bytes, size }: Content): number {
  let sum = size;
  for (let index = 0; index < size; index += 1) sum = Math.imul(sum ^ bytes[index]!, 16_777_619);
  return sum;
}

function isEqual(one: Content, other: Content): boolean {
  if (one.size !== other.size) return false;
  for (let index = 0; index < one.size; index += 1) if (one.bytes[index] !== other.bytes[index]) return false;
  return true;
}

/**
 * Makes the disk what the image says, in ordinary records, after which all of it is durable. What changes goes back to
 * the time of the last change that was kept. Files and directories that no name leads to drop out; handles of before
 * would still write into them, but a power loss leaves nobody who has one. Throws WORLD_IMAGE_INVALID for an image that
 * is none of this disk.
 */
export function applyImage(store: Store, image: CrashImage): void {
  const disk = createReplay(store)(lostOperations(store, image));
  if (disk === undefined) throw notAnImage(image);
  for (const file of disk.files) restoreContent(store, file, disk.contentOf(file));
  const changes = disk.directories.flatMap((directory) => changesOf(directory, disk));
  changeEntries(store, changes, 0);
  for (const { directory } of changes) directory.modifiedAtMs = disk.namesIn(directory).modifiedAtMs;
  store.settledUpTo = store.journal.length;
}

function lostOperations(store: Store, image: CrashImage): ReadonlySet<number> {
  const pending = new Set(pendingOperations(store).map(({ group }) => group));
  if (!image.lost.every((group) => pending.has(group))) throw notAnImage(image);
  return new Set(image.lost);
}

function notAnImage({ label }: CrashImage): WorldError {
  return new WorldError(
    "WORLD_IMAGE_INVALID",
    `"${label}" loses what is durable or cannot be lost on its own; it belongs to another disk or to an earlier moment. ` +
      "Take the image from crashImages, and apply it before the next operation.",
  );
}

function changesOf(directory: DirectoryInode, disk: Replayed): EntryChange[] {
  const { entries } = disk.namesIn(directory);
  const names = new Set([...directory.entries.keys(), ...entries.keys()]);
  return [...names]
    .filter((name) => directory.entries.get(name) !== entries.get(name))
    .sort()
    .map((name) => ({ directory, name, next: entries.get(name) }));
}

function restoreContent(store: Store, file: FileInode, { bytes, size, modifiedAtMs }: Content): void {
  // Also for the time alone, so that walking the journal back brings the time back too.
  if (size !== file.size || modifiedAtMs !== file.modifiedAtMs) resize(store, file, size, modifiedAtMs);
  const kept = bytes.subarray(0, size);
  let start = 0;
  while (start < size && kept[start] === file.bytes[start]) start += 1;
  let end = size;
  while (end > start && kept[end - 1] === file.bytes[end - 1]) end -= 1;
  if (end > start) writeData(store, file, start, kept.subarray(start, end), modifiedAtMs);
}
