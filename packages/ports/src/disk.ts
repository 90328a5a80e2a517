/**
 * The disk port: the part of `node:fs/promises` that the models need. Paths are absolute and use `/`.
 * Models files, directories and what is durable; leaves out links, owners and modes.
 */

/** As in `open(2)` by way of `node:fs`: `x` is exclusive create, `a` writes at the end whatever the position. */
export type OpenFlags = "r" | "r+" | "w" | "w+" | "wx" | "wx+" | "a" | "a+" | "ax" | "ax+";

export interface FileStat {
  readonly kind: "file" | "directory" | "other";
  /** Bytes; 0 for a directory, whose real size differs from one file system to the next. */
  readonly size: number;
  /** Time of the last change of content, milliseconds since the epoch, rounded down. */
  readonly modifiedAtMs: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileStat["kind"];
}

export interface DiskFile {
  /**
   * Up to `length` bytes from `position` (bytes from the start, ≥ 0). Fewer at the end of the file,
   * none behind it. EBADF on a file opened for writing only.
   */
  read(length: number, position: number): Promise<Uint8Array>;
  /**
   * Writes at `position`, or where this handle's last write ended when it is left out, or at the end in the
   * append modes. Answers how many bytes were written, which may be fewer than given. A gap reads as NULs.
   * EBADF on a file opened for reading only.
   */
  write(bytes: Uint8Array, position?: number): Promise<number>;
  /** Cuts or extends with NULs. EINVAL on a file opened for reading only. */
  truncate(size: number): Promise<void>;
  /** After this, content and size survive a power loss; the name does not yet (see `syncDirectory`). */
  sync(): Promise<void>;
  stat(): Promise<FileStat>;
  /** A second close, and any other call after it, rejects with EBADF. */
  close(): Promise<void>;
}

/**
 * Every rejection is an `Error` with a POSIX `code`: ENOENT, EEXIST, EISDIR, ENOTDIR, ENOTEMPTY, EINVAL, EBADF, ENAMETOOLONG,
 * EACCES, EPERM, EBUSY, EXDEV, ENOSPC, EIO, EROFS, ELOOP.
 */
export interface Disk {
  open(path: string, flags: OpenFlags): Promise<DiskFile>;
  /** Replaces a file or an empty directory of the same kind. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** One level; EEXIST if it is there. */
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** In no particular order: whoever cares sorts. */
  readdir(path: string): Promise<DirectoryEntry[]>;
  stat(path: string): Promise<FileStat>;
  /** After this, creations, removals and renames of entries of this directory survive a power loss. */
  syncDirectory(path: string): Promise<void>;
}
