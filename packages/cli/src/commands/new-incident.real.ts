/** `casebook new incident` as processes: in a copy of this tree whose tests are then run, against another user's disk, and two at once. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { copyTree } from "../house/copy-tree.ts";
import { ROOT } from "../root.ts";

const TSX = join(ROOT, "node_modules/tsx/dist/esm/index.mjs");

/** Tests that read the catalog or a page. The others, and those of the other cases, are the same in every tree. */
const WHO_KNOWS_OF_CASES = ["template", "packages/cli/src/catalog", "packages/cli/src/command-line", "packages/cli/src/commands/case-trees", "packages/cli/src/commands/report", "packages/cli/src/house/cases", "packages/cli/src/house/docs", "packages/cli/src/house/guards", "packages/cli/src/house/import", "packages/cli/src/house/readme", "packages/cli/src/house/template", "packages/cli/src/house/write-a-case.test"];

/** Only against a hang: a whole test runner works inside this one, and the machine may be busy. */
const FOUR_MINUTES = 240_000;

let tree = "";
const main = () => ["--import", TSX, join(tree, "packages/cli/src/main.ts")];
const casebook = (...words: string[]) => spawnSync(process.execPath, [...main(), ...words], { cwd: tree, encoding: "utf8" });
const folders = () => readdirSync(join(tree, "incidents")).filter((name) => /^\.?\d{3}/.test(name)).toSorted();
const run = (...command: [string, ...string[]]) => {
  const [word, ...words] = command;
  const { status, stdout, stderr } = spawnSync(join(tree, "node_modules/.bin", word), words, { cwd: tree, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  return { status, output: `${stdout}${stderr}` };
};

/** In the copy, where the tree has no promise left. */
const PROMISED = { number: "019", slug: "a-promise-of-this-test", title: "A promise of this test", layer: "registry", evidence: ["injected-only"], source: "this test" };

beforeAll(async () => {
  tree = copyTree();
  const { planned } = await readCatalog(ROOT);
  const path = join(tree, "incidents", "reserved.json");
  if (planned.length === 0) writeFileSync(path, JSON.stringify([...(JSON.parse(readFileSync(path, "utf8")) as unknown[]), PROMISED]));
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("a new case, and a promised one, in a copy of this tree", () => {
  const made: string[] = [];

  it("are made with the next free number and with the promised one", async () => {
    const { cases } = await readCatalog(ROOT);
    const { planned } = await readCatalog(tree);
    const [promised = PROMISED] = planned;
    const highest = Math.max(...[...cases, ...planned].map(({ number }) => Number(number)));
    const [, ...words] = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").match(/-s casebook (new) (incident) (a-stamp-that-lies)$/m) ?? [];
    const first = casebook(...words);
    const second = casebook("new", "incident", promised.slug);
    expect([first.status, first.stderr, second.status, second.stderr]).toEqual([0, "", 0, ""]);
    made.push(`${String(highest + 1).padStart(3, "0")}-a-stamp-that-lies`, `${promised.number}-${promised.slug}`);
    expect(folders()).toEqual([...cases.map(({ number, slug }) => `${number}-${slug}`), ...made].toSorted());
  });

  it("run as they are, alone", () => {
    for (const name of made) {
      const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", TSX, join(tree, "incidents", name, "repro.ts")], { encoding: "utf8" });
      expect([status, stderr, stdout.trimEnd().split("\n").at(-1)]).toEqual([0, "", "repro: OK - mechanism demonstrated"]);
    }
  });

  it("need cases:write, which a test says", () => {
    const before = run("vitest", "run", "packages/cli/src/house/cases.test.ts", "-t", "generated blocks");
    expect(before.status).toBe(1);
    expect(before.output).toContain("stale generated blocks: run `npx pnpm@10.34.9 cases:write`");
    const wrote = spawnSync(process.execPath, ["--import", TSX, "packages/cli/src/catalog/write-cases.ts"], { cwd: tree, encoding: "utf8" });
    expect([wrote.status, wrote.stderr]).toEqual([0, ""]);
    expect(wrote.stdout.split("\n")).toEqual(expect.arrayContaining(["wrote README.md", "wrote incidents/numbers.json", "wrote .github/ISSUE_TEMPLATE/reproduction.yml"]));
  });

  it("then pass lint, types and every test that knows of cases, in both wirings", () => {
    expect(run("oxlint", "--deny-warnings", ".")).toMatchObject({ status: 0 });
    expect(run("tsc", "-p", "tsconfig.json")).toEqual({ status: 0, output: "" });
    const { status, output } = run("vitest", "run", ...made.map((name) => `incidents/${name}`), ...WHO_KNOWS_OF_CASES);
    expect([status, output.split("\n").filter((line) => /^(?:FAIL|NOT RUN) /.test(line))]).toEqual([0, []]);
    for (const name of made) {
      for (const wiring of ["incidents", "incidents-broken"]) expect(output).toContain(`|${wiring}| incidents/${name}/guard.test.ts  4 passed`);
    }
  }, FOUR_MINUTES);

  it("have guards that `casebook test` sees fail against the broken system", () => {
    const numbers = made.map((name) => name.slice(0, 3));
    expect(casebook("test", ...numbers, "--against", "broken").stdout).toMatch(/\n4 of 4 protecting tests failed, and all of them must\n4\/8 passed\n$/);
  });
});

describe("a tree that may not be written", () => {
  it("is named with the reason and what now, and nothing half-written is left in it", (context) => {
    const isRoot = process.getuid?.() === 0;
    if (process.platform === "win32") return context.skip("NOT RUN (unsupported): this needs users and modes");
    const before = folders();
    // Root may write everywhere: then somebody else types it.
    const other = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    chmodSync(tree, 0o755);
    chmodSync(join(tree, "incidents"), 0o555);
    try {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...main(), "new", "incident", "x"], { cwd: tree, encoding: "utf8", env: { ...process.env, HOME: tmpdir() }, ...other });
      if (/Cannot find|ERR_MODULE_NOT_FOUND|permission denied, (?:open|lstat|stat|scandir)/.test(stderr)) return context.skip(`NOT RUN (setup-failed): another user may not read this tree: ${stderr.split("\n")[0]}`);
      expect([status, stdout, stderr]).toEqual([
        2,
        "",
        "casebook: incidents/ could not be written (EACCES), and a new case is a folder in it. Nothing is left of the attempt. " +
          "Make it writable, or clone the repository where you may write. Nothing was run.\n",
      ]);
      expect(folders()).toEqual(before);
    } finally {
      chmodSync(join(tree, "incidents"), 0o755);
    }
  });

  it("leaves nothing behind when the disk ends in the middle of a file", (context) => {
    if (process.platform !== "linux") return context.skip("NOT RUN (unsupported): this needs `ulimit -f`");
    const before = folders();
    // Files of this process may have 2 KiB; the page of a case has more.
    const command = `ulimit -f 2; exec "${process.execPath}" ${main().map((word) => `"${word}"`).join(" ")} new incident x`;
    const { status, stderr } = spawnSync("bash", ["--norc", "-c", command], { cwd: tree, encoding: "utf8" });
    expect([status, stderr.split(", and")[0]]).toEqual([2, "casebook: incidents/ could not be written (EFBIG)"]);
    expect(folders()).toEqual(before);
  });
});

describe("many at the same time", () => {
  it("never share a number: each has one of its own, or says that somebody else is at it", async () => {
    const empty = mkdtempSync(join(tmpdir(), "casebook-race-"));
    try {
      mkdirSync(join(empty, "incidents"));
      cpSync(join(tree, "template"), join(empty, "template"), { recursive: true });
      writeFileSync(join(empty, "incidents/reserved.json"), "[]");
      writeFileSync(join(empty, "incidents/numbers.json"), "{}");
      const script = `import { newIncident } from ${JSON.stringify(join(tree, "packages/cli/src/commands/new-incident.ts"))};
        await newIncident(${JSON.stringify(empty)}, process.argv.at(-1), { number: undefined, json: true }).catch((refused) => { console.error(refused.message); process.exitCode = 2; });`;
      const ended = await Promise.all(["one", "two", "three", "four"].map((slug) => ending(["--import", TSX, "--input-type=module", "--eval", script, slug])));
      const names = readdirSync(join(empty, "incidents")).filter((name) => /^\.?\d/.test(name)).toSorted();
      const succeeded = ended.filter(({ status }) => status === 0).length;
      expect(succeeded).toBeGreaterThan(0);
      expect(names.map((name) => name.slice(0, 3))).toEqual(names.map((_name, index) => String(index + 1).padStart(3, "0")));
      expect(names).toHaveLength(succeeded);
      for (const name of names) expect(readFileSync(join(empty, "incidents", name, "repro.ts"), "utf8")).toContain(`id: "${name.slice(0, 3)}"`);
      for (const { stderr } of ended.filter(({ status }) => status !== 0)) expect(stderr).toMatch(/^another `casebook new` is making number \d{3}/);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });
});

function ending(words: readonly string[]): Promise<{ status: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (status) => resolve({ status, stderr }));
  });
}
