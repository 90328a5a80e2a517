/**
 * `casebook doctor --self-test`: shows that every guard of the doctor alarms on a bad tree and is silent on its healthy twin,
 * on the disks of the cases and on invented installations. Reads nothing of this machine.
 */
import { fixtureTrees, type GuardTrees, GUARD_IDS, selfTest as testGuards } from "@casebook/doctor";
import { createResultDocument, exitCodeFor, type Result, tallyLine, visibleText, writeJson } from "@casebook/verdict";
import type { Answer } from "../answer.ts";
import { HOME } from "../home/here.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";
import { caseTrees } from "./case-trees.ts";
import { type DoctorWords, readFormat, readOnly } from "./doctor-options.ts";

/** Guards of the library that no file of a layout gives facts for, a line for each reason. `house/guards.test.ts` demands each that is missing. */
export const NOT_ASKED = [
  "outside  dispatch/duplicate-session: no layout says which prompt a session was started for; case 005 asks it",
  "outside  dispatch/guessed-restart, dispatch/history-rewritten, dispatch/split-state, dispatch/start-without-permit, dispatch/two-jobs, dispatch/unattributed-start: no layout that the doctor reads yet holds intents beside sessions; the dispatch suite asks them",
  "outside  report/hidden-not-run: no layout that the doctor reads holds planned suites beside a report; case 017 asks it",
  "outside  dispatch/unseen-task: no layout that the doctor reads yet holds published tasks beside a dispatcher's record; case 014 asks it",
  "outside  encoding/script-quotes: no layout says which program reads a script; case 004 asks it",
  "outside  supervision/items-terminal, supervision/no-descendant-executing, supervision/no-open-obligation, supervision/nothing-held, supervision/one-terminal-record, supervision/within-budget: no layout reads a ledger of runs yet; `casebook test --suite termination` asks them",
  "outside  supervision/stale-epoch-write: no layout says under which claim a write was made; case 011 asks it",
  "outside  supervision/unknown-artefact: no layout lists an artefact store beside a ledger; case 012 asks it",
  "outside  registry/lookup-shape, watchdog/false-green: they judge answers, and an answer leaves no file; cases 007 and 006 ask them",
  "outside  storage/acknowledged-lost, storage/neither-version, storage/no-retry, storage/silent-failure, storage/unbounded-retry: they judge what a writer was handed and answered, and no layout keeps that; case 018 asks the second, the searches of file-commit ask all",
];

const KNOWN: readonly string[] = ["selfTest", "only", "json", "format"];

/** Exit 0: every guard can be believed; 1: one cannot; 3: one has no tree that could be planted. */
export async function selfTest(paths: readonly string[], words: DoctorWords): Promise<Answer> {
  const format = readFormat(words);
  const stray = [...paths, ...Object.keys(words).filter((word) => !KNOWN.includes(word))][0];
  if (stray !== undefined || format === "openmetrics") {
    throw new UsageError(`--self-test looks at trees of its own and goes with --only and --json, not with ${stray ?? "openmetrics"}.`);
  }
  const only = readOnly(words.only, GUARD_IDS);
  return answerOf([...caseTrees(await HOME.readCatalog()), ...fixtureTrees()], only, format === "json");
}

export async function answerOf(trees: readonly GuardTrees[], only: readonly string[], json: boolean): Promise<Answer> {
  const document = createResultDocument({
    tool: { name: "casebook doctor --self-test", version: VERSION },
    selection: only,
    results: await testGuards(trees, { only }),
  });
  return { text: json ? writeJson(document) : asText(document.results), exitCode: exitCodeFor(document.tally) };

  function asText(results: readonly Result[]): string {
    const width = Math.max(0, ...results.map(({ id }) => id.length));
    const lines = results.map((result) => `${result.verdict.padEnd(7)}  ${result.id.padEnd(width)}  ${visibleText(said(result)).replaceAll("\n", " ")}`);
    return [...lines, ...(only.length === 0 ? NOT_ASKED : []), tallyLine(document.tally), ""].join("\n");
  }
}

function said(result: Result): string {
  if (result.verdict === "PASS") return result.title;
  return result.verdict === "NOT RUN" ? `(${result.reason}) ${result.message}` : result.message;
}
