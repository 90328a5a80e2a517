/**
 * What `node:fs` answers about a file or a name. The disk of the world knows kind, size and time of change; mode, owner and the
 * count of names are the same for all, all four times are that of the last change of content, and what tells one file from
 * another is refused, because a made-up number would compare equal, or not, by luck.
 */
import type { DirectoryEntry, FileStat } from "@casebook/ports";
import { constants } from "node:fs";
import { notModelled } from "./errors.ts";

export const FILE_MODE = 0o644;
export const DIRECTORY_MODE = 0o755;

abstract class Kind {
  protected abstract kindOfEntry(): FileStat["kind"];

  isFile(): boolean {
    return this.kindOfEntry() === "file";
  }

  isDirectory(): boolean {
    return this.kindOfEntry() === "directory";
  }

  isSymbolicLink(): boolean {
    return false;
  }

  isFIFO(): boolean {
    return false;
  }

  isSocket(): boolean {
    return false;
  }

  isBlockDevice(): boolean {
    return false;
  }

  isCharacterDevice(): boolean {
    return false;
  }
}

export class Stats extends Kind {
  readonly mode: number;
  readonly nlink = 1;
  readonly uid = 0;
  readonly gid = 0;
  readonly rdev = 0;
  readonly size: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;

  constructor({ kind, size, modifiedAtMs }: FileStat) {
    super();
    this.mode = kind === "directory" ? constants.S_IFDIR | DIRECTORY_MODE : constants.S_IFREG | FILE_MODE;
    this.size = size;
    this.atimeMs = this.mtimeMs = this.ctimeMs = this.birthtimeMs = modifiedAtMs;
    this.atime = new Date(modifiedAtMs);
    this.mtime = new Date(modifiedAtMs);
    this.ctime = new Date(modifiedAtMs);
    this.birthtime = new Date(modifiedAtMs);
  }

  get ino(): number {
    throw notModelled("stats.ino", "the disk port gives no number to a file. Compare content or time of change.");
  }

  get dev(): number {
    throw notModelled("stats.dev", "the disk port gives no number to a disk.");
  }

  protected kindOfEntry(): FileStat["kind"] {
    return (this.mode & constants.S_IFMT) === constants.S_IFDIR ? "directory" : "file";
  }
}

export class Dirent extends Kind {
  readonly name: string;
  readonly parentPath: string;
  /** The older name of `parentPath`. */
  readonly path: string;
  readonly #kind: FileStat["kind"];

  constructor({ name, kind }: DirectoryEntry, parentPath: string) {
    super();
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
    this.#kind = kind;
  }

  protected kindOfEntry(): FileStat["kind"] {
    return this.#kind;
  }
}
