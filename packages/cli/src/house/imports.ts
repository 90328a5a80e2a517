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
  /** `type` imports are erased; `lazy` ones load when they are reached. */
  readonly kind: "static" | "type" | "lazy";
}

const SKIPPED = new Set(["node_modules", "dist", ".git", "coverage"]);
const STATIC = /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*["']([^"']+)["']/gm;
const BARE = /^\s*import\s*["']([^"']+)["']/gm;
// Not on a line that begins with a quote or a bracket: there it is text about an import, in a test.
const LAZY = /^(?!\s*[["'`]).*\bimport\(\s*["']([^"']+)["']\s*\)/gm;
const TYPE_ONLY = /^\s*(?:import|export)\s+type\b/;

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
  const text = readFileSync(join(root, file), "utf8");
  // Tests write whole files as template literals; what those import is not what the test imports.
  const own = isTestFile(file) ? text.replace(/`[^`]*`/g, "``") : text;
  return importsIn(own).map((found) => ({ file, ...found }));
}

/** Tests, benchmarks, and what only they use: `fixture` files and a package's `test` folder. */
export function isTestFile(file: string): boolean {
  return /\.(test|bench|real|soak|fixture)\.ts$/.test(file) || /^packages\/[^/]+\/test\//.test(file);
}

export function importsIn(text: string): Omit<FoundImport, "file">[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const all = (pattern: RegExp, kind: "static" | "lazy") =>
    [...code.matchAll(pattern)].map((match) => ({
      specifier: match[1] ?? "",
      kind: TYPE_ONLY.test(match[0]) ? ("type" as const) : kind,
    }));
  return [...all(STATIC, "static"), ...all(BARE, "static"), ...all(LAZY, "lazy")];
}

/** The files that are loaded as soon as `entryFile` is: along static imports, relative ones only. */
export function loadedAtOnce(root: string, entryFile: string): Set<string> {
  const loaded = new Set<string>();
  const open = [entryFile];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const { specifier, kind } of importsOf(root, file)) {
      if (kind === "static" && specifier.startsWith(".")) open.push(resolveRelative(file, specifier));
    }
  }
  return loaded;
}

/** `packages/ports/src/node/clock.ts` is in `ports/node`; `incidents/001-x/repro.ts` is in `incidents`; a `test` folder is in its package. */
export function entryOf(file: string, entries: readonly string[]): string | undefined {
  // The template becomes a case as soon as it is copied.
  if (file.startsWith("incidents/") || file.startsWith("template/")) return "incidents";
  const [, folder, src, inner] = file.split("/");
  // What a stranger copies knows the package by its name and nothing else.
  if (folder !== undefined && src === "examples") return `${folder}/examples`;
  if (folder === undefined || (src !== "src" && src !== "test")) return undefined;
  const nested = `${folder}/${inner ?? ""}`;
  return entries.includes(nested) ? nested : folder;
}

/** Where a relative import leads, as a path from the root. */
export function resolveRelative(file: string, specifier: string): string {
  return relative(".", join(file, "..", specifier)).split(sep).join("/");
}
