/**
 * Copies a whole memfs volume into a new store. What the model has no word for is refused by name.
 * File times are not taken over: memfs stamps them from the machine's clock, so everything is as old as the world.
 */
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
  copyDirectory(volume, "/", store.root, store, nowMs);
  return store;
}

function copyDirectory(volume: Volume, path: string, directory: DirectoryInode, store: Store, nowMs: number): void {
  for (const name of (volume.readdirSync(path) as string[]).sort()) {
    copyEntry(volume, path === "/" ? `/${name}` : `${path}/${name}`, name, directory, store, nowMs);
  }
}

function copyEntry(volume: Volume, path: string, name: string, directory: DirectoryInode, store: Store, nowMs: number): void {
  const stat = volume.lstatSync(path);
  if (stat.isDirectory()) {
    const child = newDirectory(store, nowMs);
    child.parent = directory;
    directory.entries.set(name, child);
    copyDirectory(volume, path, child, store, nowMs);
    return;
  }
  if (!stat.isFile()) refuse(path, "is neither a file nor a directory");
  if (Number(stat.nlink) > 1) refuse(path, "has a second name (a hard link)");
  const file = newFile(store, nowMs);
  file.bytes = Uint8Array.from(volume.readFileSync(path) as unknown as Uint8Array);
  file.size = file.bytes.length;
  directory.entries.set(name, file);
}

function refuse(path: string, what: string): never {
  throw new WorldError(
    "WORLD_VOLUME_UNSUPPORTED",
    `${path} in the volume ${what}; the disk of a world has files and directories only. ` +
      "Put a file with the same content there instead.",
  );
}
