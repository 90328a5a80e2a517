/**
 * Mount points: directories at which another file system begins, so that a rename across one is EXDEV and the directory
 * itself can be neither renamed nor removed. A mount point moves along when a directory above it is renamed. Leaves out
 * a size of its own, read-only mounts, and what the directory held before something was mounted on it.
 */
import { WorldError } from "../world-options.ts";
import type { DirectoryInode, Store } from "./store.ts";
import { checkPath, findExisting, Refusal } from "./walk.ts";

/** Makes these directories, absolute paths, mount points. Throws WORLD_MOUNT_INVALID for what is no directory below the root. */
export function setMounts(store: Store, paths: readonly string[]): void {
  for (const path of paths) directoryAt(store, path).isMount = true;
}

function directoryAt(store: Store, path: string): DirectoryInode {
  let why: string;
  try {
    checkPath(path);
    const inode = findExisting(store, path);
    if (inode.kind === "directory" && inode !== store.root) return inode;
    why = inode === store.root ? "is the root, which is a file system already" : "is a file";
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    why = `cannot be found: ${refusal.code}`;
  }
  throw new WorldError(
    "WORLD_MOUNT_INVALID",
    `"${path}" was to be a mount point and ${why}. Name a directory that is on the disk when the world begins.`,
  );
}

/** The directory at which the file system begins that this one is in. */
export function mountOf(directory: DirectoryInode): DirectoryInode {
  let at = directory;
  while (!at.isMount && at.parent !== undefined) at = at.parent;
  return at;
}
