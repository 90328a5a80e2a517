/**
 * Finds what matches some patterns below some places, shallow folders first. Follows no link, so that a loop of them is
 * harmless and nothing outside a place is seen; stops at limits and names each that was hit; goes on past what it cannot list.
 */
import type { NotRead } from "../observation.ts";
import type { Glob } from "../preset.ts";
import type { Tree, TreeKind } from "../tree.ts";
import { joinPath, plainPath, segmentsOf } from "../trees/tree-path.ts";
import { isSpent, type Budget } from "./budget.ts";
import { advance, compileGlob, isNamedBy, matchOf, startOf, type CompiledGlob, type GlobState } from "./glob.ts";
import { notRead } from "./not-read.ts";
import { listSorted, lookAt, shortened } from "./walk-steps.ts";

/** Names looked at in one walk. A home with 20,000 sessions has about a tenth of it. */
export const MAX_WALK_ENTRIES = 200_000;

/** Folders below a place. Real layouts end at 8. */
export const MAX_WALK_DEPTH = 32;

/** Links that are named; the count goes on. */
export const MAX_LINKS_NAMED = 20;

export interface WalkOptions {
  readonly maxEntries?: number;
  readonly maxDepth?: number;
  readonly budget?: Budget;
  /**
   * `place`: patterns begin at the place. `anywhere`: they may begin at any folder above or below it, so that a place that is
   * the inner folder of a layout, or one of its files, is recognised too.
   */
  readonly globsFrom?: "place" | "anywhere";
  /** Names of folders that are not entered, such as `node_modules`. */
  readonly skip?: readonly string[];
}

export interface WalkedEntry {
  readonly path: string;
  readonly kind: TreeKind;
  /** The place it was found below, or is. */
  readonly place: string;
  /** For each pattern that it matches, what the single stars stood for. */
  readonly matches: ReadonlyMap<Glob, readonly string[]>;
}

export interface WalkedPlace {
  readonly path: string;
  readonly found: "folder" | "file" | "absent" | "unreadable" | "link" | "other";
  readonly message?: string;
}

export interface Walk {
  /** Files, folders, links and others that match, sorted by path, each once. */
  readonly found: readonly WalkedEntry[];
  readonly places: readonly WalkedPlace[];
  /** Folders that could not be listed, and links and other things that stand where a match could be. */
  readonly notRead: readonly NotRead[];
  /** Limits that were hit, in words, each with its number. */
  readonly capped: readonly string[];
  /** Names below each place that were looked at, also those that match nothing. */
  readonly below: ReadonlyMap<string, number>;
  readonly looked: { readonly entries: number; readonly folders: number; readonly links: number; readonly skipped: number };
}

interface Folder {
  readonly path: string;
  readonly place: string;
  readonly depth: number;
  /** How far each pattern has come on the way here. */
  readonly states: readonly (readonly GlobState[])[];
}

interface Search {
  readonly tree: Tree;
  readonly globs: readonly CompiledGlob[];
  readonly maxEntries: number;
  readonly maxDepth: number;
  readonly skip: ReadonlySet<string>;
  readonly queue: Folder[];
  readonly found: Map<string, WalkedEntry>;
  readonly notRead: NotRead[];
  /** By the limit's name: the first time it was hit. */
  readonly capped: Map<string, string>;
  readonly below: Map<string, number>;
  readonly looked: { entries: number; folders: number; links: number; skipped: number };
}

