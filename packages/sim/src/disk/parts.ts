/**
 * Which parts of a disk a call touches, so that a search need not try both orders of calls that have nothing to do with each other:
 * the entries on the way, what is listed in a directory, the content of a file. Looked up on the disk as it is, so it holds for the
 * moment. Answers undefined, which is everything, for a path with dots in it.
 */
import type { OpenFlags } from "@casebook/ports";
import type { Part } from "../gate.ts";
import type { Inode, Store } from "./store.ts";

export type DiskCallKind =
  | { readonly call: "open"; readonly flags: OpenFlags }
  | { readonly call: "stat" | "list" | "sync-directory" }
  /** A name appears, goes, or leads elsewhere. */
  | { readonly call: "change" };

export function partsOfPaths(store: Store, paths: readonly string[], kind: DiskCallKind): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (const path of paths) if (!addParts(parts, store, path, kind)) return undefined;
  return parts;
}

/** Of a call at a handle. */
export function partsOfHandle(inode: Inode, access: "read" | "write"): readonly Part[] {
  return [inode.kind === "file" ? content(inode, access) : listing(inode, access)];
}

/** False for a path whose parts are not worked out. */
function addParts(parts: Part[], store: Store, path: string, kind: DiskCallKind): boolean {
  const names = path.split("/").filter((name) => name !== "");
  if (names.some((name) => name === "." || name === "..")) return false;
  const last = names.pop();
  let directory: Inode = store.root;
  for (const name of names) {
    parts.push(entry(directory, name, "read"));
    const next: Inode | undefined = directory.entries.get(name);
    if (next?.kind !== "directory") return true;
    directory = next;
  }
  if (last === undefined) {
    addTarget(parts, directory, kind);
    return true;
  }
  const target = directory.entries.get(last);
  if (changesEntry(kind, target)) {
    parts.push(entry(directory, last, "write"), listing(directory, "add"));
    // Whether it may go or be replaced depends on what is in it.
    if (target?.kind === "directory") parts.push(listing(target, "read"));
    return true;
  }
  parts.push(entry(directory, last, "read"));
  if (target !== undefined) addTarget(parts, target, kind);
  return true;
}

function changesEntry(kind: DiskCallKind, target: Inode | undefined): boolean {
  return kind.call === "change" || (kind.call === "open" && target === undefined && !kind.flags.startsWith("r"));
}

function addTarget(parts: Part[], target: Inode, kind: DiskCallKind): void {
  if (kind.call === "open") {
    if (target.kind === "file" && kind.flags.startsWith("w") && !kind.flags.includes("x")) parts.push(content(target, "write"));
    return;
  }
  parts.push(target.kind === "file" ? content(target, "read") : listing(target, "read"));
}

function entry(directory: Inode, name: string, access: Part["access"]): Part {
  return { name: `${directory.id}/${name}`, access };
}

/** Two that add to a listing, or take from it, may change places; one that reads it may not. */
function listing(directory: Inode, access: Part["access"]): Part {
  return { name: `${directory.id}/`, access };
}

function content(file: Inode, access: Part["access"]): Part {
  return { name: String(file.id), access };
}
