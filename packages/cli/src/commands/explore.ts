/**
 * `casebook explore <id>`: searches the systems of a case through schedules and faults, and prints the smallest failing execution
 * of each finding with the line that replays it. Writes nothing, but into the folder named with `--save`.
 */
import { explore as search, type AnySystem, type ExploreOptions, type ExploreReport, type Finding, readToken, replay, type TraceDocument, traceDocument, Watch } from "@casebook/explore";
import { asynchronousRunner, type Runner } from "@casebook/sim/kernel";
import { findRunner, immediates } from "@casebook/sim/node";
import { EXIT } from "@casebook/verdict";
import { type Answer, documentText } from "../answer.ts";
import { nearest } from "../nearest.ts";
import { UsageError } from "../usage-error.ts";
import { exploreText } from "./explore-human.ts";
import { type ExploreWords, readExploreOptions } from "./explore-options.ts";
import { checkFolder, saveFindings } from "./explore-save.ts";
import { type NoVerdict, noVerdict } from "./no-verdict.ts";
import { type Library, searchableCase } from "./searchable.ts";

/** One system after its search. */
export interface Searched {
  readonly system: AnySystem;
  readonly report: ExploreReport;
  readonly found: readonly { readonly finding: Finding; readonly trace: TraceDocument }[];
  readonly outcome: "as expected" | "not as expected" | "no verdict";
}

export interface ExploreMachine {
  readonly library: Library;
  /** Columns for the diagram. */
  readonly width: number | undefined;
  /** Writes over the line of progress; undefined: nobody looks. */
  readonly progress: ((line: string) => void) | undefined;
  /** Calls back when the person wants to stop. Answers how to stop listening. */
  readonly onInterrupt: (interrupt: () => void) => () => void;
}

export async function explore(id: string, words: ExploreWords, machine: ExploreMachine = thisMachine()): Promise<Answer> {
  const options = readExploreOptions(words);
  const { number, systems, source } = await machine.library(id);
  const selected = selectSystems(systems, words.system);
  if (words.save !== undefined) checkFolder(words.save, selected);
  let isInterrupted = false;
  const stopListening = machine.onInterrupt(() => (isInterrupted = true));
  const searched: Searched[] = [];
  try {
    const runner = await findRunner();
    for (const system of selected) {
      if (isInterrupted) break;
      searched.push(await searchOne(system, runner, { ...options, source, isInterrupted: () => isInterrupted }, machine.progress));
    }
  } finally {
    stopListening();
    machine.progress?.("");
  }
  const { written: saved, problem } = words.save === undefined ? { written: [], problem: undefined } : saveFindings(words.save, searched);
  const notSearched = selected.slice(searched.length).map(({ name }) => name);
  return {
    text:
      words.json === true
        ? documentText({ case: number, systems: searched.map(documentOf), notSearched, saved })
        : exploreText(searched, { notSearched, saved, width: machine.width }),
    ...(problem === undefined ? {} : { aside: `casebook: not everything could be saved: ${problem}\n` }),
    exitCode: isInterrupted ? EXIT.interrupted : exitOf(searched, problem !== undefined),
  };
}

async function searchOne(system: AnySystem, runner: Runner, options: ExploreOptions, progress: ExploreMachine["progress"]): Promise<Searched> {
  try {
    const report = await search(system, runner, { ...options, ...progressOf(system, progress), strict: asynchronousRunner(immediates) });
    const found = [];
    for (const finding of report.findings) found.push({ finding, trace: await traceOf(system, finding.token, runner) });
    return { system, report, found, outcome: outcomeOf(system, report) };
  } catch (thrown) {
    return { system, report: broken(system, options, noVerdict(thrown)), found: [], outcome: "no verdict" };
  }
}

/** Often enough to be seen to move, seldom enough to cost nothing. */
const SHOWN_EVERY = 500;

function progressOf(system: AnySystem, progress: ExploreMachine["progress"]): Pick<ExploreOptions, "onArm" | "onJudged"> {
  if (progress === undefined) return {};
  let executions = 0;
  let arm = "";
  const show = (): void => progress(`${system.name}: ${arm}, ${executions} executions`);
  return {
    onArm: ({ number, planned, faults }) => {
      arm = `arm ${number} of ${planned}, ${faults}`;
      show();
    },
    onJudged: () => {
      executions += 1;
      if (executions % SHOWN_EVERY === 0) show();
    },
  };
}

