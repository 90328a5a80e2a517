import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IMPORT_TABLE, type ImportRow, TEST_LIBRARIES } from "./import-table.ts";
import { entryOf, type FoundImport, importsIn, importsOf, isTestFile, loadedAtOnce, resolveRelative, sourceFiles } from "./imports.ts";
import { ROOT } from "../root.ts";

const ENTRIES = IMPORT_TABLE.map((row) => row.entry);

describe("the import table", () => {
  it("allows every import in the tree", () => {
    const files = ["packages", "incidents", "template"].flatMap((folder) => sourceFiles(ROOT, folder));
    const found = files.flatMap((file) => importsOf(ROOT, file));
    // A zero is worth nothing without the population it was taken from.
    expect(files.length).toBeGreaterThan(40);
    expect(found.length).toBeGreaterThan(100);
    expect(found.flatMap((item) => complaint(item) ?? [])).toEqual([]);
  });

  it("names file, import and row when one is not allowed", () => {
    expect(complaint({ file: "packages/ports/src/clock.ts", specifier: "@casebook/sim", kind: "static" })).toBe(
      'packages/ports/src/clock.ts imports "@casebook/sim" (sim); the row of ports allows nothing of ours. See packages/cli/src/house/import-table.ts',
    );
    expect(complaint({ file: "packages/sim/src/clock.ts", specifier: "node:fs", kind: "static" })).toBe(
      'packages/sim/src/clock.ts imports "node:fs"; the row of sim allows the libraries memfs, @sinonjs/fake-timers. See packages/cli/src/house/import-table.ts',
    );
    expect(complaint({ file: "packages/verdict/src/index.ts", specifier: "zod", kind: "static" })).toBe(
      'packages/verdict/src/index.ts imports "zod"; the row of verdict allows no library, and zod only behind an await import(). See packages/cli/src/house/import-table.ts',
    );
    expect(complaint({ file: "incidents/002-b/repro.ts", specifier: "../001-a/repro.ts", kind: "static" })).toBe(
      'incidents/002-b/repro.ts imports "../001-a/repro.ts"; a case never imports another case',
    );
    expect(complaint({ file: "packages/registry/src/judge/a.ts", specifier: "../read.ts", kind: "static" })).toBe(
      'packages/registry/src/judge/a.ts imports "../read.ts" (registry); the row of registry/judge allows nothing of ours. See packages/cli/src/house/import-table.ts',
    );
  });

  it("reads static, bare, type and lazy imports, and no comment", () => {
    const text = [
      'import { a } from "one";',
      'import "two";',
      'export type * from "three";',
      "import {",
      "  type b,",
      '} from "four";',
      'const c = await import("five");',
      '// import "six";',
      '/* import "seven"; */',
    ].join("\n");
    expect(importsIn(text)).toEqual([
      { specifier: "one", kind: "static" },
      { specifier: "three", kind: "type" },
      { specifier: "four", kind: "static" },
      { specifier: "two", kind: "static" },
      { specifier: "five", kind: "lazy" },
    ]);
  });

  it("has a row for every entry point of every package, and no other", () => {
    const actual = readdirSync(join(ROOT, "packages")).flatMap((folder) =>
      Object.keys(manifestOf(`packages/${folder}`).exports ?? {})
        .filter((key) => !key.endsWith(".json"))
        .map((key) => (key === "." ? folder : `${folder}${key.slice(1)}`)),
    );
    expect([...actual, "cli", "conformance/examples", "incidents"].toSorted()).toEqual([...ENTRIES].toSorted());
  });

  it("declares in each package.json what its files import, and nothing they do not", () => {
    expect([...readdirSync(join(ROOT, "packages")).map((folder) => `packages/${folder}`), "incidents"].flatMap((folder) => undeclared(folder))).toEqual([]);
    // What the template imports has to resolve for its copies as well.
    expect(undeclared("incidents", [...sourceFiles(ROOT, "incidents"), ...sourceFiles(ROOT, "template")])).toEqual([]);
  });
});

