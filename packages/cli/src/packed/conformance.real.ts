/** `@casebook/conformance` in somebody else's project: what its page shows, typed there, from the tarball. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, inject, it, type TestContext } from "vitest";
import { fences } from "../house/markdown.ts";
import { ROOT } from "../root.ts";
import { runAlone, usable } from "./packed-copy.fixture.ts";

const KIT = join(ROOT, "packages", "conformance");
const page = fences(readFileSync(join(KIT, "README.md"), "utf8"));
const block = (wanted: string): string => page.find(({ name }) => name === wanted)?.text ?? "";
const TSX = ["--import", pathToFileURL(join(ROOT, "node_modules", "tsx", "dist", "esm", "index.mjs")).href];

/** A folder of the foreign project, in which the page was followed. */
function followed(context: TestContext): string {
  const folder = join(usable(inject("packed"), context).foreign, "kit");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "in-memory.ts"), block("in-memory"));
  for (const name of ["judge", "judge-supervisor", "program", "receipt-program"]) writeFileSync(join(folder, `${name}.ts`), block(name));
  writeFileSync(join(folder, "mine.test.ts"), block("vitest"));
  for (const name of ["json_lines.py", "receipt_lines.py", "supervisor.ts"]) cpSync(join(KIT, "examples", name), join(folder, name));
  return folder;
}

describe("the conformance kit from its tarball", () => {
  it("judges the dispatcher of its page as the page says", async (context) => {
    expect(await runAlone({ command: process.execPath, words: [...TSX, "judge.ts"], cwd: followed(context) })).toEqual({ exitCode: 0, stdout: block("judged"), stderr: "" });
  });

  it("judges the supervisor of its examples as the page says", async (context) => {
    expect(await runAlone({ command: process.execPath, words: [...TSX, "judge-supervisor.ts"], cwd: followed(context) })).toEqual({ exitCode: 0, stdout: block("supervisor-judged"), stderr: "" });
  });

  it("defines a test for each rule in a suite of vitest", async (context) => {
    const { exitCode, stdout } = await runAlone({ command: "npx", words: ["--offline", "vitest", "run", "--root", "kit", "--reporter=verbose"], cwd: join(followed(context), "..") });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("F09 required: A crash at any step, between intent and session too, starts nothing twice and leaves nothing out.");
    expect(stdout).toMatch(/14 passed \| 49 skipped/);
  });

  it.for([
    ["program", 49, "C01"],
    ["receipt-program", 12, "RC01"],
  ] as const)("says of %s what there is no verdict about when there is no Python", async ([name, planned, rule], context) => {
    const folder = followed(context);
    writeFileSync(join(folder, "no-program.ts"), block(name).replace('"python3"', '"no-such-python"'));
    const { exitCode, stdout, stderr } = await runAlone({ command: process.execPath, words: [...TSX, "no-program.ts"], cwd: folder });
    expect([exitCode, stderr]).toEqual([3, ""]);
    expect(stdout).toContain(`planned ${planned}, passed 0, failed 0, not run ${planned}`);
    expect(stdout).toContain(`${rule}: NOT RUN (missing-dependency) ADAPTER_CHILD_MISSING: no-such-python could not be started: ENOENT. Install it, or name another command.`);
  });

  it.for(["node16", "bundler"])("has types that resolve under moduleResolution %s", async (moduleResolution, context) => {
    const folder = followed(context);
    const compilerOptions = { module: moduleResolution === "bundler" ? "esnext" : moduleResolution, moduleResolution, target: "es2022", lib: ["es2023"], strict: true, noEmit: true, allowImportingTsExtensions: true, types: [], skipLibCheck: true };
    writeFileSync(join(folder, "wrong.ts"), `import { inMemory } from "./in-memory.ts";\nimport { runConformance } from "@casebook/conformance/node";\nvoid runConformance(inMemory, { only: ["F09"] });\n// @ts-expect-error no such capability\nvoid runConformance({ ...inMemory, capabilities: ["fast"] });\n`);
    // What memfs declares needs the types of Node, which are not our business; what we declare has to resolve.
    writeFileSync(join(folder, `tsconfig.${moduleResolution}.json`), JSON.stringify({ compilerOptions, files: ["in-memory.ts", "supervisor.ts", "wrong.ts", "mine.test.ts"] }));
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    expect(await runAlone({ command: process.execPath, words: [tsc, "-p", `tsconfig.${moduleResolution}.json`], cwd: folder })).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });
});
