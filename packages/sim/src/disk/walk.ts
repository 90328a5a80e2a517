/**
 * From a path to the place it names, step by step as Linux does it: every component before the last must be a directory,
 * `.` and `..` are walked and not cancelled against each other. Leaves out links.
 */
import { DiskError } from "@casebook/ports";
import type { DirectoryInode, Inode, Store } from "./store.ts";

/** Bytes of UTF-8 in one name. */
export const MAX_NAME_BYTES = 255;
/** Bytes of UTF-8 in a whole path, without the terminating NUL. */
export const MAX_PATH_BYTES = 4095;

export interface Place {
  readonly parent: DirectoryInode;
  /** The last component; `root` for the path that has none. */
  readonly last: { readonly kind: "name" | "dot" | "dots" | "root"; readonly name: string };
  readonly target: Inode | undefined;
  /** `/a/`: the caller insists on a directory. */
  readonly trailingSlash: boolean;
}

/** What is refused before the disk is looked at; a path that is too long is noticed only when it is walked. */
export function checkPath(path: string): void {
  if (path.includes("\0")) throw new Refusal("ERR_INVALID_ARG_VALUE");
  if (path === "") throw new Refusal("ENOENT");
  // Relative to what? A world has no working directory.
  if (!path.startsWith("/")) throw new Refusal("EINVAL");
}

/** Parent and last component; Refusal ENOENT, ENOTDIR or ENAMETOOLONG for what lies before the last. */
export function findParent(store: Store, path: string): Omit<Place, "target"> {
  if (isLongerThan(path, MAX_PATH_BYTES)) throw new Refusal("ENAMETOOLONG");
  const text = storedText(path);
  let parent: DirectoryInode = store.root;
  let lastName: string | undefined;
  for (let start = 0; start < text.length; ) {
    const slash = text.indexOf("/", start);
    const end = slash === -1 ? text.length : slash;
    if (end > start) {
      if (lastName !== undefined) parent = directoryIn(parent, lastName);
      lastName = text.slice(start, end);
    }
    start = end + 1;
  }
  const trailingSlash = text.endsWith("/") && lastName !== undefined;
  return { parent, last: lastComponent(lastName), trailingSlash };
}

function directoryIn(parent: DirectoryInode, name: string): DirectoryInode {
  const next = lookUp(parent, name);
  if (next === undefined) throw new Refusal("ENOENT");
  if (next.kind !== "directory") throw new Refusal("ENOTDIR");
  return next;
}

/** As `findParent`, and what the last component leads to. */
export function findPlace(store: Store, path: string): Place {
  const { parent, last, trailingSlash } = findParent(store, path);
  return { parent, last, target: targetOf({ parent, last, trailingSlash }), trailingSlash };
}

export function targetOf({ parent, last }: Omit<Place, "target">): Inode | undefined {
  return last.kind === "root" ? parent : lookUp(parent, last.name);
}

/** What an existing path names; a trailing slash wants a directory. */
export function findExisting(store: Store, path: string): Inode {
  const { target, trailingSlash } = findPlace(store, path);
  if (target === undefined) throw new Refusal("ENOENT");
  if (trailingSlash && target.kind !== "directory") throw new Refusal("ENOTDIR");
  return target;
}

function lookUp(directory: DirectoryInode, name: string): Inode | undefined {
  if (name === ".") return directory;
  if (name === "..") return directory.parent ?? directory;
  if (isLongerThan(name, MAX_NAME_BYTES)) throw new Refusal("ENAMETOOLONG");
  return directory.entries.get(name);
}

function lastComponent(name: string | undefined): Place["last"] {
  if (name === undefined) return { kind: "root", name: "" };
  if (name === ".") return { kind: "dot", name };
  if (name === "..") return { kind: "dots", name };
  return { kind: "name", name };
}

/** A file system stores UTF-8, in which half a surrogate pair becomes U+FFFD. */
function storedText(path: string): string {
  // Nearly no path has one, and the expression with the flag is slow.
  return /[\ud800-\udfff]/.test(path) ? path.replace(/\p{Surrogate}/gu, "\ufffd") : path;
}

/** Counts only what may be too long: a UTF-16 unit is at most three bytes of UTF-8. */
function isLongerThan(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && utf8Length(text) > maxBytes;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Inside the disk a refusal is a code; `named` gives it its operation and path where it leaves. */
export class Refusal {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

export function named<T>(name: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (refusal) {
    throw refusal instanceof Refusal ? new DiskError(refusal.code, name, path) : refusal;
  }
}