/** What is wrong with an import, or undefined. */
function complaint(found: FoundImport): string | undefined {
  const entry = entryOf(found.file, ENTRIES);
  const row = IMPORT_TABLE.find((candidate) => candidate.entry === entry);
  if (row === undefined) return `${found.file} stands in no entry point of the import table`;
  const target = targetOf(found);
  const where = "See packages/cli/src/house/import-table.ts";
  if (target === undefined) {
    if (isTestFile(found.file) && TEST_LIBRARIES.some((allowed) => matches(allowed, found.specifier))) return undefined;
    if (row.libraries.some((allowed) => matches(allowed, found.specifier))) return undefined;
    if (row.lazily?.includes(found.specifier) === true && !loadsWithEntry(found)) return undefined;
    return `${found.file} imports "${found.specifier}"; the row of ${row.entry} allows ${librariesOf(row)}. ${where}`;
  }
  if (entry === "incidents" && target === "incidents") {
    const other = caseFolderOf(resolveRelative(found.file, found.specifier)) !== caseFolderOf(found.file);
    return other ? `${found.file} imports "${found.specifier}"; a case never imports another case` : undefined;
  }
  if (target === row.entry || row.ours.includes(target) || isTestFile(found.file)) return undefined;
  const allowed = row.ours.length === 0 ? "nothing of ours" : row.ours.join(", ");
  return `${found.file} imports "${found.specifier}" (${target}); the row of ${row.entry} allows ${allowed}. ${where}`;
}

function caseFolderOf(file: string): string {
  return file.startsWith("template/") ? "template" : (file.split("/")[1] ?? "");
}

/** Whether a library is loaded together with the entry point that its importer stands in. */
function loadsWithEntry({ file, kind }: FoundImport): boolean {
  if (kind !== "static") return false;
  const folder = (entryOf(file, ENTRIES) ?? "").split("/");
  const entryFile = ["packages", folder[0], "src", ...folder.slice(1), folder[0] === "cli" ? "main.ts" : "index.ts"].join("/");
  return loadedAtOnce(ROOT, entryFile).has(file);
}

/** The entry point of ours that an import reaches; undefined for a library. */
function targetOf({ file, specifier }: FoundImport): string | undefined {
  if (specifier.startsWith(".")) return entryOf(resolveRelative(file, specifier), ENTRIES) ?? "outside";
  if (specifier.startsWith("@casebook/")) return specifier.slice("@casebook/".length);
  return undefined;
}

function matches(allowed: string, specifier: string): boolean {
  if (allowed === "node:") return specifier.startsWith("node:");
  return specifier === allowed || specifier.startsWith(`${allowed}/`);
}

function librariesOf(row: ImportRow): string {
  const eagerly = row.libraries.length === 0 ? "no library" : `the libraries ${row.libraries.join(", ")}`;
  return row.lazily === undefined ? eagerly : `${eagerly}, and ${row.lazily.join(", ")} only behind an await import()`;
}

interface Manifest {
  readonly name: string;
  readonly exports?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
}

function undeclared(folder: string, files: readonly string[] = sourceFiles(ROOT, folder)): string[] {
  const manifest = manifestOf(folder);
  const runtime = { ...manifest.dependencies, ...manifest.peerDependencies };
  const inRoot = ["vitest"]; // the root brings the test runner for everybody
  const imports = files.flatMap((file) => importsOf(ROOT, file));
  const used = new Set<string>();
  const missing = imports.flatMap(({ file, specifier }) => {
    const name = packageName(specifier);
    if (name === undefined || name === manifest.name) return [];
    used.add(name);
    const inDevelopment = isTestFile(file) ? name in (manifest.devDependencies ?? {}) || inRoot.includes(name) : BUNDLED.includes(folder) && name in (manifest.devDependencies ?? {});
    const declared = name in runtime || inDevelopment;
    return declared ? [] : [`${file} imports ${name}, which ${folder}/package.json does not declare`];
  });
  const idle = BUNDLED.includes(folder) ? [] : Object.keys(runtime).filter((name) => !used.has(name));
  return [...missing, ...idle.map((name) => `${folder}/package.json declares ${name}, which no file imports`)];
}

/**
 * What its files import is bundled into it, or serves a clone only, and may stand in its devDependencies; what the bundle imports
 * is compared with its dependencies in `packed/bundle.test.ts`.
 */
const BUNDLED: readonly string[] = ["packages/cli", "packages/conformance"];

function packageName(specifier: string): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return undefined;
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
