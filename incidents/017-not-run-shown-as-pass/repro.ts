/**
 * Case 017: NOT RUN is shown as PASS.
 *
 * Five suites of tests are run. Two do not load, because a dependency is missing, and no test of theirs is entered. A report that has
 * words for passed and failed only has to put them somewhere: among the passed, among the failed, or nowhere.
 *
 * Models a runner that looks for what a suite needs on the disk, and the reporters of `packages/dispatch-suite` over the words of
 * `packages/verdict`. Leaves out the tests themselves: each passes or fails as it is told.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { type ReporterPolicy, reportSuites, type SuiteRun } from "@casebook/dispatch-suite";
import { reportHiddenNotRun } from "@casebook/guards";
import type { Disk } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { exitCodeFor, tallyOf, type Verdict } from "@casebook/verdict";
import { Volume } from "memfs";

const EPOCH = "2026-08-19T09:00:00Z";
const MODULES = "/project/node_modules";

interface Suite {
  readonly name: string;
  readonly needs: readonly string[];
  readonly passing: number;
  readonly failing: number;
}

/** Of the two that did not load nobody knows how many tests they have; 3 is ours, and is seen in the control only. */
const RERUN: readonly Suite[] = [
  { name: "atomic write", needs: [], passing: 9, failing: 0 },
  { name: "addresses of the local network", needs: [], passing: 5, failing: 0 },
  { name: "long-horizon planning", needs: ["yaml"], passing: 3, failing: 0 },
  { name: "two-phase dispatch", needs: ["an-sdk"], passing: 3, failing: 0 },
  { name: "publication boundary", needs: [], passing: 0, failing: 1 },
];

export interface Rerun {
  /** What is there. */
  readonly installed: readonly string[];
  /** What the report does with a suite that did not load. */
  readonly reporter: ReporterPolicy;
  /** Names of suites. */
  readonly planned: readonly string[];
  readonly watcher: "nobody" | "guard";
}

/** A runner enters a suite when all that it needs is there. */
async function runSuite({ disk }: { readonly disk: Disk }, { name, needs, passing, failing }: Suite): Promise<SuiteRun> {
  for (const needed of needs) {
    const isThere = await disk.stat(`${MODULES}/${needed}/package.json`).then(() => true, () => false);
    if (!isThere) return { suite: name, isLoaded: false, missing: needed, command: `node --test ${name.replaceAll(" ", "-")}`, firstLines: [`Cannot find package '${needed}'`] };
  }
  return { suite: name, isLoaded: true, passed: passing, failed: failing };
}

export interface Seen extends Facts {
  readonly suites: number;
  /** Suites of which a test was entered. */
  readonly entered: number;
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly exitCode: number;
  /** One line for each suite, in the order in which they ran. */
  readonly rows: readonly string[];
  /** Suites that did not load, of which the report keeps what the environment said. */
  readonly evidence: number;
  /** Failures that somebody has put into a class: product defect, or stale test. No tool does. */
  readonly classified: number;
  readonly alarms: readonly string[];
}

async function oneRerun({ ports }: World, { reporter, planned, watcher }: Rerun): Promise<Seen> {
  const runs: SuiteRun[] = [];
  for (const suite of RERUN) if (planned.includes(suite.name)) runs.push(await runSuite(ports, suite));
  const reported = runs.map((run) => ({ run, verdicts: reportSuites([run], reporter) }));
  const verdicts = reported.flatMap((one) => one.verdicts);
  const tally = tallyOf(verdicts);
  const finding = reportHiddenNotRun(reported.map(({ run, verdicts: own }) => ({ suite: run.suite, bodiesRun: run.isLoaded ? run.passed + run.failed : 0, ...tallyOf(own), hasEvidence: own.some(hasEvidence) })));
  return {
    suites: runs.length,
    entered: runs.filter(({ isLoaded }) => isLoaded).length,
    ...tally,
    exitCode: exitCodeFor(tally),
    rows: reported.map(({ run, verdicts: own }) => rowOf(run.suite, own)),
    evidence: reported.filter(({ run, verdicts: own }) => !run.isLoaded && own.some(hasEvidence)).length,
    classified: verdicts.filter((one) => one.verdict === "FAIL" && one.annotation !== undefined).length,
    alarms: watcher === "guard" && finding !== undefined ? [finding.guard] : [],
  };
}

function hasEvidence(one: Verdict): boolean {
  return one.evidence?.command !== undefined && (one.evidence.firstLines ?? []).length > 0;
}

function rowOf(suite: string, verdicts: readonly Verdict[]): string {
  const [first] = verdicts;
  if (first === undefined) return `${suite}: (no row)`;
  if (first.verdict === "NOT RUN") return `${suite}: NOT RUN ${first.reason}`;
  const { passed, failed } = tallyOf(verdicts);
  return failed > 0 ? `${suite}: FAIL ${failed}` : `${suite}: PASS ${passed}`;
}

function disk({ installed }: Rerun): Volume {
  const volume = new Volume();
  volume.mkdirSync(MODULES, { recursive: true });
  for (const name of installed) {
    volume.mkdirSync(`${MODULES}/${name}`);
    volume.writeFileSync(`${MODULES}/${name}/package.json`, "{}");
  }
  return volume;
}

