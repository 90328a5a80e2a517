/** Holds every case folder to the shape of a case, and its page to a real run. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ReproReport, runRepro } from "@casebook/repro";
import { describe, expect, it } from "vitest";
import { type Case, readCatalog, readTemplate } from "../catalog/catalog.ts";
import { generatedFiles } from "../catalog/generated.ts";
import { NUMBERS_PATH, readNumbers } from "../catalog/numbers.ts";
import { loadRepro } from "../commands/run.ts";
import { ROOT } from "../root.ts";
import { headings, promisedOutputs } from "./markdown.ts";
import { privateData } from "./private-data.ts";

const catalog = await readCatalog(ROOT);
const numbers = await readNumbers(ROOT);
const RENEW = "run `npx pnpm@10.34.9 cases:write`";
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const reports = new Map<string, Promise<ReproReport>>();

/** Each case once in this file, however many tests ask. */
function playedTwice(item: Case): Promise<ReproReport> {
  const report = reports.get(item.folder) ?? loadRepro(item).then((repro) => runRepro(repro, { all: true, twice: true }));
  reports.set(item.folder, report);
  return report;
}

const PAGE = [
  "What the operator saw",
  "Mechanism",
  "Run it",
  "Guard",
  "Fix, and what can still bite",
  "What this does not show",
  "Evidence",
  "Outside reproductions",
];
const FILES = ["README.md", "case.json", "guard.test.ts", "proof.test.ts", "repro.ts"];

/** The numbers that the casebook began with. Later ones stand in the data only; this holds the data to never losing a line. */
const FIRST: Readonly<Record<string, string>> = {
  "001": "one-bad-entry-kills-the-scheduler",
  "002": "restart-refires-ran-and-disabled-tasks",
  "003": "two-stores-hide-the-routines",
  "004": "a-missing-bom-kills-the-scheduled-script",
  "006": "any-reply-counts-as-healthy",
  "007": "a-second-list-makes-the-reader-report-zero",
};

// `$number` would put quotes around it, and `-t "case 001"` would find nothing.
describe.each([...catalog.cases, await readTemplate(ROOT)].map((item) => [item.number, item] as const))("case %s", (_number, item) => {
  it("has the five files of a case, and at most an evidence folder beside them", () => {
    expect(readdirSync(join(ROOT, item.folder)).toSorted().filter((name) => name !== "evidence")).toEqual(FILES);
  });

  it("has every heading of a case page, in order", () => {
    expect(headings(read(`${item.folder}/README.md`))).toEqual(PAGE);
  });

  it("has its number and the title of case.json for a heading", () => {
    expect(read(`${item.folder}/README.md`).split("\n", 1)).toEqual([`# ${item.number}: ${item.title}`]);
  });

  it("opens with its claim, and says first of all when it was only ever injected", async () => {
    const [, , firstLine] = read(`${item.folder}/README.md`).split("\n");
    const { claim } = await loadRepro(item);
    expect(firstLine).toBe(item.evidence.includes("injected-only") ? `Injected only, never seen in production. ${claim}` : claim);
  });

  // That the two are what a run prints is held by "has generated blocks that match the data": it plays every case.
  it("shows the output of a plain run and of one with --all", () => {
    const shown = promisedOutputs(read(`${item.folder}/README.md`));
    expect(shown.map(({ id }) => id)).toEqual([item.number, `${item.number}-all`]);
    expect(shown.every(({ text }) => text.endsWith("repro: OK - mechanism demonstrated\n"))).toBe(true);
  });

  it("plays every scene twice with the same trace", async () => {
    const report = await playedTwice(item);
    expect([report.verdict, report.because]).toEqual(["OK", undefined]);
  });

  it("holds nothing private", () => {
    const files = readdirSync(join(ROOT, item.folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThanOrEqual(FILES.length);
    expect(files.flatMap((file) => privateData(file.name, readFileSync(join(file.parentPath, file.name), "utf8")))).toEqual([]);
  });
});

/** The numbers that were promised or given when the list began. Whoever asks for a number may leave a gap behind them. */
const FIRST_NUMBERS = 18;

describe("the casebook", () => {
  it("breaks none of its first promises: each number is a case's or stands in incidents/reserved.json", () => {
    const known = new Set([...catalog.cases, ...catalog.planned].map(({ number }) => Number(number)));
    const all = Array.from({ length: FIRST_NUMBERS }, (_, index) => index + 1);
    const lost = all.filter((number) => !known.has(number));
    expect(lost, "a promised number without its row: put the row back into incidents/reserved.json (`git checkout incidents/reserved.json`); a promise is not taken back").toEqual([]);
  });

  it("keeps every number that was ever given for the case that it was given to", () => {
    expect(numbers).toMatchObject(FIRST);
    const given = Object.fromEntries(catalog.cases.map(({ number, slug }) => [number, slug]));
    expect(given, `a case without a line in ${NUMBERS_PATH} (${RENEW}), or a line without a case (never remove one: deprecate it)`).toEqual(numbers);
  });

  it("has generated blocks that match the data", async () => {
    // One that is not there yet is stale as well.
    const found = (path: string) => (existsSync(join(ROOT, path)) ? read(path) : undefined);
    const stale = (await generatedFiles(ROOT, undefined, { playAll: playedTwice })).filter(({ path, text }) => found(path) !== text).map(({ path }) => path);
    expect(stale, `stale generated blocks: ${RENEW}`).toEqual([]);
  });
});

describe("the scan for private data", () => {
  it.each([
    ["home path", "see /home/someone/tasks.json"],
    ["home path", "see /Users/someone/tasks.json"],
    ["home path", String.raw`see C:\Users\someone\tasks.json`],
    ["mail address", "ask someone@mail.example.org"],
    ["token", `key ${["sk", "abcdefghijklmnop1234"].join("-")}`],
    ["token", `key ${["ghp", "abcdefghijklmnopqrst1234"].join("_")}`],
    ["account id", ["account 0b4b1c3e", "1d2f", "4a5b", "8c9d", "0123456789ab"].join("-")],
    ["private key", ["-----BEGIN", "RSA PRIVATE KEY-----"].join(" ")],
  ])("finds a %s", (what, text) => {
    expect(privateData("page.md", `fine\n${text}`)).toHaveLength(1);
    expect(privateData("page.md", `fine\n${text}`)[0]).toContain(`page.md:2: ${what}`);
  });

  it("finds each of several in one line", () => {
    const keys = ["a", "b"].map((letter) => ["ghp", letter.repeat(24)].join("_"));
    expect(privateData("note", keys.join(" "))).toEqual(keys.map((key) => `note:1: token "${key.slice(0, 12)}…". Replace it with an invented one.`));
  });

  it("leaves ordinary text alone", () => {
    expect(privateData("page.md", "~/.claude/scheduled-tasks/<id>/SKILL.md, claude-code#90533, @casebook/sim")).toEqual([]);
  });
});
