/** The bans of this house, seen to work: one probe, linted as if it stood in a portable entry. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../root.ts";
import { fences } from "./markdown.ts";

/** A tree of its own, because the linter passes over `node_modules`; the rules in it are the rules of this house. */
const FOLDER = mkdtempSync(join(tmpdir(), "casebook-lint-"));
const CONFIG = join(FOLDER, ".oxlintrc.json");
const OXLINT = join(ROOT, "node_modules", ".bin", "oxlint");
const TSC = join(ROOT, "node_modules", ".bin", "tsc");

beforeAll(() => writeFileSync(CONFIG, readFileSync(join(ROOT, ".oxlintrc.json"), "utf8").replace("./scripts/lint/", join(ROOT, "scripts/lint/"))));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Line by line: what is written, and the words that tell its author what to use instead. */
const BANNED: readonly (readonly [string, string])[] = [
  ['import { readFileSync } from "node:fs";', "Take `disk` from the ports"],
  ['import { setTimeout as wait } from "node:timers/promises";', "Take `clock` from the ports"],
  ['import { request } from "node:http";', "no network port yet"],
  ["export const a = Date.now();", "call `clock.now()`"],
  ["export const b = new Date();", "call `clock.now()`"],
  ["export const c = Math.random();", "Take `ids` from the ports"],
  ["setTimeout(() => undefined, 1);", "call `clock.sleep(ms)`"],
  ["export const d = globalThis.setInterval;", "over `clock.sleep(ms)`"],
  ["const { random } = Math;", "Take `ids` from the ports"],
  ['export const e = await import("fs/promises");', "Take `disk` from the ports"],
  ['export const f = process.env["HOME"];', "Take what you need as an argument"],
  ['export const g = fetch("http://127.0.0.1");', "no network port yet"],
  ["export const h = crypto.randomUUID();", "Take `ids` from the ports"],
  ["export const i = performance.now();", "call `clock.now()`"],
  ['export const j = "a".localeCompare("b");', "compare with < and >"],
  ["export const k = new Date(2026, 1, 1);", "Date.UTC"],
  ["export const l = new Date(0).getHours();", "getUTCHours()"],
  ["export const m = new Intl.DateTimeFormat().resolvedOptions().timeZone;", "take the zone as an argument"],
  ["console.log(random, wait, request, readFileSync);", "Take `log` from the ports"],
];

describe("the lint rules", () => {
  const source = join(FOLDER, "packages", "probe", "src");
  let byLine: ReadonlyMap<number, string>;

  beforeAll(() => {
    mkdirSync(join(source, "node"), { recursive: true });
    const text = BANNED.map(([line]) => line).join("\n");
    writeFileSync(join(source, "probe.ts"), text);
    writeFileSync(join(source, "node", "probe.ts"), text.split("\n").filter((line) => !/localeCompare|getHours|resolvedOptions/.test(line)).join("\n"));
    byLine = complaints(join(source, "probe.ts"));
  });

  it.each(BANNED.map(([line, instead], index) => ({ line, instead, number: index + 1 })))(
    "refuse `$line` and say what to use instead",
    ({ instead, number }) => {
      expect(byLine.get(number)).toContain(instead);
    },
  );

  it("allow all of it in a /node entry, but for zone and locale", () => {
    expect([...complaints(join(source, "node", "probe.ts")).values()]).toEqual([]);
  });
});

/** As it stands in a file of the supervisor's, and whether it is refused. */
const WAITS: readonly (readonly [string, string, boolean])[] = [
  ["an answer that is awaited as it is", 'export async function f(): Promise<void> { await ledger.read("runs", "r"); }', true],
  ["a door that is reached through others", 'export class A { async f(): Promise<void> { await this.ports.ledger.read("runs", "r"); } }', true],
  ["an answer that is handed on", 'export const f = () => ledger.list("runs");', true],
  ["one of several that are waited for together", "export async function f(): Promise<void> { await Promise.all([ledger.list(\"runs\"), clock.sleep(1)]); }", true],
  ["a promise that is kept and awaited later", "export async function f(): Promise<void> { const row = ledger.list(\"runs\"); await clock.sleep(1); await row; }", true],
  ["a helper that one place bounds and another does not", 'async function look() { await ledger.list("runs"); }\nexport async function f(): Promise<void> { await attempt(1, look); await look(); }', true],
  ["a helper that is bounded here and may be waited for in another file", 'export async function look() { await ledger.list("runs"); }\nexport async function f(): Promise<void> { await attempt(1, look); }', true],
  ["a method that another method waits for", "export class A { async #look() { await ledger.list(\"runs\"); }\n  async f(): Promise<void> { await this.#look(); } }", true],
  ["two that wait for each other, and somebody for one of them", 'async function one(): Promise<void> { await two(); }\nasync function two(): Promise<void> { await ledger.list("runs"); await one(); }\nexport const f = async (): Promise<void> => one();', true],
  ["a message that is waited for", "export async function f(): Promise<void> { await messages.receive(); }", true],
  ["an answer in an argument of what bounds it", 'export async function f(): Promise<void> { await withinDeadline(clock, 1, ledger.list("runs")); }', false],
  ["a call in a function that is bounded", 'export async function f(): Promise<void> { await attempt(1, async () => { await ledger.list("runs"); }); }', false],
  ["a helper of which all uses are bounded", 'async function look() { await ledger.list("runs"); }\nexport async function f(): Promise<void> { await attempt(1, look); await attempt(1, () => look()); }', false],
  ["a kept promise that is only ever waited for with a limit", "export async function f(): Promise<void> { let next = messages.receive(); await withinDeadline(clock, 1, next); next = messages.receive(); await withinDeadline(clock, 1, next); }", false],
  ["a request, which takes its limit itself", 'export async function f(): Promise<void> { await messages.request("a", {}, 5); }', false],
  ["what nobody waits for", "export function f(): void { void listen(); }\nasync function listen(): Promise<void> { for (;;) await messages.receive(); }", false],
  ["what a door has answered", 'export async function f(): Promise<void> { const ledger = await withinDeadline(clock, 1, read()); ledger.list(); }', false],
];

