/** Copies a whole memfs volume into a new store. What the model has no word for is refused by name. */
import type { Volume } from "memfs";
import { WorldError } from "../world-error.ts";
import { createStore, newDirectory, newFile, type DirectoryInode, type Store } from "./store.ts";

export function storeFromVolume(volume: Volume | undefined, nowMs: number): Store {
  const store = createStore(nowMs);
  if (volume === undefined) return store;
  if (typeof volume !== "object" || volume === null || typeof volume.readdirSync !== "function") {
    throw new WorldError(
      "WORLD_VOLUME_INVALID",
      'createWorld takes its disk as a memfs volume, and this is none. Pass Volume.fromJSON({ "/tasks.json": "[]" }) of memfs.',
    );
  }
  try {
    copyDirectory(volume, "/", store.root, store);
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

function copyDirectory(volume: Volume, path: string, directory: DirectoryInode, store: Store): void {
  for (const name of (volume.readdirSync(path) as string[]).sort()) {
    copyEntry(volume, path === "/" ? `/${name}` : `${path}/${name}`, name, directory, store);
  }
}

function copyEntry(volume: Volume, path: string, name: string, directory: DirectoryInode, store: Store): void {
  const stat = volume.lstatSync(path);
  const modifiedAtMs = timeOfChange(stat, store.root.modifiedAtMs);
  if (stat.isDirectory()) {
    const child = newDirectory(store, modifiedAtMs);
    child.parent = directory;
    directory.entries.set(name, child);
    copyDirectory(volume, path, child, store);
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
