/** `casebook test --suite receipts`: tries every fault of every rule of a suite, or plays its scenarios, and prints what each came to. */
import { join } from "node:path";
import { createResultDocument, exitCodeFor, notRun, type Result, tallyLine, writeJson } from "@casebook/verdict";
import type { Answer } from "../answer.ts";
import { ROOT } from "../root.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";
import { driveTests } from "./drive-tests.ts";
import { type Suite, SUITES } from "./suites.ts";
import { passedOf, reasonOf } from "./test.ts";

export interface SuiteOptions {
  /** `fixed` for the reference, or the name of a system that is known to be wrong. */
  readonly against: string;
  readonly json: boolean;
}

/** Exit 0: every rule holds; 1: one breaks, as one must against a system that is known to be wrong; 3: one has no verdict. */
export async function testSuite(name: string, ids: readonly string[], { against, json }: SuiteOptions): Promise<Answer> {
  const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
  if (suite === undefined) throw new UsageError(`There is no suite ${JSON.stringify(name)}. The suites are: ${Object.keys(SUITES).join(", ")}.`);
  if (ids.length > 0) throw new UsageError(`A suite is of rules, and no case is part of it; ${ids.join(", ")} goes without --suite.`);
  await checkAgainst(suite, name, against);

  const startedAtMs = performance.now();
  // Beside the answer, which is the same in every run.
  const took = (): { aside: string } => ({ aside: `casebook: the suite ${name} took ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s\n` });
  if ("play" in suite) {
    const { results, text, aside } = await suite.play(against);
    const document = createResultDocument({ tool: toolOf(name, against), selection: [name], results });
    return { text: json ? writeJson(document) : `${text}
${tallyLine(document.tally)}
`, exitCode: exitCodeFor(document.tally), aside: `${aside ?? ""}${took().aside}` };
  }
  const { run } = await driveTests([join(ROOT, suite.file)], against === "fixed" ? {} : { knownBad: against });
  const judged = run.judged.map(({ result }) => result);
  const results = judged.length > 0 ? judged : [missing(suite)];
  const document = createResultDocument({ tool: toolOf(name, against), selection: [name], results, outside: run.outside });
  return { ...took(), text: json ? writeJson(document) : asText(results), exitCode: exitCodeFor(document.tally) };
}

function toolOf(name: string, against: string): { name: string; version: string } {
  return { name: `casebook test --suite ${name} --against ${against}`, version: VERSION };
}

async function checkAgainst(suite: Suite, name: string, against: string): Promise<void> {
  const known = await suite.knownBad();
  if (against === "fixed" || known.includes(against)) return;
  throw new UsageError(`--against knows \`fixed\` in the suite ${name}, and what is known to be wrong: ${known.join(", ")}; not ${JSON.stringify(against)}.`);
}

function missing({ file }: { readonly file: string }): Result {
  return { id: file, title: file, location: { file }, ...notRun("missing-input", `${file} gave no test. This clone is not whole: check it out again.`, {}) };
}

function asText(results: readonly Result[]): string {
  const named = results.map((result) => ({ result, words: result.title.split(" > ") }));
  const lines = named.flatMap(({ result, words }, index) => {
    const [rule = "", fault = ""] = words.slice(-2);
    const id = rule.split(" ", 1)[0] ?? "";
    const isNew = named[index - 1]?.words.at(-2) !== rule;
    const why = result.verdict === "PASS" ? [] : [`         ${reasonOf(result)}${result.message.split("\n", 1)[0]}`];
    return [...(isNew ? [...(index === 0 ? [] : [""]), rule] : []), `${result.verdict.padEnd(7)}  ${id}  ${fault}`, ...why];
  });
  return `${[...lines, "", passedOf(results)].join("\n")}\n`;
}
