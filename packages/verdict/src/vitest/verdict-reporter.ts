/**
 * A vitest reporter that keeps NOT RUN apart from FAIL and from skipped. Quiet when green, and its last
 * line is plain: `N passed, N failed`. Leaves out durations and the summaries of snapshots and coverage.
 */

import type { UserConsoleLog } from "vitest";
import type {
  Reporter,
  TestModule,
  TestProject,
  TestRunEndReason,
  TestSpecification,
  Vitest,
} from "vitest/node";

import { relativePath, type ErrorLike } from "./error-text.ts";
import { fileId, judgeModule } from "./judge-module.ts";
import { judgeRun, type JudgedRun, type RunFacts, type Stop } from "./judge-run.ts";
import {
  failBlocks,
  fileLine,
  neverPlannedLine,
  notRunBlocks,
  nothingSelectedLine,
  skippedLines,
} from "./print.ts";
import { renderError } from "./render-error.ts";
import { selectionOf } from "./selection.ts";
import { writeReports, type ReportPaths } from "./write-reports.ts";
import { compareText } from "../compare-text.ts";
import { EXIT, exitCodeFor, type ExitCode, notRunLine, plainLine, tallyOf } from "../words/index.ts";
import { createResultDocument, type ResultDocument } from "../result-document.ts";

export type VerdictReporterOptions = ReportPaths;

export class VerdictReporter implements Reporter {
  readonly #options: VerdictReporterOptions;
  #vitest: Vitest | undefined;
  #specifications: readonly TestSpecification[] = [];
  #running = false;
  /** What is said at the end, held back until vitest closes: coverage and other reporters print after a run. */
  #closingLines: readonly string[] | undefined;
  #exitCode: ExitCode | undefined;

