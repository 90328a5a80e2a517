/**
 * What the doctor may see: list, stat, read a range. Read-only by type. Three implementations: a disk walker (`/node`),
 * files dropped into a browser, and the simulated disk, so that what a case's broken scene leaves behind is a fixture.
 */

export type TreeKind = "file" | "directory" | "link" | "other";

export interface TreeEntry {
  readonly name: string;
  readonly kind: TreeKind;
}

export interface TreeStat {
  readonly kind: TreeKind;
  /** Bytes. */
  readonly size: number;
  /** Last change of content, milliseconds since the epoch. */
  readonly modifiedAtMs: number;
  /** When the file was born, where the file system says so. */
  readonly bornAtMs: number | undefined;
}

/** Paths are absolute with `/`; a drive letter stands as its first name (`/C:/Users`). Rejections carry a POSIX `code`. */
export interface Tree {
  /** In no particular order. A link is listed as a link and never followed. */
  list(path: string): Promise<readonly TreeEntry[]>;
  /** Of the entry itself, not of what a link points to. */
  stat(path: string): Promise<TreeStat>;
  /** Up to `length` bytes from `offset`; fewer at the end. Rejects for anything that is not a file. */
  readRange(path: string, offset: number, length: number): Promise<Uint8Array>;
  /**
   * The first `length` bytes in pieces, from one opening, fewer when the file ends before. A piece is overwritten when the next
   * is asked for. Only for speed, and left out by most: whoever wants pieces calls `piecesOf`, which does without.
   */
  readPieces?(path: string, length: number): AsyncIterable<Uint8Array>;
  /** The first offset at or after `from` at which the needle stands in the bytes, or -1. Only for speed, and left out by most. */
  readonly findBytes?: (bytes: Uint8Array, needle: Uint8Array, from: number) => number;
}