async function traceOf(system: AnySystem, text: string, runner: Runner): Promise<TraceDocument> {
  const read = readToken(text);
  if (read.outcome !== "token") throw new Error(read.message);
  const watch = new Watch();
  const replayed = await replay(system, read.token, runner, { watch });
  if (replayed.outcome !== "replayed") {
    throw Object.assign(new Error(`SYSTEM_NOT_REPEATABLE: its finding cannot be replayed, ${replayed.says}`), { code: "SYSTEM_NOT_REPEATABLE" });
  }
  return traceDocument(system, { execution: replayed.simulation.execution, watch, judged: replayed.judged, token: text, source: read.token.source });
}

/** A planned part without an answer is no verdict, unless there is a finding that nobody expected. */
function outcomeOf({ expect = "holds" }: AnySystem, { verdict, failed, notRun }: ExploreReport): Searched["outcome"] {
  if (expect === "holds" && failed > 0) return "not as expected";
  if (verdict === "interrupted" || notRun > 0) return "no verdict";
  return (failed > 0) === (expect === "fails") ? "as expected" : "not as expected";
}

function exitOf(searched: readonly Searched[], isUnsaved: boolean): Answer["exitCode"] {
  if (searched.some(({ outcome }) => outcome === "not as expected")) return EXIT.findings;
  return isUnsaved || searched.some(({ outcome }) => outcome === "no verdict") ? EXIT.noVerdict : EXIT.clean;
}

/** The report of a search that could not be made. */
function broken(system: AnySystem, options: ExploreOptions, { reason, says }: NoVerdict): ExploreReport {
  const { budget = 0, seed = 1, strategy = "mix", reduction = "default", faults = "singles" } = options;
  return {
    system: system.name,
    verdict: "not-run",
    planned: 1, exhausted: 0, sampled: 0, failed: 0, notRun: 1,
    executions: 0, blocked: 0, steps: 0,
    findings: [], notRunBecause: [`(${reason}) ${says}`], cells: [], pairsNotMet: 0, sometimes: [], points: [],
    bounds: { budget, seed, strategy, reduction, faults, durability: system.durability ?? "kill" },
  };
}

function selectSystems(systems: readonly AnySystem[], wanted: string | undefined): readonly AnySystem[] {
  if (wanted === undefined) return systems;
  const names = systems.map(({ name }) => name);
  const found = systems.filter(({ name }) => name === wanted || name.split("/")[1] === wanted);
  if (found.length > 0) return found;
  const meant = nearest(wanted, [...names, ...names.map((name) => name.split("/")[1] ?? name)]);
  throw new UsageError(`no system ${JSON.stringify(wanted)}. ${meant === undefined ? "" : `Did you mean ${meant}? `}Known: ${names.join(", ")}.`);
}

function documentOf({ system, report, outcome }: Searched): object {
  const { verdict, planned, exhausted, sampled, failed, notRun, executions, blocked, steps, bounds, notRunBecause, cells, pairsNotMet, sometimes } = report;
  return {
    system: system.name,
    claim: system.claim,
    expected: system.expect ?? "holds",
    verdict,
    outcome,
    arms: { planned, exhausted, sampled, failed, notRun },
    executions, blocked, steps, bounds, notRunBecause, cells, pairsNotMet, sometimes,
    findings: report.findings.map(({ check, says, faults, arms, shrunk, token }) => ({
      check, says, faults, arms,
      switches: shrunk.preemptions,
      steps: shrunk.failure.steps,
      before: { faults: shrunk.before.faults, switches: shrunk.before.preemptions, steps: shrunk.before.steps },
      isLeast: shrunk.isLeast,
      tried: shrunk.tried,
      token,
    })),
  };
}

/** Ctrl-C ends the search and not the answer; a second one ends the process as ever. */
function thisMachine(): ExploreMachine {
  const { stdout, stderr } = process;
  const isLive = stderr.isTTY && process.env["TERM"] !== "dumb";
  return {
    library: searchableCase,
    width: stdout.columns,
    progress: isLive ? (line) => void stderr.write(`\r\u001b[K${line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`) : undefined,
    onInterrupt(interrupt) {
      process.once("SIGINT", interrupt);
      return () => void process.removeListener("SIGINT", interrupt);
    },
  };
}
