/** `@casebook/guards` and `@casebook/verdict` in somebody else's project, which knows nothing of this tree. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, inject, it, type TestContext } from "vitest";
import { ROOT } from "../root.ts";
import { fences } from "../house/markdown.ts";
import { runAlone, type Said, usable } from "./packed-copy.fixture.ts";

function write(context: TestContext, files: Readonly<Record<string, string>>): string {
  const { foreign } = usable(inject("packed"), context);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(foreign, path, ".."), { recursive: true });
    writeFileSync(join(foreign, path), text);
  }
  return foreign;
}

const PORTABLE = `
import { type Finding, registryParity, slotLedger, slotMissed } from "@casebook/guards";
import { registryParity as again } from "@casebook/guards/registry";
import { slotDuplicate } from "@casebook/guards/slots";
import { createResultDocument, notRun, readResultDocument, type ResultDocument, writeJunit } from "@casebook/verdict";
import { EXIT, type ExitCode, exitCodeFor, type Tally } from "@casebook/verdict/words";

export const finding: Finding | undefined = registryParity({ onDisk: 7, loaded: 0, quarantined: 0 });
export const same: typeof finding = again({ onDisk: 7, loaded: 7, quarantined: 0 });
const { rows } = slotLedger({
  tasks: [], due: [], dueFromMs: 0, claims: [], artefacts: [], artefactsReachBackToMs: 0, awake: [],
  catchUp: { policy: "latest-once", lookBackMs: 0 }, windowFromMs: 0, windowToMs: 1, nowMs: 1,
});
export const asked: (Finding | undefined)[] = [slotMissed(rows), slotDuplicate(rows)];
// @ts-expect-error a population is a number
registryParity({ onDisk: "7", loaded: 0, quarantined: 0 });
const document: ResultDocument = createResultDocument({
  tool: { name: "mine", version: "1" }, selection: [],
  results: [{ id: "a", title: "a", ...notRun("missing-input", "no dump", {}) }],
});
// @ts-expect-error not a reason
notRun("missing-inptu", "no dump", {});
export const text: string = writeJunit(document);
const tally: Tally = document.tally;
export const code: ExitCode = tally.planned === 0 ? EXIT.usage : exitCodeFor(tally);
export const read = readResultDocument(text);
`;

const WITH_VITEST = `
import VerdictReporter, { type VerdictReporterOptions } from "@casebook/verdict/vitest";
const options: VerdictReporterOptions = { json: "out/results.json" };
export const reporter = new VerdictReporter(options);
// @ts-expect-error no such option
new VerdictReporter({ jsno: "out/results.json" });
`;

describe("the types of the libraries", () => {
  it.for(["node16", "bundler"])("resolve under moduleResolution %s, strictly, down to their own declarations", async (moduleResolution, context) => {
    const module = moduleResolution === "bundler" ? "esnext" : moduleResolution;
    const compilerOptions = { module, moduleResolution, target: "es2022", lib: ["es2023"], strict: true, noEmit: true, types: [] };
    // What vitest itself declares needs the types of Node, which are not our business; ours are checked without `skipLibCheck`.
    const folder = write(context, {
      "types/portable.ts": PORTABLE,
      "types/with-vitest.ts": WITH_VITEST,
      [`tsconfig.${moduleResolution}.json`]: JSON.stringify({ compilerOptions, files: ["types/portable.ts"] }),
      [`tsconfig.${moduleResolution}.vitest.json`]: JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ["types/with-vitest.ts"] }),
    });
    for (const config of [`tsconfig.${moduleResolution}.json`, `tsconfig.${moduleResolution}.vitest.json`]) {
      const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
      expect([config, await runAlone({ command: process.execPath, words: [tsc, "-p", config], cwd: folder })]).toEqual([config, { exitCode: 0, stdout: "", stderr: "" }]);
    }
  });
});

describe("the watchdog of the guards' page", () => {
  it("prints what the page shows", async (context) => {
    const page = fences(readFileSync(join(ROOT, "packages", "guards", "README.md"), "utf8"));
    const block = (language: string) => page.find((fence) => fence.language === language)?.text ?? "";
    const folder = write(context, { "watchdog.ts": block("ts") });
    const tsx = join(ROOT, "node_modules", "tsx", "dist", "esm", "index.mjs");
    expect(await runAlone({ command: process.execPath, words: ["--import", pathToFileURL(tsx).href, "watchdog.ts"], cwd: folder })).toEqual({ exitCode: 0, stdout: block("text"), stderr: "" });
  });
});

describe("the vitest reporter", () => {
  const vitest = (folder: string, ...words: string[]): Promise<Said> => runAlone({ command: "npx", words: ["--offline", "vitest", "run", ...words], cwd: folder });
  const IT = 'import { expect, it } from "vitest";\n';

  it("keeps a pass, a fail and a NOT RUN apart, and exits 1", async (context) => {
    const folder = write(context, {
      "vitest.config.js": 'export default { test: { reporters: [["@casebook/verdict/vitest", { json: "out/results.json" }]] } };\n',
      "test/queue.test.js": `${IT}it("adds up", () => expect(1 + 1).toBe(2));\nit("counts", () => expect(28).toBe(33));\nit("drains", (context) => context.skip("NOT RUN (missing-input): no dump"));\n`,
    });
    const { exitCode, stdout, stderr } = await vitest(folder);
    const { vitest: version } = (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { devDependencies: { vitest: string } }).devDependencies;
    expect(`${stdout}${stderr}`).toBe(`FAIL     test/queue.test.js  1 failed, 1 not run, 1 passed

NOT RUN  test/queue.test.js > drains (missing-input)
  no dump
  node ${process.versions.node}, vitest ${version}

FAIL  test/queue.test.js > counts  test/queue.test.js:3:31
AssertionError: expected 28 to be 33 // Object.is equality

- Expected
+ Received

- 33
+ 28

 ❯ test/queue.test.js:3:31
      1| import { expect, it } from "vitest";
      2| it("adds up", () => expect(1 + 1).toBe(2));
      3| it("counts", () => expect(28).toBe(33));
       |                               ^
      4| it("drains", (context) => context.skip("NOT RUN (missing-input): no du…
      5|

not run: 1 (missing-input 1)
1 passed, 1 failed
`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(readFileSync(join(folder, "out", "results.json"), "utf8"))).toMatchObject({ tally: { planned: 3, passed: 1, failed: 1, notRun: 1 } });
  });

  it("has no verdict, exit 3, where nothing failed and something was not run", async (context) => {
    const folder = write(context, { "test/queue.test.js": "" });
    expect((await vitest(folder, "-t", "drains|adds up")).exitCode).toBe(1); // an empty file is a failure, not a pass
    write(context, { "test/queue.test.js": `${IT}it("adds up", () => expect(1 + 1).toBe(2));\nit("drains", (context) => context.skip("NOT RUN: no redis"));\n` });
    const { exitCode, stdout } = await vitest(folder);
    expect([exitCode, stdout.split("\n").slice(-3)]).toEqual([3, ["not run: 1 (missing-dependency 1)", "1 passed, 0 failed", ""]]);
  });
});
