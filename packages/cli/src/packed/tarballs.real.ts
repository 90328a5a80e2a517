/** What is in the four tarballs, as npm unpacked them, and what two outside judges of packages say. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it, type TestContext } from "vitest";
import { privateData } from "../house/private-data.ts";
import { ROOT } from "../root.ts";
import { type PackedCopy, PUBLISHED, runAlone, usable } from "./packed-copy.fixture.ts";

type Name = (typeof PUBLISHED)[number];

/** In bytes, unpacked. Raised only by whoever looked at what grew: to 1.1 MB for the search, its commands and two
 * cases; to 2 MB for eleven cases with the models that they play (receipts, dispatcher, supervisor), and the guards for twenty more. The kit: to 750 kB
 * for what dispatchers are told, programs that take several calls, and supervisors. */
const BUDGET: Readonly<Record<Name, number>> = { casebook: 2_000_000, "@casebook/conformance": 750_000, "@casebook/guards": 230_000, "@casebook/verdict": 150_000 };

function folderOf(name: Name, { stranger, foreign }: PackedCopy): string {
  return join(name === "casebook" ? stranger : foreign, "node_modules", name);
}

function filesOf(name: Name, context: TestContext): { path: string; full: string }[] {
  const folder = folderOf(name, usable(inject("packed"), context));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((full) => ({ full, path: full.slice(folder.length + 1).replaceAll("\\", "/") }));
}

describe.each(PUBLISHED)("the tarball of %s", (name) => {
  it("holds its manifest, its page, the licence and what was built, and nothing else", (context) => {
    const files = filesOf(name, context).map(({ path }) => path);
    expect(files.filter((path) => !/^(?:dist|schema)\//.test(path))).toEqual(["LICENSE", "README.md", "package.json"]);
    // No sources, no tests: a declaration is the only TypeScript.
    expect(files.filter((path) => (path.endsWith(".ts") && !path.endsWith(".d.ts")) || /\.(?:test|fixture|real|soak)\./.test(path))).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
  });

  it("needs nothing from a workspace, leads to no address that is not there, and runs on Node 20.19", (context) => {
    const { foreign: _foreign, ...packed } = usable(inject("packed"), context);
    const text = readFileSync(join(folderOf(name, { foreign: _foreign, ...packed }), "package.json"), "utf8");
    const manifest = JSON.parse(text) as Record<string, unknown>;
    expect(text).not.toContain("workspace:");
    expect(manifest["engines"]).toEqual({ node: ">=20.19" });
    expect(manifest["license"]).toBe("MIT");
    expect(manifest["keywords"]).toEqual((manifest["keywords"] as string[]).toSorted());
    // A page is only known when the repository is; then one place says it.
    expect(["bugs", "homepage"].filter((field) => field in manifest)).toEqual([]);
    for (const field of ["dependencies", "peerDependencies"]) {
      const names = Object.keys((manifest[field] ?? {}) as object);
      expect(names).toEqual(names.toSorted());
      expect(names.filter((one) => one.startsWith("@casebook/"))).toEqual([]);
    }
  });

  it("says nothing of the machine that packed it, nor of its person", (context) => {
    const here = [ROOT.replace(/[/\\]$/, ""), homedir(), hostname()].filter((word) => word.length > 5);
    const found = filesOf(name, context).flatMap(({ path, full }) => {
      const text = readFileSync(full, "utf8");
      return [...here.filter((word) => text.includes(word)).map((word) => `${path} says ${word}`), ...(/\/\.pnpm\//.test(text) ? [`${path} names a store of packages`] : [])];
    });
    expect(found).toEqual([]);
    const cases = filesOf(name, context).filter(({ path }) => path.startsWith("dist/cases/"));
    expect(cases.flatMap(({ path, full }) => privateData(path, readFileSync(full, "utf8")))).toEqual([]);
  });

  it("keeps to its size", (context) => {
    const sizes = filesOf(name, context).map(({ path, full }) => ({ path, bytes: statSync(full).size }));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    const biggest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 8).map(({ path, bytes }) => `${bytes} ${path}`);
    expect(total, `${total} bytes of ${BUDGET[name]}; the biggest:\n${biggest.join("\n")}`).toBeLessThanOrEqual(BUDGET[name]);
  });

  it.for([
    ["publint", "publint", ["--strict"]],
    ["are-the-types-wrong", "attw", ["--profile", "esm-only"]],
  ] as const)("has nothing that %s complains of", async ([, bin, words], context) => {
    const { tarballs, stranger } = usable(inject("packed"), context);
    const said = await runAlone({ command: join(ROOT, "node_modules", ".bin", bin), words: [...words, tarballs[name]], cwd: stranger });
    expect([said.exitCode, said.exitCode === 0 ? "" : `${said.stdout}${said.stderr}`]).toEqual([0, ""]);
    expect(said.stdout).toMatch(bin === "publint" ? /All good!/ : /🟢|does not contain types/);
  });
});
