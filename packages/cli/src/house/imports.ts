/**
 * Reads the imports of every source file. By pattern over comment-free text: enough for a tree that the
 * compiler has already accepted, and it needs no parser.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export interface FoundImport {
  /** Path from the root, with `/`. */
  readonly file: string;
  /** As written: `../judge/index.ts`, `@casebook/ports/node`, `node:fs`. */
  readonly specifier: string;
  readonly lazy: boolean;
}

const SKIPPED = new Set(["node_modules", "dist", ".git", "coverage"]);
const STATIC = /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*["']([^"']+)["']/gm;
const BARE = /^\s*import\s*["']([^"']+)["']/gm;
const LAZY = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Every `.ts` file below `folder`, sorted. */
export function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourceFiles(root, path);
      return entry.name.endsWith(".ts") ? [path.split(sep).join("/")] : [];
    })
    .toSorted();
}

export function importsOf(root: string, file: string): FoundImport[] {
  return importsIn(readFileSync(join(root, file), "utf8")).map((found) => ({ file, ...found }));
}

export function importsIn(text: string): Omit<FoundImport, "file">[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const all = (pattern: RegExp, lazy: boolean) =>
    [...code.matchAll(pattern)].map((match) => ({ specifier: match[1] ?? "", lazy }));
  return [...all(STATIC, false), ...all(BARE, false), ...all(LAZY, true)];
}

/** `packages/ports/src/node/clock.ts` is in `ports/node`; `incidents/001-x/repro.ts` is in `incidents`. */
export function entryOf(file: string, entries: readonly string[]): string | undefined {
  if (file.startsWith("incidents/")) return "incidents";
  const [, folder, src, inner] = file.split("/");
  if (folder === undefined || src !== "src") return undefined;
  const nested = `${folder}/${inner ?? ""}`;
  return entries.includes(nested) ? nested : folder;
}

/** Where a relative import leads, as a path from the root. */
export function resolveRelative(file: string, specifier: string): string {
  return relative(".", join(file, "..", specifier)).split(sep).join("/");
}
