/**
 * Reads lifecycle folders. The same files give the same reading, byte for byte, in whatever order they were listed: conflicts are
 * kept and named, and nobody wins by coming last. Says nothing about who is right.
 */
import { FOLDERS, type Folder, isFolder, LIFECYCLE } from "./lifecycle.ts";
import { objectName } from "./object-name.ts";
import { type LifecycleObject, type ObjectProblem, readObject } from "./object.ts";
import { byText } from "./text.ts";

/** A file of the tree: path below the root with `/` between names, and what is in it. */
export interface TreeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface Source {
  readonly path: string;
  readonly folder: Folder;
  readonly object: LifecycleObject;
}

export interface Conflict {
  /**
   * `two-locations`: one id in several folders. `two-sources`: several files, or texts, declare one id. `ids-differ-in-case`:
   * what one file system keeps apart is one to another.
   */
  readonly kind: "two-locations" | "two-sources" | "ids-differ-in-case";
  readonly id: string;
  readonly paths: readonly string[];
}

export interface ReadingProblem {
  readonly code: ObjectProblem | "NOT_AN_OBJECT" | "LEFTOVER" | "FOLDER_UNKNOWN" | "FOLDER_MISSING" | "MIXED_TOPOLOGY";
  readonly path: string;
  readonly says: string;
}

export interface LifecycleReading {
  /** Sorted by id, then by path. */
  readonly sources: readonly Source[];
  /** Sorted by id, then by kind. */
  readonly conflicts: readonly Conflict[];
  /** Sorted by path. */
  readonly problems: readonly ReadingProblem[];
}

/**
 * Files outside of the lifecycle folders are passed over. `keeps`: what is done with a conflict; see the policies. `names`: whether the
 * name of a file says what its header leaves out, as in folders that others write.
 */
export function readLifecycle(files: readonly TreeFile[], keeps: "conflicts" | "last-listed" = "conflicts", names: "pass" | "count" = "pass"): LifecycleReading {
  const sources: Source[] = [];
  const problems: ReadingProblem[] = [];
  for (const { path, bytes } of files) {
    const parts = path.split("/");
    if (parts[0] === "tasks" || parts[0] === "log") {
      problems.push({ code: "MIXED_TOPOLOGY", path, says: `${parts[0]}/ is the old layout; beside ${LIFECYCLE}/ nobody can say which counts` });
      continue;
    }
    if (parts[0] !== LIFECYCLE) continue;
    const [, folder = "", name = ""] = parts;
    if (parts.length !== 3 || !isFolder(folder)) {
      problems.push({ code: "FOLDER_UNKNOWN", path, says: `only ${FOLDERS.join(", ")} hold objects` });
    } else if (name.endsWith(".tmp")) {
      problems.push({ code: "LEFTOVER", path, says: "a temporary file; its writer is at work, or died" });
    } else if (!name.endsWith(".md")) {
      problems.push({ code: "NOT_AN_OBJECT", path, says: "the name does not end with .md" });
    } else {
      const read = readObject(bytes, names === "count" ? objectName(name) : undefined);
      if (read.outcome === "object") sources.push({ path, folder, object: read.object });
      else problems.push({ code: read.code, path, says: read.says });
    }
  }
  if (keeps === "last-listed") return { sources: lastOfEach(sources), conflicts: [], problems };
  return {
    sources: sources.toSorted((one, other) => byText(one.object.id, other.object.id) || byText(one.path, other.path)),
    conflicts: conflictsOf(sources),
    problems: problems.toSorted((one, other) => byText(one.path, other.path) || byText(one.code, other.code)),
  };
}

export type Found =
  | { readonly found: "one"; readonly source: Source }
  | { readonly found: "conflict"; readonly conflicts: readonly Conflict[] }
  | { readonly found: "none" };

/** A conflict stops the id that it is about, and no other. */
export function findObject({ sources, conflicts }: LifecycleReading, id: string): Found {
  const own = conflicts.filter((conflict) => conflict.id === id);
  if (own.length > 0) return { found: "conflict", conflicts: own };
  const source = sources.find(({ object }) => object.id === id);
  return source === undefined ? { found: "none" } : { found: "one", source };
}

/** Canonical: what two readings of one tree are compared by. */
export function readingText(reading: LifecycleReading): string {
  return `${JSON.stringify(reading, undefined, 1)}\n`;
}

function conflictsOf(sources: readonly Source[]): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [id, own] of grouped(sources, ({ object }) => object.id)) {
    const paths = own.map(({ path }) => path).toSorted(byText);
    const folders = new Set(own.map(({ folder }) => folder));
    const texts = new Set(own.map(({ object }) => object.revision));
    const names = new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)));
    if (folders.size > 1) conflicts.push({ kind: "two-locations", id, paths });
    if (texts.size > 1 || names.size > 1) conflicts.push({ kind: "two-sources", id, paths });
  }
  for (const own of grouped(sources, ({ object }) => object.id.toLowerCase()).values()) {
    const ids = new Set(own.map(({ object }) => object.id));
    const paths = own.map(({ path }) => path).toSorted(byText);
    if (ids.size > 1) for (const id of ids) conflicts.push({ kind: "ids-differ-in-case", id, paths });
  }
  return conflicts.toSorted((one, other) => byText(one.id, other.id) || byText(one.kind, other.kind));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** What a reader does that keeps a map from id to path: the last in the listing wins. */
function lastOfEach(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((source) => [source.object.id, source])).values()];
}