describe("the lint rule about waits", () => {
  const source = join(FOLDER, "packages", "supervisor", "src");
  let waiting: ReadonlyMap<string, string>;

  beforeAll(() => {
    mkdirSync(source, { recursive: true });
    for (const [at, [, text]] of WAITS.entries()) writeFileSync(join(source, `probe-${at}.ts`), text);
    waiting = new Map(diagnosticsIn(source).map(({ filename, message }) => [filename.split("/").at(-1) ?? "", message]));
  });

  it.each(WAITS.map(([name, , isRefused], at) => ({ name, isRefused, file: `probe-${at}.ts` })))("$name: refused $isRefused", ({ file, isRefused }) => {
    expect(waiting.has(file)).toBe(isRefused);
  });

  it("says what waits, for how long, and what to do", () => {
    expect(waiting.get("probe-0.ts")).toBe("`ledger.read()` waits without a deadline: an answer that never comes is waited for for ever. Put it into `withinDeadline` or `attempt` or `persist` or `#untilDeadline`.");
  });

  it("asks the supervisor and the dispatcher, and what is excused there says why", () => {
    const { overrides } = JSON.parse(readFileSync(join(ROOT, ".oxlintrc.json"), "utf8")) as { overrides: { files: string[]; rules: Record<string, unknown> }[] };
    expect(overrides.filter(({ rules }) => Array.isArray(rules["casebook/no-unbounded-wait"])).flatMap(({ files }) => files)).toEqual(["packages/supervisor/src/*.ts", "packages/dispatcher/src/*.ts"]);
    const excused = ["supervisor", "dispatcher"].map((name) => {
      const folder = join(ROOT, "packages", name, "src");
      return readdirSync(folder).filter((file) => file.endsWith(".ts")).flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/no-unbounded-wait(?: -- (.+))?/g)].map(([, why]) => why));
    });
    expect(excused).toEqual([
      Array(2).fill("the known-bad policy `unbounded` below waits so; the reference has a limit."),
      [],
    ]);
  });
});

describe("docs/lint-rules.md", () => {
  it("shows a set-up that works in a folder of somebody else's, and what it says there", () => {
    const shown = new Map(fences(readFileSync(join(ROOT, "docs/lint-rules.md"), "utf8")).map(({ language, text }) => [language, text]));
    const folder = mkdtempSync(join(tmpdir(), "casebook-lint-page-"));
    try {
      mkdirSync(join(folder, "lint"));
      mkdirSync(join(folder, "src"));
      for (const name of ["ambient.mjs", "waits.mjs"]) writeFileSync(join(folder, "lint", name), readFileSync(join(ROOT, "scripts/lint", name)));
      writeFileSync(join(folder, ".oxlintrc.json"), shown.get("json") ?? "");
      writeFileSync(join(folder, "src", "cancel.ts"), shown.get("ts") ?? "");
      const { stdout } = spawnSync(OXLINT, ["-f", "unix", "src"], { cwd: folder, encoding: "utf8" });
      expect(stdout.split("\n\n")[0]).toBe(shown.get("text")?.trimEnd());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("the compiler", () => {
  it("knows no Node global in an entry point without /node", () => {
    // Inside the clone, so that the packages and their libraries resolve.
    const folder = mkdtempSync(join(ROOT, "node_modules", ".casebook-types-"));
    try {
      writeFileSync(join(folder, "probe.ts"), 'import { createWorld } from "@casebook/sim";\nexport const all = [createWorld, process, setTimeout, Buffer];\n');
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: join(ROOT, "tsconfig.portable.json"), compilerOptions: { paths: { "@casebook/sim": [join(ROOT, "packages/sim/src/index.ts")] } }, include: ["probe.ts"], exclude: [] }));
      const { stdout } = spawnSync(TSC, ["-p", folder], { cwd: folder, encoding: "utf8" });
      for (const name of ["process", "setTimeout", "Buffer"]) expect(stdout).toContain(`Cannot find name '${name}'`);
      expect(stdout).not.toContain("Cannot find module");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

interface Diagnostic {
  readonly filename: string;
  readonly message: string;
  readonly help?: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

function complaints(file: string): ReadonlyMap<number, string> {
  return new Map(diagnosticsIn(file).map((one) => [one.labels[0]?.span.line ?? 0, `${one.message} ${one.help ?? ""}`]));
}

/** Of a file, or of every file in a folder. */
function diagnosticsIn(path: string): readonly Diagnostic[] {
  const { stdout, stderr } = spawnSync(OXLINT, ["--config", CONFIG, "-f", "json", path], { cwd: FOLDER, encoding: "utf8" });
  if (!stdout.startsWith("{")) throw new Error(`oxlint said: ${stdout}${stderr}`);
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}