function scene(name: string, rerun: Rerun, expect: Seen): Scene<Rerun, Seen> {
  return { name, disk, run: oneRerun, with: rerun, expect };
}

const ALL = RERUN.map(({ name }) => name);
const SHOWN_AS_PASS: Rerun = { installed: [], reporter: "shown-as-pass", planned: ALL, watcher: "nobody" };

const rows = (planning: string, dispatch: string): string[] => ["atomic write: PASS 9", "addresses of the local network: PASS 5", `long-horizon planning: ${planning}`, `two-phase dispatch: ${dispatch}`, "publication boundary: FAIL 1"];
const HONEST: Seen = { suites: 5, entered: 3, planned: 17, passed: 14, failed: 1, notRun: 2, exitCode: 1, rows: rows("NOT RUN missing-dependency", "NOT RUN missing-dependency"), evidence: 2, classified: 0, alarms: [] };
const GREENER: Seen = { ...HONEST, passed: 16, notRun: 0, rows: rows("PASS 1", "PASS 1"), evidence: 0 };
const FEWER: Seen = { ...HONEST, planned: 15, notRun: 0, rows: rows("(no row)", "(no row)"), evidence: 0 };
const REDDER: Seen = { ...HONEST, failed: 3, notRun: 0, rows: rows("FAIL 1", "FAIL 1"), evidence: 0 };
const BARE: Seen = { ...HONEST, evidence: 0 };

export const shownAsPass = scene("shown-as-pass", SHOWN_AS_PASS, GREENER);
/** The article's own rerun: 14 passed, 1 failed, 2 not run. */
export const notRun = scene("not-run", { ...SHOWN_AS_PASS, reporter: "not-run", watcher: "guard" }, HONEST);
export const complete = scene("complete", { ...notRun.with, installed: ["yaml", "an-sdk"] }, { ...HONEST, entered: 5, planned: 21, passed: 20, notRun: 0, rows: rows("PASS 3", "PASS 3"), evidence: 0 });
export const leftOut = scene("left-out", { ...SHOWN_AS_PASS, reporter: "left-out" }, FEWER);
export const shownAsFail = scene("shown-as-fail", { ...SHOWN_AS_PASS, reporter: "shown-as-fail" }, REDDER);
export const bare = scene("without-evidence", { ...SHOWN_AS_PASS, reporter: "without-evidence" }, BARE);

/** The same without the suite that fails, so that nothing else makes it red: the exit code is the report. */
const FOUR = ALL.slice(0, 4);
const four = (seen: Seen, other: Partial<Seen>): Seen => ({ ...seen, suites: 4, planned: seen.planned - 1, failed: seen.failed - 1, rows: seen.rows.slice(0, 4), ...other });
export const allGreen = scene("all-green", { ...SHOWN_AS_PASS, planned: FOUR }, four(GREENER, { entered: 2, exitCode: 0 }));
export const notGreen = scene("not-green", { ...notRun.with, planned: FOUR }, four(HONEST, { entered: 2, exitCode: 3 }));
export const green = scene("green", { ...complete.with, planned: FOUR }, four(complete.expect, { entered: 4, exitCode: 0 }));

const ALARM = ["report/hidden-not-run"];
/** What an operator can do without touching the report: hold it against what the runner entered. */
const watchedBy = (name: string, { with: rerun, expect }: Scene<Rerun, Seen>) => scene(name, { ...rerun, watcher: "guard" }, { ...expect, alarms: ALARM });
export const watchedPass = watchedBy("watched-pass", shownAsPass);
export const watchedGreen = watchedBy("watched-green", allGreen);
export const watchedOut = watchedBy("watched-out", leftOut);
export const watchedFail = watchedBy("watched-fail", shownAsFail);
export const watchedBare = watchedBy("watched-bare", bare);

export const repro = defineRepro({
  id: "017",
  claim: "A suite that does not load is neither passed nor failed, and a report that has only those two words shows 16 of 17 as passed where 14 are.",
  seed: 17,
  epoch: EPOCH,
  broken: shownAsPass,
  fixed: notRun,
  control: complete,
  shown: [shownAsPass, leftOut, shownAsFail, notRun, complete],
  more: [bare, allGreen, notGreen, green, watchedPass, watchedGreen, watchedOut, watchedFail, watchedBare],
  print: (modes) => modes.flatMap(({ name, facts }) => [`mode=${name.padEnd(16)} ${counters(facts)}`, ...(name === "not-run" ? facts.rows.map((row) => `  ${row}`) : [])]),
});

function counters({ suites, entered, planned, passed, failed, notRun: open, exitCode, evidence, classified, alarms }: Seen): string {
  const isSilent = evidence < suites - entered && alarms.length === 0;
  return (
    `suites=${suites} entered=${entered} planned=${planned} passed=${passed} failed=${failed} not_run=${open} exit=${exitCode} ` +
    `evidence=${evidence}/${suites - entered} classified=${classified}/${failed} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
