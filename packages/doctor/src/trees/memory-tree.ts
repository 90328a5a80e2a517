/**
 * A tree from a record of paths, for fixtures. Folders come from the paths; a path that ends in `/` is a folder of its own.
 * Has what a disk can do to a reader: links, things that are no files, entries that refuse. Leaves out change: see the
 * tests' wrappers for trees that move while they are read.
 */
import type { Tree, TreeEntry, TreeKind, TreeStat } from "../tree.ts";
import { TreeError } from "./tree-error.ts";
import { baseName, parentOf, plainPath } from "./tree-path.ts";

/** Text is UTF-8. */
export type FixtureContent = string | Uint8Array;

export type FixtureEntry =
  | FixtureContent
  | { readonly content: FixtureContent; readonly modifiedAtMs?: number; readonly bornAtMs?: number }
  | { readonly link: string }
  | { readonly other: "fifo" | "device" | "socket" }
  /** There, but opening or listing it rejects with this POSIX code. */
  | { readonly refuses: string; readonly kind: "file" | "directory" };

/** When a fixture does not say: 2026-09-01T00:00:00Z. */
export const FIXTURE_TIME_MS = 1_788_220_800_000;

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

interface Node {
  readonly stat: TreeStat;
  readonly bytes: Uint8Array;
  readonly refuses: string | undefined;
  readonly names: Set<string>;
}

/** Throws for two entries that cannot both be there, such as `/a` as a file and `/a/b`. */
export function memoryTree(entries: Readonly<Record<string, FixtureEntry>>): Tree {
  const nodes = new Map<string, Node>([["/", directory(undefined)]]);
  for (const [written, entry] of Object.entries(entries)) plant(nodes, plainPath(written), nodeOf(written, entry));
  return {
    list: async (path) => {
      const node = find(nodes, "list", path);
      if (node.stat.kind !== "directory") throw new TreeError("ENOTDIR", "list", path);
      if (node.refuses !== undefined) throw new TreeError(node.refuses, "list", path);
      return [...node.names].map((name): TreeEntry => {
        const child = nodes.get(plainPath(`${path}/${name}`)) as Node;
        return { name, kind: child.stat.kind };
      });
    },
    stat: async (path) => find(nodes, "stat", path).stat,
    readRange: async (path, offset, length) => {
      const node = find(nodes, "read", path);
      const { kind } = node.stat;
      if (kind !== "file") throw new TreeError(CODES[kind], "read", path);
      if (node.refuses !== undefined) throw new TreeError(node.refuses, "read", path);
      return node.bytes.slice(offset, offset + length);
    },
  };
}

/** What a disk answers to someone who wants to read bytes from it without following links. */
const CODES: Readonly<Record<Exclude<TreeKind, "file">, string>> = { directory: "EISDIR", link: "ELOOP", other: "EINVAL" };

function plant(nodes: Map<string, Node>, path: string, node: Node): void {
  if (path === "/") {
    nodes.set("/", node);
    return;
  }
  const there = nodes.get(path);
  if (there !== undefined && (there.stat.kind !== "directory" || node.stat.kind !== "directory")) {
    throw new TypeError(`memoryTree: ${path} is given twice. Give each path once.`);
  }
  const parent = parentOf(path);
  if (!nodes.has(parent)) plant(nodes, parent, directory(undefined));
  const folder = nodes.get(parent) as Node;
  if (folder.stat.kind !== "directory") {
    throw new TypeError(`memoryTree: ${path} is below ${parent}, which is no folder. Leave one of them out.`);
  }
  folder.names.add(baseName(path));
  // The names of a folder that is first met as somebody's parent stay when it is given itself.
  nodes.set(path, there === undefined ? node : { ...node, names: there.names });
}

function nodeOf(written: string, entry: FixtureEntry): Node {
  if (typeof entry === "string") {
    return written.endsWith("/") ? directory(undefined) : file({ content: entry });
  }
  if (entry instanceof Uint8Array) return file({ content: entry });
  if ("content" in entry) return file(entry);
  if ("link" in entry) return special("link");
  if ("other" in entry) return special("other");
  return entry.kind === "directory" ? directory(entry.refuses) : { ...file({ content: "" }), refuses: entry.refuses };
}

function file(entry: { content: FixtureContent; modifiedAtMs?: number; bornAtMs?: number }): Node {
  const bytes = typeof entry.content === "string" ? new TextEncoder().encode(entry.content) : entry.content;
  const modifiedAtMs = entry.modifiedAtMs ?? FIXTURE_TIME_MS;
  return {
    stat: { kind: "file", size: bytes.length, modifiedAtMs, bornAtMs: entry.bornAtMs },
    bytes,
    refuses: undefined,
    names: new Set(),
  };
}

function directory(refuses: string | undefined): Node {
  return { ...special("directory"), refuses };
}

function special(kind: TreeKind): Node {
  return {
    stat: { kind, size: 0, modifiedAtMs: FIXTURE_TIME_MS, bornAtMs: undefined },
    bytes: new Uint8Array(0),
    refuses: undefined,
    names: new Set(),
  };
}

function find(nodes: ReadonlyMap<string, Node>, operation: string, path: string): Node {
  const plain = plainPath(path);
  const node = nodes.get(plain);
  if (node !== undefined) return node;
  // As on a disk: below something that is no folder there is nothing to look for, and a folder that refuses hides all.
  for (let above = parentOf(plain); ; above = parentOf(above)) {
    const standing = nodes.get(above);
    if (standing?.refuses !== undefined) throw new TreeError(standing.refuses, operation, path);
    if (standing !== undefined) throw new TreeError(standing.stat.kind === "directory" ? "ENOENT" : "ENOTDIR", operation, path);
  }
}
