/** A store with the same content and an empty journal, so that many executions can begin from one disk. */
import { type DirectoryInode, type Inode, type Store } from "./store.ts";

export function copyStore(template: Store): Store {
  const root = copyDirectory(template.root, undefined);
  return { root, journal: [], nextInode: template.nextInode, settledUpTo: 0, givenUp: new Set() };
}

function copyDirectory(template: DirectoryInode, parent: DirectoryInode | undefined): DirectoryInode {
  const { kind, id, modifiedAtMs, isMount } = template;
  const copy: DirectoryInode = { kind, id, entries: new Map(), modifiedAtMs, durableUpTo: 0, parent, isMount };
  for (const [name, inode] of template.entries) copy.entries.set(name, copyInode(inode, copy));
  return copy;
}

function copyInode(inode: Inode, parent: DirectoryInode): Inode {
  if (inode.kind === "directory") return copyDirectory(inode, parent);
  // Field by field: a search copies millions of these, and a spread costs several times as much.
  const { kind, id, bytes, size, modifiedAtMs } = inode;
  return { kind, id, bytes, isShared: true, size, modifiedAtMs, durableUpTo: 0 };
}
