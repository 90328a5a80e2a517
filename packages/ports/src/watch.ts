/**
 * The watch port: being told that a directory changed. What it promises is little, because no system promises more: look again.
 * An event says nothing about what happened, how often or in which order, and one may be lost, come twice, or stand for several;
 * so whoever must not miss anything also looks now and then (`watchAndReconcile` of `@casebook/ports/watch`).
 * Models one directory, not those below it. Leaves out file contents and old names.
 */

export type WatchEvent =
  /**
   * Something about this name may have changed, or about the whole directory if there is none. A hint: by the time it is read the
   * name may be gone, and when the directory itself is moved or removed some systems give the directory's own name.
   */
  | { readonly kind: "changed"; readonly name: string | undefined }
  /** More happened than was remembered; whatever was not read by then is part of it. Look at everything. */
  | { readonly kind: "overflow" };

export interface Watcher {
  /**
   * The next event, or undefined once the watcher is closed, also for a call that waited. Rejects once with a `DiskError` when
   * the system gave the watcher up; after that it answers undefined. One call at a time.
   */
  next(): Promise<WatchEvent | undefined>;
  /** Drops what was not read; no event comes after it. A second close is none. */
  close(): Promise<void>;
}

export interface Watch {
  /**
   * Watches what happens to the entries of `directory` from now on, and to the content of its files. Rejects with ENOENT, ENOTDIR,
   * or what else the system says (EACCES; ENOSPC and EMFILE where it has too many watchers).
   * It stays with the directory, not with the path: one that is moved is watched where it went, and once it is removed the watcher
   * is silent for good, also when another one takes its place.
   */
  open(directory: string): Promise<Watcher>;
}
