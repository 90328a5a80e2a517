/** The bans of this house, seen to work: one probe, linted as if it stood in a portable entry. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../root.ts";

/** A tree of its own, because the linter passes over `node_modules`; the rules in it are the rules of this house. */
const FOLDER = mkdtempSync(join(tmpdir(), "casebook-lint-"));
const CONFIG = join(FOLDER, ".oxlintrc.json");
const OXLINT = join(ROOT, "node_modules", ".bin", "oxlint");
const TSC = join(ROOT, "node_modules", ".bin", "tsc");

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
    const rules = readFileSync(join(ROOT, ".oxlintrc.json"), "utf8").replace("./scripts/lint/", join(ROOT, "scripts/lint/"));
    writeFileSync(CONFIG, rules);
    const text = BANNED.map(([line]) => line).join("\n");
    writeFileSync(join(source, "probe.ts"), text);
    writeFileSync(join(source, "node", "probe.ts"), text.split("\n").filter((line) => !/localeCompare|getHours|resolvedOptions/.test(line)).join("\n"));
    byLine = complaints(join(source, "probe.ts"));
  });
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

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
  readonly message: string;
  readonly help?: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

function complaints(file: string): ReadonlyMap<number, string> {
  const { stdout, stderr } = spawnSync(OXLINT, ["--config", CONFIG, "-f", "json", file], {
    cwd: FOLDER,
    encoding: "utf8",
  });
  if (!stdout.startsWith("{")) throw new Error(`oxlint said: ${stdout}${stderr}`);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  return new Map(diagnostics.map((one) => [one.labels[0]?.span.line ?? 0, `${one.message} ${one.help ?? ""}`]));
}
