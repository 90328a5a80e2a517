/**
 * What Linux answers to each call, over the store: the checks in the kernel's order, then the change.
 * Compared with a real temporary directory by generated sequences (`@casebook/ports/contract`).
 */
import type { FileStat, OpenFlags } from "@casebook/ports";
import {
  changeEntries,
  markDurable,
  newDirectory,
  newFile,
  resize,
  type DirectoryInode,
  type Inode,
  type Store,
} from "./store.ts";
import { mountOf } from "./mounts.ts";
import { checkPath, findExisting, findParent, findPlace, Refusal, targetOf } from "./walk.ts";

/** The inode that a handle is opened on; created or emptied if the flags say so. */
export function openInode(store: Store, path: string, flags: OpenFlags, nowMs: number): Inode {
  checkPath(path);
  if (flags === "r" || flags === "r+") {
    const inode = findExisting(store, path);
    if (flags === "r+" && inode.kind === "directory") throw new Refusal("EISDIR");
    return inode;
  }
  const { parent, last, trailingSlash } = findParent(store, path);
  if (trailingSlash && last.kind === "name") throw new Refusal("EISDIR");
  const target = targetOf({ parent, last, trailingSlash });
  if (target === undefined) {
    const created = newFile(store, nowMs);
    changeEntries(store, [{ directory: parent, name: last.name, next: created }], nowMs);
    return created;
  }
  if (flags.includes("x")) throw new Refusal("EEXIST");
  if (target.kind === "directory") throw new Refusal("EISDIR");
  if (flags.startsWith("w")) resize(store, target, 0, nowMs);
  return target;
}

export function renameEntry(store: Store, from: string, to: string, nowMs: number): void {
  checkPath(from);
  checkPath(to);
  const source = findParent(store, from);
  const goal = findParent(store, to);
  if (mountOf(source.parent) !== mountOf(goal.parent)) throw new Refusal("EXDEV");
  if (source.last.kind !== "name" || goal.last.kind !== "name") throw new Refusal("EBUSY");
  const moved = targetOf(source);
  if (moved === undefined) throw new Refusal("ENOENT");
  const replaced = targetOf(goal);
  if (moved.kind !== "directory" && (source.trailingSlash || goal.trailingSlash)) throw new Refusal("ENOTDIR");
  if (moved.kind === "directory" && isWithin(goal.parent, moved)) throw new Refusal("EINVAL");
  if (replaced?.kind === "directory" && isWithin(source.parent, replaced)) throw new Refusal("ENOTEMPTY");
  if (moved === replaced) return;
  if (replaced !== undefined) checkSameKind(moved, replaced);
  if (isMount(moved) || isMount(replaced)) throw new Refusal("EBUSY");
  if (replaced?.kind === "directory" && replaced.entries.size > 0) throw new Refusal("ENOTEMPTY");
  changeEntries(
    store,
    [
      { directory: source.parent, name: source.last.name, next: undefined },
      { directory: goal.parent, name: goal.last.name, next: moved },
    ],
    nowMs,
  );
}

function checkSameKind(moved: Inode, replaced: Inode): void {
  if (moved.kind === replaced.kind) return;
  throw new Refusal(moved.kind === "directory" ? "ENOTDIR" : "EISDIR");
}

function isMount(inode: Inode | undefined): boolean {
  return inode?.kind === "directory" && inode.isMount;
}

function isWithin(directory: DirectoryInode, ancestor: DirectoryInode): boolean {
  for (let at: DirectoryInode | undefined = directory; at !== undefined; at = at.parent) {
    if (at === ancestor) return true;
  }
  return false;
}

export function unlinkEntry(store: Store, path: string, nowMs: number): void {
  checkPath(path);
  const { parent, last, target, trailingSlash } = findPlace(store, path);
  if (last.kind !== "name") throw new Refusal("EISDIR");
  if (target === undefined) throw new Refusal("ENOENT");
  if (target.kind === "directory") throw new Refusal("EISDIR");
  if (trailingSlash) throw new Refusal("ENOTDIR");
  changeEntries(store, [{ directory: parent, name: last.name, next: undefined }], nowMs);
}

export function makeDirectory(store: Store, path: string, nowMs: number): void {
  checkPath(path);
  const { parent, last, target } = findPlace(store, path);
  if (target !== undefined) throw new Refusal("EEXIST");
  changeEntries(store, [{ directory: parent, name: last.name, next: newDirectory(store, nowMs) }], nowMs);
}

export function removeDirectory(store: Store, path: string, nowMs: number): void {
  checkPath(path);
  const { parent, last, target } = findPlace(store, path);
  if (last.kind === "root") throw new Refusal("EBUSY");
  if (last.kind === "dot") throw new Refusal("EINVAL");
  if (last.kind === "dots") throw new Refusal("ENOTEMPTY");
  if (target === undefined) throw new Refusal("ENOENT");
  if (target.kind !== "directory") throw new Refusal("ENOTDIR");
  if (target.isMount) throw new Refusal("EBUSY");
  if (target.entries.size > 0) throw new Refusal("ENOTEMPTY");
  changeEntries(store, [{ directory: parent, name: last.name, next: undefined }], nowMs);
}

export function findDirectory(store: Store, path: string): DirectoryInode {
  checkPath(path);
  const inode = findExisting(store, path);
  if (inode.kind !== "directory") throw new Refusal("ENOTDIR");
  return inode;
}

export function syncDirectoryInode(store: Store, path: string): void {
  markDurable(store, findDirectory(store, path));
}

export function statPath(store: Store, path: string): FileStat {
  checkPath(path);
  return statOf(findExisting(store, path));
}

export function statOf(inode: Inode): FileStat {
  const size = inode.kind === "file" ? inode.size : 0;
  return { kind: inode.kind, size, modifiedAtMs: inode.modifiedAtMs };
}
