/** A disk to tell stories on: paths and texts instead of inodes and bytes, and what is on it afterwards as one object. */
import { copyStore } from "./copy.ts";
import { applyImage, crashImages, legalImages, type CrashImage } from "./images.ts";
import { makeDirectory, openInode, removeDirectory, renameEntry, syncDirectoryInode, unlinkEntry } from "./operations.ts";
import { createStore, failSync, markDurable, resize, writeData, type DirectoryInode, type FileInode, type Inode, type Store } from "./store.ts";

export interface StoryDisk {
  readonly store: Store;
  /** What is opened stays open for `write` and `sync`, whatever becomes of the name. */
  open(path: string): FileInode;
  create(path: string): FileInode;
  write(file: FileInode, text: string, position?: number): void;
  truncate(file: FileInode, size: number): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  mkdir(path: string): void;
  rmdir(path: string): void;
  sync(file: FileInode): void;
  failSync(inode: Inode): void;
  syncDirectory(path: string): void;
}

/** Path to text; a directory ends with a slash and has no text. */
export type Contents = Readonly<Record<string, string>>;

/** `before` is on the disk for good; then `story` happens, one millisecond an operation. */
export function diskAfter(before: Contents, story: (disk: StoryDisk) => void): Store {
  const template = createStore(0);
  const prepare = storyDisk(template);
  for (const [path, text] of Object.entries(before)) {
    if (path.endsWith("/")) prepare.mkdir(path);
    else prepare.write(prepare.create(path), text);
  }
  const store = copyStore(template);
  story(storyDisk(store));
  return store;
}

function storyDisk(store: Store): StoryDisk {
  let nowMs = 0;
  const tick = (): number => (nowMs += 1);
  return {
    store,
    open: (path) => openInode(store, path, "r+", tick()) as FileInode,
    create: (path) => openInode(store, path, "wx", tick()) as FileInode,
    write: (file, text, position = file.size) => writeData(store, file, position, bytesOf(text), tick()),
    truncate: (file, size) => resize(store, file, size, tick()),
    rename: (from, to) => renameEntry(store, from, to, tick()),
    unlink: (path) => unlinkEntry(store, path, tick()),
    mkdir: (path) => makeDirectory(store, path, tick()),
    rmdir: (path) => removeDirectory(store, path, tick()),
    sync: (file) => markDurable(store, file),
    failSync: (inode) => failSync(store, inode),
    syncDirectory: (path) => syncDirectoryInode(store, path),
  };
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function contentsOf(store: Store): Contents {
  const contents: Record<string, string> = {};
  const list = (directory: DirectoryInode, path: string): void => {
    for (const name of [...directory.entries.keys()].sort()) {
      const inode = directory.entries.get(name)!;
      if (inode.kind === "file") contents[`${path}/${name}`] = String.fromCharCode(...inode.bytes.subarray(0, inode.size));
      else {
        contents[`${path}/${name}/`] = "";
        list(inode, `${path}/${name}`);
      }
    }
  };
  list(store.root, "");
  return contents;
}

/** Every disk that a power loss can leave, each made from a disk of its own; sorted. */
export function legalDisks(make: () => Store): Contents[] {
  return sorted(legalImages(make(), 1024).map((image) => afterImage(make, image)));
}

/** Label and disk of each explored image, in order. */
export function exploredDisks(make: () => Store): [label: string, disk: Contents][] {
  return crashImages(make()).map((image) => [image.label, afterImage(make, image)]);
}

function afterImage(make: () => Store, image: CrashImage): Contents {
  const store = make();
  applyImage(store, image);
  return contentsOf(store);
}

export function sorted(disks: readonly Contents[]): Contents[] {
  return disks.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
