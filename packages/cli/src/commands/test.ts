/**
 * `casebook test [id…]`: drives vitest over the guard tests of cases and prints, test by test, what it counted.
 * It is no second runner: what passes here is what passes under `pnpm test`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestCase, TestModule, Vitest } from "vitest/node";
import { EXIT } from "@casebook/verdict";
import { type Case, readCatalog } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";
import { UsageError } from "../usage-error.ts";
import { selectCases } from "./select-cases.ts";

export interface TestOptions {
  readonly against: string;
  readonly json: boolean;
}

interface TestLine {
  readonly name: string;
  readonly verdict: "PASS" | "FAIL" | "NOT RUN";
  /** What each played scene counted. */
  readonly counted: readonly string[];
  readonly because?: string;
}

interface CaseResult {
  readonly case: string;
  readonly tests: readonly TestLine[];
}

export async function test(ids: readonly string[], { against, json }: TestOptions): Promise<number> {
  if (against !== "fixed" && against !== "broken") {
    throw new UsageError(`--against knows \`fixed\` and \`broken\`, not ${JSON.stringify(against)}.`);
  }
  const cases = selectCases(await readCatalog(ROOT), ids);
  const modules = await runGuardTests(cases, against);
  const results = cases.map((item) => resultOf(item, modules));
  process.stdout.write(json ? asJson(against, results) : asText(results));
  return exitCodeOf(results);
}

async function runGuardTests(cases: readonly Case[], against: "fixed" | "broken"): Promise<readonly TestModule[]> {
  const { startVitest } = await import("vitest/node");
  const files = cases.map((item) => join(ROOT, item.folder, "guard.test.ts"));
  let vitest: Vitest | undefined;
  try {
    vitest = await startVitest("test", [], {
      config: false,
      root: ROOT,
      watch: false,
      isolate: false,
      pool: "forks",
      maxWorkers: 1,
      include: files.filter((file) => existsSync(file)),
      provide: { against, protection: "must-hold" },
      reporters: [{}],
    });
    return vitest.state.getTestModules();
  } finally {
    await vitest?.close();
  }
}

function resultOf(item: Case, modules: readonly TestModule[]): CaseResult {
  const path = join(ROOT, item.folder, "guard.test.ts");
  const module = modules.find((candidate) => candidate.moduleId === path);
  if (module === undefined) return unanswered(item, `${item.folder}/guard.test.ts is missing or was not collected`);
  const tests = [...module.children.allTests()];
  const [failure] = module.errors();
  if (tests.length === 0) return unanswered(item, failure?.message ?? "the file has no test");
  return { case: item.number, tests: tests.map(lineOf) };
}

function unanswered(item: Case, because: string): CaseResult {
  return { case: item.number, tests: [{ name: "guard.test.ts", verdict: "NOT RUN", counted: [], because }] };
}

function lineOf(testCase: TestCase): TestLine {
  const { state, errors } = testCase.result();
  const base = { name: testCase.fullName, counted: testCase.meta().counted ?? [] };
  if (state === "passed") return { ...base, verdict: "PASS" };
  const because = errors?.[0]?.message ?? "it was skipped";
  return { ...base, verdict: state === "failed" ? "FAIL" : "NOT RUN", because };
}

function asText(results: readonly CaseResult[]): string {
  const blocks = results.map((result) => [
    ...result.tests.flatMap((line) => [
      `${line.verdict.padEnd(7)}  ${line.name}`,
      ...line.counted.map((counted) => `         ${counted}`),
      ...(line.because === undefined ? [] : [`         ${line.because.split("\n")[0]}`]),
    ]),
    ...(results.length > 1 ? [`${result.case}: ${passedOf(result.tests)}`, ""] : []),
  ]);
  return [...blocks.flat(), passedOf(results.flatMap((result) => result.tests))].join("\n") + "\n";
}

/** `4/4 passed`, and what was not run when something was not. */
function passedOf(tests: readonly TestLine[]): string {
  const count = (verdict: TestLine["verdict"]) => tests.filter((line) => line.verdict === verdict).length;
  const notRun = count("NOT RUN");
  return `${count("PASS")}/${tests.length} passed${notRun === 0 ? "" : `, ${notRun} not run`}`;
}

function asJson(against: string, results: readonly CaseResult[]): string {
  return `${JSON.stringify({ schemaVersion: 1, against, results }, undefined, 2)}\n`;
}

function exitCodeOf(results: readonly CaseResult[]): number {
  const verdicts = results.flatMap((result) => result.tests.map((line) => line.verdict));
  if (verdicts.includes("FAIL")) return EXIT.findings;
  return verdicts.includes("NOT RUN") ? EXIT.noVerdict : EXIT.clean;
}
