/**
 * `casebook test [id…]`: drives vitest over the guard tests of cases and prints, test by test, what it counted.
 * It is no second runner: what passes here is what passes under `pnpm test`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createResultDocument, exitCodeFor, fail, notRun, pass, type Result, tallyOf, writeJson } from "@casebook/verdict";
import type { TestCase, TestModule } from "vitest/node";
import type { Answer } from "../answer.ts";
import { type Case, readCatalog } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";
import { selectCases } from "./select-cases.ts";

export interface TestOptions {
  readonly against: string;
  readonly json: boolean;
}

/** Exit 0: all passed; 1: a test failed; 3: a test has no verdict. */
export async function test(ids: readonly string[], { against, json }: TestOptions): Promise<Answer> {
  if (against !== "fixed" && against !== "broken") {
    throw new UsageError(`--against knows \`fixed\` and \`broken\`, not ${JSON.stringify(against)}.`);
  }
  const cases = selectCases(await readCatalog(ROOT), ids);
  const modules = await runGuardTests(cases, against);
  const perCase = cases.map((item) => ({ item, results: resultsOf(item, modules) }));
  const results = perCase.flatMap((one) => one.results);
  const document = createResultDocument({
    tool: { name: `casebook test --against ${against}`, version: VERSION },
    selection: ids,
    results,
  });
  return { text: json ? writeJson(document) : asText(perCase), exitCode: exitCodeFor(document.tally) };
}

async function runGuardTests(cases: readonly Case[], against: "fixed" | "broken"): Promise<readonly TestModule[]> {
  const { startVitest } = await import("vitest/node");
  const vitest = await startVitest("test", [], {
    config: false,
    root: ROOT,
    watch: false,
    isolate: false,
    pool: "forks",
    maxWorkers: 1,
    passWithNoTests: true,
    include: cases.map(guardFile).filter((file) => existsSync(file)),
    provide: { against, protection: "must-hold" },
    reporters: [{}],
  });
  try {
    return vitest.state.getTestModules();
  } finally {
    await vitest.close();
  }
}

function guardFile(item: Case): string {
  return join(ROOT, item.folder, "guard.test.ts");
}

function resultsOf(item: Case, modules: readonly TestModule[]): Result[] {
  const file = `${item.folder}/guard.test.ts`;
  const module = modules.find((candidate) => candidate.moduleId === guardFile(item));
  const tests = module === undefined ? [] : [...module.children.allTests()];
  if (tests.length > 0) return tests.map((one, index) => resultOf(item, file, one, index + 1));
  const why = module?.errors()[0]?.message ?? (existsSync(guardFile(item)) ? "it holds no test" : "it is missing");
  const message = `${file} gave no test: ${why.split("\n", 1)[0]}`;
  return [{ id: `${item.number}/0`, title: item.title, location: { file }, ...notRun("setup-failed", message, {}) }];
}

/** `counted` is what each played scene counted; a verdict without it is hard to believe. */
function resultOf(item: Case, file: string, one: TestCase, position: number): Result {
  const { state, errors } = one.result();
  const base = { id: `${item.number}/${position}`, title: one.name, location: { file } };
  const evidence = { firstLines: one.meta().counted ?? [] };
  const [because = "it did not run"] = (errors?.[0]?.message ?? "").split("\n", 1).filter((line) => line !== "");
  if (state === "passed") return { ...base, ...pass(evidence) };
  return { ...base, ...(state === "failed" ? fail(because, evidence) : notRun("setup-failed", because, evidence)) };
}

function asText(perCase: readonly { item: Case; results: readonly Result[] }[]): string {
  const many = perCase.length > 1;
  const lines = perCase.flatMap(({ item, results }) => [
    ...(many ? [`${item.number} ${item.title}`] : []),
    ...results.flatMap(linesOf),
    ...(many ? [`${item.number} ${passedOf(results)}`, ""] : []),
  ]);
  return `${[...lines, passedOf(perCase.flatMap((one) => one.results))].join("\n")}\n`;
}

function linesOf(result: Result): string[] {
  const counted = result.evidence?.firstLines ?? [];
  return [
    `${result.verdict.padEnd(7)}  ${result.title}`,
    ...counted.map((line) => `         ${line}`),
    ...(result.verdict === "PASS" ? [] : [`         ${result.message}`]),
  ];
}

/** `4/4 passed`, and what was not run when something was not. */
function passedOf(results: readonly Result[]): string {
  const { planned, passed, notRun: missing } = tallyOf(results);
  return `${passed}/${planned} passed${missing === 0 ? "" : `, ${missing} not run`}`;
}
