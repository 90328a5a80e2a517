/**
 * memfs at the boundary: a whole volume is copied into a new store, and what is on a disk comes out as a fresh volume.
 * What the model has no word for is refused by name. Leaves out times of access and of birth, owners and modes.
 */
import { Volume } from "memfs";
import { WorldError } from "../world-options.ts";
import { createStore, newDirectory, newFile, type DirectoryInode, type Inode, type Store } from "./store.ts";

export function storeFromVolume(volume: Volume | undefined, epochMs: number): Store {
  const store = createStore(epochMs);
  if (volume === undefined) return store;
  if (typeof volume !== "object" || volume === null || typeof volume.readdirSync !== "function") {
    throw new WorldError(
      "WORLD_VOLUME_INVALID",
      'createWorld takes its disk as a memfs volume, and this is none. Pass Volume.fromJSON({ "/tasks.json": "[]" }) of memfs.',
    );
  }
  try {
    store.root.modifiedAtMs = timeOfChange(volume.lstatSync("/"), epochMs);
    copyDirectory({ volume, store, epochMs }, "/", store.root);
  } catch (failure) {
    throw failure instanceof WorldError ? failure : unreadable(failure);
  }
  return store;
}

/** The part of memfs's stat that is used; its own type wavers between number and bigint. */
interface Times {
  readonly birthtimeMs: number | bigint;
  readonly mtimeMs: number | bigint;
  readonly ctimeMs: number | bigint;
}

interface Copy {
  readonly volume: Volume;
  readonly store: Store;
  readonly epochMs: number;
}

function copyDirectory(copy: Copy, path: string, directory: DirectoryInode): void {
  for (const name of copy.volume.readdirSync(path) as string[]) {
    copyEntry(copy, path === "/" ? `/${name}` : `${path}/${name}`, name, directory);
  }
}

function copyEntry(copy: Copy, path: string, name: string, directory: DirectoryInode): void {
  const { volume, store } = copy;
  const stat = volume.lstatSync(path);
  const modifiedAtMs = timeOfChange(stat, copy.epochMs);
  if (stat.isDirectory()) {
    const child = newDirectory(store, modifiedAtMs);
    child.parent = directory;
    directory.entries.set(name, child);
    copyDirectory(copy, path, child);
    return;
  }
  if (!stat.isFile()) refuse(path, "is neither a file nor a directory");
  if (Number(stat.nlink) > 1) refuse(path, "has a second name (a hard link)");
  const file = newFile(store, modifiedAtMs);
  file.bytes = new Uint8Array(volume.readFileSync(path) as unknown as Uint8Array);
  file.size = file.bytes.length;
  directory.entries.set(name, file);
}

/**
 * memfs stamps files with the machine's clock, which must not get into a world. Such a stamp lies between the birth of
 * the file and its last change of any kind; a time outside was set with `utimes` on purpose, and is kept.
 */
function timeOfChange(stat: Times, epochMs: number): number {
  const isFromMachine = stat.mtimeMs >= stat.birthtimeMs && stat.mtimeMs <= stat.ctimeMs;
  return isFromMachine ? epochMs : Math.floor(Number(stat.mtimeMs));
}

function refuse(path: string, what: string): never {
  throw new WorldError(
    "WORLD_VOLUME_UNSUPPORTED",
    `${path} in the volume ${what}; the disk of a world has files and directories only. ` +
      "Put a file with the same content there instead.",
  );
}

function unreadable(failure: unknown): WorldError {
  const text = failure instanceof Error ? failure.message : String(failure);
  return new WorldError(
    "WORLD_VOLUME_UNREADABLE",
    `the volume could not be copied: ${text}. The disk of a world has no permissions; make everything in it readable first.`,
  );
}

/** What is on a disk now: contents, empty directories and times of change. */
export function volumeFromRoot(root: DirectoryInode): Volume {
  const volume = new Volume();
  fill(volume, "", root);
  setTime(volume, "/", root);
  return volume;
}

function fill(volume: Volume, path: string, directory: DirectoryInode): void {
  for (const name of [...directory.entries.keys()].sort()) {
    const inode = directory.entries.get(name)!;
    const child = `${path}/${name}`;
    if (inode.kind === "directory") {
      volume.mkdirSync(child);
      fill(volume, child, inode);
    } else {
      // memfs copies what it is given.
      volume.writeFileSync(child, inode.bytes.subarray(0, inode.size));
    }
    setTime(volume, child, inode);
  }
}

function setTime(volume: Volume, path: string, inode: Inode): void {
  // memfs multiplies seconds by 1000 and cuts: half a millisecond keeps 1001 from becoming 1000.
  const seconds = (inode.modifiedAtMs + 0.5) / 1000;
  volume.utimesSync(path, seconds, seconds);
}
