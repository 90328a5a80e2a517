/**
 * `casebook test [id…]`: drives vitest over the guard tests of cases and prints, test by test, what it counted.
 * It is no second runner: verdicts come from the same judge as under `pnpm test`, unhandled errors and hooks included.
 */
import { join } from "node:path";
import { createResultDocument, exitCodeFor, notRun, type Result, tallyOf, writeJson } from "@casebook/verdict";
import type { JudgedRun } from "@casebook/verdict/vitest";
import type { TestModule } from "vitest/node";
import type { Answer } from "../answer.ts";
import { type Case, readCatalog } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";
import { countTests, type DrivenTests, driveTests } from "./drive-tests.ts";
import { selectCases } from "./select-cases.ts";

export interface TestOptions {
  readonly against: string;
  readonly json: boolean;
}

/** What a test says about itself beside its verdict. */
interface Meta {
  readonly counted: readonly string[];
  readonly protects: boolean;
}

interface CaseResults {
  readonly item: Case;
  readonly results: readonly Result[];
  readonly metaOf: (result: Result) => Meta;
}

/** Exit 0: all passed; 1: a test failed; 3: a test has no verdict. */
export async function test(ids: readonly string[], { against, json }: TestOptions): Promise<Answer> {
  if (against !== "fixed" && against !== "broken") {
    throw new UsageError(`--against knows \`fixed\` and \`broken\`, not ${JSON.stringify(against)}.`);
  }
  const cases = selectCases(await readCatalog(ROOT), ids);
  const { run, modules } = await runGuardTests(cases, against);
  const perCase = cases.map((item) => resultsOf(item, run, modules));
  const document = createResultDocument({
    tool: { name: `casebook test --against ${against}`, version: VERSION },
    selection: ids,
    results: perCase.flatMap(({ results, metaOf }) => results.map((result) => withCounted(result, metaOf(result)))),
    outside: run.outside,
  });
  return { text: json ? writeJson(document) : asText(perCase, against), exitCode: exitCodeFor(document.tally) };
}

/** How many guard tests each case has, by its number: counted by the test runner, because a table of tests is many of them. One that gives none counts as one that is missing. */
export async function countGuardTests(cases: readonly Case[]): Promise<ReadonlyMap<string, number>> {
  const counted = await countTests(cases.map(guardFile), wiredTo("fixed"));
  return new Map(cases.map((item) => [item.number, counted.get(guardFile(item)) || 1]));
}

const wiredTo = (against: "fixed" | "broken") => ({ against, protection: "must-hold" }) as const;

function runGuardTests(cases: readonly Case[], against: "fixed" | "broken"): Promise<DrivenTests> {
  return driveTests(cases.map(guardFile), wiredTo(against));
}

function guardFile(item: Case): string {
  return join(ROOT, item.folder, "guard.test.ts");
}

function resultsOf(item: Case, run: JudgedRun, modules: readonly TestModule[]): CaseResults {
  const file = `${item.folder}/guard.test.ts`;
  const tests = modules.filter((module) => module.moduleId === guardFile(item)).flatMap((module) => [...module.children.allTests()]);
  const metaOf = ({ title }: Result): Meta => {
    const { counted = [], protects = false } = tests.find((one) => title.endsWith(one.fullName))?.meta() ?? {};
    return { counted, protects };
  };
  const judged = run.judged.map(({ result }) => result).filter(({ location, title }) => location?.file === file || title.includes(file));
  if (judged.length > 0) return { item, results: judged, metaOf };
  // An error that no file owns is everybody's.
  const strays = run.judged.map(({ result }) => result).filter(({ location }) => location === undefined);
  const missing = { id: file, title: item.title, location: { file }, ...notRun("missing-input", `${file} gave no test. Write one; see template and CONTRIBUTING.md.`, {}) };
  return { item, results: strays.length > 0 ? strays : [missing], metaOf };
}

/** `counted` is what each played scene counted; a verdict without it is hard to believe. */
function withCounted(result: Result, { counted }: Meta): Result {
  return counted.length === 0 ? result : { ...result, evidence: { ...result.evidence, firstLines: [...counted, ...(result.evidence?.firstLines ?? [])] } };
}

function asText(perCase: readonly CaseResults[], against: "fixed" | "broken"): string {
  const lines = perCase.flatMap(({ item, results, metaOf }) => [
    `${item.number} against ${against}: ${item.title}`,
    ...results.flatMap((result) => linesOf(result, metaOf(result))),
    ...(perCase.length > 1 ? [`${item.number} ${passedOf(results)}`, ""] : []),
  ]);
  const all = perCase.flatMap(({ results, metaOf }) => results.map((result) => ({ result, meta: metaOf(result) })));
  const protecting = all.filter(({ meta }) => meta.protects);
  const failed = protecting.filter(({ result }) => result.verdict === "FAIL").length;
  const must = against === "broken" ? [`${failed} of ${protecting.length} protecting tests failed, and all of them must`] : [];
  return `${[...lines, ...must, passedOf(all.map(({ result }) => result))].join("\n")}\n`;
}

function linesOf(result: Result, { counted, protects }: Meta): string[] {
  const name = result.title.split(" > ").at(-1) ?? result.title;
  return [
    `${result.verdict.padEnd(7)}  ${protects ? "protects: " : ""}${name}`,
    ...counted.map((line) => `         ${line}`),
    ...(result.verdict === "PASS" ? [] : [`         ${reasonOf(result)}${result.message.split("\n", 1)[0]}`]),
  ];
}

export function reasonOf(result: Result): string {
  return result.verdict === "NOT RUN" ? `(${result.reason}) ` : "";
}

/** `4/4 passed`, and what was not run when something was not. */
export function passedOf(results: readonly Result[]): string {
  const { planned, passed, notRun: missing } = tallyOf(results);
  return `${passed}/${planned} passed${missing === 0 ? "" : `, ${missing} not run`}`;
}
