/** A disk to look at from outside of a run: what the facts of a system are read from. Looks at the store and takes no step. */
import { findExisting, Refusal } from "./walk.ts";
import type { Inode, Store } from "./store.ts";

// In browsers and in Node, and not in the language's own library.
declare const TextDecoder: new (label: string, options: { ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };

export interface FilesOfHost {
  /** A copy of the bytes of a file; undefined where there is none. */
  read(path: string): Uint8Array | undefined;
  /** The same as text; broken UTF-8 becomes U+FFFD. */
  text(path: string): string | undefined;
  /** Names in a directory, sorted; undefined where there is none. */
  list(path: string): readonly string[] | undefined;
}

export function filesOf(store: Store): FilesOfHost {
  function find(path: string): Inode | undefined {
    try {
      return findExisting(store, path);
    } catch (refusal) {
      if (refusal instanceof Refusal) return undefined;
      throw refusal;
    }
  }
  const read = (path: string): Uint8Array | undefined => {
    const inode = find(path);
    return inode?.kind === "file" ? inode.bytes.slice(0, inode.size) : undefined;
  };
  return {
    read,
    text(path) {
      const bytes = read(path);
      return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    },
    list(path) {
      const inode = find(path);
      return inode?.kind === "directory" ? [...inode.entries.keys()].sort() : undefined;
    },
  };
}