  constructor(options: VerdictReporterOptions = {}) {
    this.#options = options;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    // vitest leaves on these signals without ending the run, so nobody would hear what was found so far.
    const onInterrupt = () => this.#interrupted(vitest, EXIT.interrupted);
    const onTerminate = () => this.#interrupted(vitest, undefined);
    process.once("SIGINT", onInterrupt);
    process.once("SIGTERM", onTerminate);
    vitest.onClose(() => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
      this.#close(vitest);
    });
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#specifications = specifications;
    this.#running = true;
  }

  onTestModuleEnd(module: TestModule): void {
    const vitest = this.#vitest;
    if (vitest === undefined || besideAnother(vitest, this)) return;
    const facts = this.#facts(vitest, [], "none");
    const judged = judgeModule(module, { ...facts, unfinished: STILL_RUNNING });
    // A `-t` over a hundred files is about the one it names.
    if (judged.judged.length === 0 && judged.outside.length === 0 && judged.notSelected > 0) return;
    const file = relativePath(facts.root, module.moduleId);
    vitest.logger.log(fileLine(fileId(module.project.name, file), judged));
  }

  onUserConsoleLog(log: UserConsoleLog): void {
    const vitest = this.#vitest;
    if (vitest === undefined || besideAnother(vitest, this) || vitest.config.silent === true) return;
    if (vitest.config.onConsoleLog?.(log.content, log.type, undefined) === false) return;
    const { errorStream, outputStream } = vitest.logger;
    (log.type === "stderr" ? errorStream : outputStream).write(log.content);
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    unhandled: readonly ErrorLike[],
    reason: TestRunEndReason,
  ): void {
    const vitest = this.#vitest;
    if (vitest === undefined) return;
    this.#running = false;
    const bails = (vitest.config.bail ?? 0) > 0;
    const stop = reason !== "interrupted" ? "none" : bails ? "bailed" : "interrupted";
    this.#report(vitest, unhandled, stop);
    if (vitest.config.watch) this.#close(vitest);
  }

  #report(vitest: Vitest, unhandled: readonly ErrorLike[], stop: Stop): void {
    const run = judgeRun(this.#facts(vitest, unhandled, stop));
    const document = createResultDocument({
      tool: { name: "vitest", version: vitest.version },
      selection: selectionOf(vitest),
      results: run.judged.map(({ result }) => result),
      outside: run.outside,
    });
    const problems = writeReports(document, this.#options, vitest.config.root);
    this.#closingLines = [
      ...this.#blocks(vitest, run),
      ...problems,
      ...this.#lastLines(document, run),
    ];
    this.#exitCode = stop === "interrupted" ? EXIT.interrupted : exitCodeFor(document.tally);
    // A report that could not be written is a matter of configuration; any other news is more important.
    if (problems.length > 0 && this.#exitCode === EXIT.clean) this.#exitCode = EXIT.usage;
    raiseExitCode(this.#exitCode);
  }

  #blocks(vitest: Vitest, { judged, outside }: JudgedRun): string[] {
    const render = besideAnother(vitest, this)
      ? undefined
      : (error: ErrorLike, project: TestProject | undefined) =>
          renderError(vitest, error, project ?? vitest.getRootProject());
    const sorted = judged.toSorted((a, b) => compareText(a.result.id, b.result.id));
    return [...skippedLines(outside), ...notRunBlocks(sorted), ...failBlocks(sorted, render)];
  }

  #lastLines({ outside, results, selection, tally }: ResultDocument, run: JudgedRun): string[] {
    const selected = { files: this.#specifications.length, notSelected: run.notSelected };
    const nothing = { ...selected, selection, skipped: outside.length };
    return [
      "",
      ...(tally.planned === 0 ? [nothingSelectedLine(nothing)] : []),
      notRunLine(results),
      plainLine(tally, outside.length),
    ];
  }

  #close(vitest: Vitest): void {
    if (this.#closingLines === undefined) {
      // vitest gave up before it planned anything, for example on a line filter it cannot follow.
      this.#closingLines = ["", neverPlannedLine(), notRunLine([]), plainLine(tallyOf([]))];
      this.#exitCode = EXIT.usage;
    }
    for (const line of this.#closingLines) vitest.logger.log(line);
    this.#closingLines = [];
    // vitest sets 1 once more after a global setup that threw.
    const nothingBegan = this.#specifications.every(({ testModule }) => testModule === undefined);
    if (nothingBegan && this.#exitCode !== undefined) raiseExitCode(this.#exitCode);
  }

  /** Everything in here is synchronous: vitest ends the process a millisecond later. */
  #interrupted(vitest: Vitest, exitCode: ExitCode | undefined): void {
    if (!this.#running) return;
    this.#running = false;
    this.#report(vitest, vitest.state.getUnhandledErrors() as readonly ErrorLike[], "interrupted");
    this.#close(vitest);
    process.exitCode = exitCode ?? process.exitCode;
  }

  #facts(vitest: Vitest, unhandled: readonly ErrorLike[], stop: Stop): RunFacts {
    const { config } = vitest;
    return {
      root: config.root,
      versions: { node: process.versions.node, vitest: vitest.version },
      namePattern: config.testNamePattern,
      specifications: this.#specifications,
      unhandled: config.dangerouslyIgnoreUnhandledErrors ? [] : unhandled,
      stop,
      sharded: config.shard !== undefined,
    };
  }
}

/** While a file is being counted nothing is known yet about why a test of it has not ended. */
const STILL_RUNNING = { reason: "timed-out", message: "the run has not ended", lines: [] } as const;

/** Whether one of vitest's own printing reporters runs too; then it draws files, failures and console output. */
function besideAnother(vitest: Vitest, self: Reporter): boolean {
  // In fact public: `reporters` is only missing from vitest's types.
  const { reporters = [] } = vitest as unknown as { reporters?: readonly Reporter[] };
  return reporters.some((one) => one !== self && "printTestModule" in one);
}

/** Never turns somebody else's failure (coverage thresholds, type errors) into a pass. */
function raiseExitCode(code: ExitCode): void {
  if (code !== EXIT.clean || process.exitCode === undefined) process.exitCode = code;
}
