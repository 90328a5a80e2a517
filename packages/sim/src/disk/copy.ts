/** A store with the same content and an empty journal, so that many executions can begin from one disk. */
import { type DirectoryInode, type FileInode, type Inode, type Store } from "./store.ts";

export function copyStore(template: Store): Store {
  const root = copyDirectory(template.root, undefined);
  return { root, journal: [], nextInode: template.nextInode, settledUpTo: 0, givenUp: new Set() };
}

function copyDirectory(template: DirectoryInode, parent: DirectoryInode | undefined): DirectoryInode {
  const copy: DirectoryInode = { ...template, entries: new Map(), durableUpTo: 0, parent };
  for (const [name, inode] of template.entries) copy.entries.set(name, copyInode(inode, copy));
  return copy;
}

function copyInode(inode: Inode, parent: DirectoryInode): Inode {
  if (inode.kind === "directory") return copyDirectory(inode, parent);
  const copy: FileInode = { ...inode, isShared: true, durableUpTo: 0 };
  return copy;
}
