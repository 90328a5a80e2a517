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
  copyDirectory(volume, "/", store.root, store);
  return store;
}

function copyDirectory(volume: Volume, path: string, directory: DirectoryInode, store: Store): void {
  for (const name of (volume.readdirSync(path) as string[]).sort()) {
    copyEntry(volume, path === "/" ? `/${name}` : `${path}/${name}`, name, directory, store);
  }
}

function copyEntry(volume: Volume, path: string, name: string, directory: DirectoryInode, store: Store): void {
  const stat = volume.lstatSync(path);
  const modifiedAtMs = Math.floor(Number(stat.mtimeMs));
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
