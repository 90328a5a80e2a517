/** The bundle that `pnpm build` makes of the command line and the cases, made twice. Installing it is for the real tier. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bundle, bundle } from "../../../../scripts/pack/bundle.ts";
import { readCatalog } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8")) as Manifest;
const dependencies = manifestOf("cli").dependencies ?? {};
const folder = mkdtempSync(join(tmpdir(), "casebook-bundle-"));
const first = join(folder, "dist");
// Deeper, with a space and a letter outside ASCII in its path: where it is built must not show.
const second = join(folder, "Wo anders, für den Vergleich", "dist");
let built: Bundle;

beforeAll(async () => {
  built = await bundle(first);
  await bundle(second);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the bundle", () => {
  it("is the same, byte for byte, when it is made again in another folder", () => {
    const files = filesIn(first);
    expect(files.length).toBeGreaterThan(20);
    expect(filesIn(second)).toEqual(files);
    expect(files.filter((file) => !readFileSync(join(first, file)).equals(readFileSync(join(second, file))))).toEqual([]);
  });

  it("imports the libraries that package.json lists, and no other", () => {
    expect(built.libraries).toEqual(Object.keys(dependencies));
  });

  it("takes each library in the one exact version that the packages in it were tested with", () => {
    const others = readdirSync(join(ROOT, "packages")).filter((name) => name !== "cli").map(manifestOf);
    const elsewhere = Object.fromEntries(
      Object.entries(dependencies).map(([name, version]) => {
        const versions = others.flatMap((one) => one.dependencies?.[name] ?? one.devDependencies?.[name] ?? []);
        return [name, versions.length === 0 ? [version] : [...new Set(versions)]];
      }),
    );
    expect(elsewhere).toEqual(Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, [version]])));
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("holds every case with its repro, its page and its case.json, and nothing that needs sources", async () => {
    const { cases, planned } = await readCatalog(ROOT);
    const names = cases.map(({ number, slug }) => `${number}-${slug}`);
    expect(filesIn(join(first, "cases"))).toEqual(["catalog.json", ...names.flatMap((name) => ["README.md", "case.json", "repro.js"].map((file) => `${name}/${file}`))].toSorted());
    const packed = JSON.parse(readFileSync(join(first, "cases", "catalog.json"), "utf8")) as object;
    expect(packed).toEqual({ planned, unreadable: [], cases: cases.map((item, index) => ({ ...item, folder: `dist/cases/${names[index]}` })) });
    expect(filesIn(first).filter((file) => /\.ts$|\.map$|test/.test(file.replace("self-test", "")))).toEqual([]);
  });
});

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1).replaceAll("\\", "/"))
    .toSorted();
}