/** Never rejects for what a tree refuses. */
export async function walk(
  tree: Tree,
  places: readonly string[],
  globs: readonly Glob[],
  options: WalkOptions = {},
): Promise<Walk> {
  const anywhere = options.globsFrom === "anywhere";
  const search: Search = {
    tree,
    globs: globs.map((glob) => ({ glob, parts: compileGlob(anywhere ? `**/${glob}` : glob).parts })),
    maxEntries: options.maxEntries ?? MAX_WALK_ENTRIES,
    maxDepth: options.maxDepth ?? MAX_WALK_DEPTH,
    skip: new Set(options.skip ?? []),
    queue: [],
    found: new Map(),
    notRead: [],
    capped: new Map(),
    below: new Map(),
    looked: { entries: 0, folders: 0, links: 0, skipped: 0 },
  };
  const walked: WalkedPlace[] = [];
  for (const place of new Set(places.map(plainPath))) walked.push(await begin(search, place, anywhere));

  // Shallow first: what a limit cuts off is then the deepest, and not whatever the alphabet puts last.
  for (let next = 0; next < search.queue.length; next += 1) {
    const folder = search.queue[next] as Folder;
    const left = `${search.queue.length - next} folder(s) not listed, the next is ${folder.path}`;
    if (isSpent(options.budget)) search.capped.set("time", `time: ${left}`);
    else if (search.looked.entries >= search.maxEntries) search.capped.set("entries", entriesCap(search, left));
    else await enter(search, folder);
    if (search.capped.has("time") || search.capped.has("entries")) break;
  }

  const { found, notRead: missed, capped, below, looked } = search;
  return {
    found: [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
    places: walked,
    notRead: shortened(missed, MAX_LINKS_NAMED),
    capped: [...capped.values()],
    below,
    looked,
  };
}

async function begin(search: Search, place: string, anywhere: boolean): Promise<WalkedPlace> {
  const above = anywhere ? segmentsOf(place) : [];
  const states = search.globs.map((glob) => above.reduce((at, name) => advance(glob, at, name), startOf(glob)));
  const answer = await lookAt(search.tree, place);
  if (answer.notRead !== undefined) search.notRead.push(answer.notRead);
  if (answer.kind === undefined) return answer.place;
  if (anywhere) keep(search, { path: place, kind: answer.kind, place }, states);
  if (answer.kind === "directory") search.queue.push({ path: place, place, depth: 0, states });
  return answer.place;
}

async function enter(search: Search, folder: Folder): Promise<void> {
  const { looked } = search;
  const entries = await listSorted(search.tree, folder.path, search.notRead);
  looked.folders += 1;
  for (const { name, kind } of entries) {
    if (looked.entries >= search.maxEntries) {
      search.capped.set("entries", entriesCap(search, `the rest of ${folder.path} was not`));
      return;
    }
    looked.entries += 1;
    search.below.set(folder.place, (search.below.get(folder.place) ?? 0) + 1);
    const states = search.globs.map((glob, index) => advance(glob, folder.states[index] ?? [], name));
    const path = joinPath(folder.path, name);
    keep(search, { path, kind, place: folder.place }, states);
    if (kind === "link" || kind === "other") leave(search, folder, path, name, kind);
    if (kind !== "directory" || states.every((at) => at.length === 0)) continue;
    const depth = folder.depth + 1;
    if (search.skip.has(name)) looked.skipped += 1;
    else if (depth < search.maxDepth) search.queue.push({ path, place: folder.place, depth, states });
    else if (!search.capped.has("depth")) {
      search.capped.set("depth", `depth: nothing below ${search.maxDepth} folders was listed, first left out: ${path}`);
    }
  }
}

function entriesCap(search: Search, what: string): string {
  return `entries: ${search.maxEntries} looked at, ${what}`;
}

function keep(
  search: Search,
  entry: Omit<WalkedEntry, "matches">,
  states: readonly (readonly GlobState[])[],
): void {
  const matches = new Map<Glob, readonly string[]>(search.found.get(entry.path)?.matches);
  search.globs.forEach((glob, index) => {
    const captures = matchOf(glob, states[index] ?? []);
    if (captures !== undefined) matches.set(glob.glob, captures);
  });
  if (matches.size > 0) search.found.set(entry.path, { ...entry, matches });
}

/** A link or a pipe is said to be unread where a pattern would have it, not wherever one lies about. */
function leave(search: Search, folder: Folder, path: string, name: string, kind: "link" | "other"): void {
  if (kind === "link") search.looked.links += 1;
  if (!search.globs.some((glob, index) => isNamedBy(glob, folder.states[index] ?? [], name))) return;
  const what = kind === "link" ? "a link, and links are not followed" : "neither a file nor a folder";
  search.notRead.push(notRead(path, "unsupported", `${path} is ${what}`));
}
