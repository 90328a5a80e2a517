/**
 * The search over one system: first without faults, then with each single fault at each point that was reached, then with pairs.
 * Each of these arms is searched exhaustively for as long as half of its budget lasts, then by random schedules and random
 * priorities in turn. Stops at the first finding of each check, shrinks it, and answers with one line that replays it.
 */
import {
  type ArmedFault,
  conflict,
  createSimulation,
  type Execution,
  faultText,
  type Operation,
  type Runner,
  type Simulation,
  type SimulationOptions,
} from "@casebook/sim/kernel";
import { createStream } from "@casebook/sim/kernel";
import { createExhaustive, type Exhaustive, type Reduction } from "./exhaustive.ts";
import { audit, type Audited, SAMPLE_EVERY, type Sample, sampleOf } from "./audit.ts";
import { type Judged, judge, stepChecks } from "./judge.ts";
import type { Conflicts } from "./races.ts";
import { byPriority, createTouches, placeInOrder, randomly, type Touches } from "./strategies.ts";
import type { System } from "./system.ts";
import type { Watch } from "./trace/watch.ts";

export type Strategy = "mix" | "exhaustive" | "sampled" | "random" | "priorities";

export interface SearchOptions {
  /** Executions for each arm. Default 2,000. */
  readonly budget?: number;
  /** Of the random strategies. Default 1. */
  readonly seed?: number;
  /** `sampled`: random schedules and random priorities in turn. `mix`, the default: exhaustive under half of the budget, then sampled. */
  readonly strategy?: Strategy;
  /** Default `races`, or `plain` where a check of each step does not say what it reads. */
  readonly reduction?: Reduction;
  /** For trying the comparison out: another answer to whether two steps conflict. */
  readonly conflicts?: Conflicts;
  /** Goes on after a finding, for counting. Default false. */
  readonly goOn?: boolean;
  /** Asked now and then; true ends the search with what it has. */
  readonly isInterrupted?: () => boolean;
  /** Told of every execution that was judged. */
  readonly onJudged?: (judged: Judged, simulation: Simulation<never>) => void;
}

/** An execution that fails, as it can be repeated. */
export interface Failure {
  readonly check: string;
  readonly says: string;
  readonly faults: readonly ArmedFault[];
  readonly choices: readonly number[];
  readonly hash: string;
  readonly steps: number;
  /** Of each chosen step, for shrinking: see `placeInOrder`. */
  readonly order: readonly number[];
  /** Which execution of its arm found it, from 1. */
  readonly found: number;
}

export interface ArmReport {
  readonly faults: readonly ArmedFault[];
  /** Played to an end. */
  readonly complete: number;
  readonly blocked: number;
  readonly steps: number;
  /** Whether every schedule was covered; else it was sampled. */
  readonly isExhausted: boolean;
  /** For each armed fault: executions in which it fired. */
  readonly fired: readonly number[];
  /** Executions in which all of them did. */
  readonly firedTogether: number;
  readonly failure: Failure | undefined;
  /** Distinct failing checks, counted in executions. */
  readonly failures: ReadonlyMap<string, number>;
  readonly notRun: { readonly reason: "timed-out" | "unsupported" | "unstable-input"; readonly says: string; readonly count: number } | undefined;
  readonly reached: ReadonlyMap<string, number>;
  /** For each process the most port calls that it was seen to make. */
  readonly calls: ReadonlyMap<string, number>;
  readonly sometimes: ReadonlyMap<string, number>;
}

export function simulationOf<Facts>(
  system: System<Facts>,
  chooser: SimulationOptions["chooser"],
  faults: readonly ArmedFault[],
  templates?: Parameters<typeof createSimulation<Facts>>[2],
  isWatched = false,
  watch?: Watch,
): Simulation<Facts> {
  const checks = stepChecks(system);
  const afterStep = watch === undefined ? checks : watch.before(checks);
  const { durability, healMs, maxSteps, maxVirtualMs } = system;
  return createSimulation(
    system.build,
    {
      chooser: watch === undefined ? chooser : watch.around(chooser),
      faults,
      healMs,
      durability,
      isWatched,
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxVirtualMs === undefined ? {} : { maxVirtualMs }),
      ...(afterStep === undefined ? {} : { afterStep }),
    },
    templates,
  );
}

/** Searches one arm: one set of armed faults. */
export async function searchArm<Facts>(
  system: System<Facts>,
  faults: readonly ArmedFault[],
  runner: Runner,
  options: SearchOptions,
  touches: Touches = createTouches(),
): Promise<ArmReport> {
  const budget = options.budget ?? DEFAULT_BUDGET;
  const strategy = options.strategy ?? "mix";
  const { reduction, conflicts } = reductionOf(system, options);
  const exhaustive = strategy === "mix" || strategy === "exhaustive" ? createExhaustive(reduction, conflicts) : undefined;
  const exhaustiveBudget = strategy === "exhaustive" ? budget : Math.ceil(budget / 2);
  const name = faults.map(faultText).join(" and ");
  const templates: Parameters<typeof createSimulation<Facts>>[2] = new Map();
  const tally = createTally(system, faults);
  let begun = 0;
  let mode: "exhaustive" | "sampled" = exhaustive === undefined ? "sampled" : "exhaustive";
  let simulation: Simulation<Facts> | undefined;
  let isExhausted = false;
  let stop = false;

  const samples: Sample<Facts>[] = [];
  const search = runner.run(
    () => {
      if (stop || isExhausted || begun >= budget || options.isInterrupted?.() === true) return undefined;
      if (mode === "exhaustive" && begun >= exhaustiveBudget && strategy === "mix") mode = "sampled";
      begun += 1;
      if (mode === "exhaustive") (exhaustive as Exhaustive).begin();
      const chooser = mode === "exhaustive" ? (exhaustive as Exhaustive) : sampler(strategy, options.seed ?? 1, `${name} ${begun}`, begun, touches);
      simulation = simulationOf(system, chooser, faults, templates, begun % SAMPLE_EVERY === 1);
      return simulation.execution;
    },
    (execution) => {
      const played = simulation as Simulation<Facts>;
      const judged = judge(system, played);
      tally.add(judged, played, begun);
      touches.learn(execution);
      options.onJudged?.(judged, played as Simulation<never>);
      const isKept = judged.verdict === "fails" ? !tally.hasFailedBefore() : judged.verdict === "holds" && begun % SAMPLE_EVERY === 1;
      if (isKept) samples.push(sampleOf(played));
      if (judged.verdict === "not-run" && judged.reason === "unsupported") stop = true;
      if (judged.verdict === "fails" && options.goOn !== true) stop = true;
      else if (mode === "exhaustive" && !(exhaustive as Exhaustive).end(execution)) isExhausted = true;
    },
  );
  await search.catch((failure: unknown) => {
    if (errorCode(failure) !== NEVER_YIELDS) throw failure;
    tally.cannotSay({ reason: "timed-out", says: (failure as Error).message, voidsFailure: false });
  });
  const audited = tally.hasCapped() ? undefined : await audit(system, samples, runner, { conflicts, isReduced: exhaustive !== undefined && reduction !== "plain" });
  if (audited !== undefined) tally.cannotSay(audited);
  return tally.report(isExhausted && !tally.hasCapped(), exhaustive?.blocked ?? 0);
}

/** Thrown by a runner that stopped a step which did not come to rest. */
export const NEVER_YIELDS = "SYSTEM_NEVER_YIELDS";

function errorCode(failure: unknown): string {
  return failure instanceof Error ? ((failure as { code?: string }).code ?? "") : "";
}

export const DEFAULT_BUDGET = 2_000;

function reductionOf<Facts>(system: System<Facts>, options: SearchOptions): { reduction: Reduction; conflicts: Conflicts } {
  const eachStep = system.checks.filter(({ when }) => when === "each-step");
  const isBlind = eachStep.some(({ reads }) => reads === undefined);
  const conflicts = options.conflicts ?? conflict;
  const visible = new Set(eachStep.flatMap(({ reads = [] }) => reads));
  return { reduction: options.reduction ?? (isBlind ? "plain" : "races"), conflicts: visible.size === 0 ? conflicts : alsoVisible(conflicts, visible) };
}

/** What a check of each step can tell apart has to keep its order. */
function alsoVisible(conflicts: Conflicts, visible: ReadonlySet<string>): Conflicts {
  const isVisible = ({ plan }: Operation): boolean => plan.shared !== undefined && plan.access !== "read" && visible.has(plan.shared);
  return (one, other) => conflicts(one, other) || (isVisible(one) && isVisible(other));
}

function sampler(strategy: Strategy, seed: number, purpose: string, begun: number, touches: Touches) {
  const stream = createStream(seed, `schedule ${purpose}`);
  const isRandom = strategy === "random" || (strategy !== "priorities" && begun % 2 === 1);
  return isRandom ? randomly(stream) : byPriority(stream, PRIORITY_DEPTH, touches);
}

/** Three orderings find nearly all bugs that were ever counted. */
const PRIORITY_DEPTH = 3;

function createTally<Facts>(system: System<Facts>, faults: readonly ArmedFault[]) {
  const fired = faults.map(() => 0);
  const reached = new Map<string, number>();
  const calls = new Map<string, number>();
  const failures = new Map<string, number>();
  const sometimes = new Map(Object.keys(system.sometimes ?? {}).map((name) => [name, 0]));
  const countsCalls = (system.faults?.steps ?? []).length > 0;
  let firedTogether = 0;
  let complete = 0;
  let steps = 0;
  let failure: Failure | undefined;
  let failuresSeen = 0;
  let notRun: { reason: "timed-out" | "unsupported" | "unstable-input"; says: string; count: number } | undefined;

  return {
    hasCapped: () => notRun !== undefined,
    hasFailedBefore: () => failuresSeen > 1,
    /** No verdict about the whole arm. */
    cannotSay({ reason, says, voidsFailure }: Audited): void {
      notRun = { reason, says, count: (notRun?.count ?? 0) + 1 };
      if (voidsFailure) failure = undefined;
    },
    add(judged: Judged, { execution, facts }: Simulation<Facts>, begun: number): void {
      steps += execution.steps.length;
      for (const [point, count] of execution.seen.reached) reached.set(point, (reached.get(point) ?? 0) + count);
      if (judged.verdict === "given-up") return;
      if (countsCalls) countCalls(execution, calls);
      complete += 1;
      execution.faults.forEach((state, at) => void (state.fired > 0 && (fired[at] = (fired[at] as number) + 1)));
      if (execution.faults.every((state) => state.fired > 0)) firedTogether += 1;
      if (judged.verdict === "not-run") {
        notRun = { reason: judged.reason, says: notRun?.says ?? judged.says, count: (notRun?.count ?? 0) + 1 };
        return;
      }
      const seen = facts();
      for (const [name, holds] of Object.entries(system.sometimes ?? {})) if (holds(seen)) sometimes.set(name, (sometimes.get(name) ?? 0) + 1);
      if (judged.verdict !== "fails") return;
      failuresSeen += 1;
      failures.set(judged.check, (failures.get(judged.check) ?? 0) + 1);
      failure ??= failureOf(judged, execution, begun);
    },
    report: (isExhausted: boolean, blocked: number): ArmReport => ({
      faults, complete, blocked, steps, isExhausted, fired, firedTogether, failure, failures, notRun, reached, calls, sometimes,
    }),
  };
}

function countCalls({ steps, chosenSteps }: Execution, most: Map<string, number>): void {
  const counts = new Map<string, number>();
  for (const { process, plan } of steps.slice(0, chosenSteps)) if (plan.isOfWorld !== true) counts.set(process.name, (counts.get(process.name) ?? 0) + 1);
  for (const [name, count] of counts) most.set(name, Math.max(count, most.get(name) ?? 0));
}

export function failureOf(judged: Judged & { verdict: "fails" }, execution: Execution, found: number): Failure {
  return {
    check: judged.check,
    says: judged.says,
    faults: execution.options.faults,
    choices: [...execution.choices],
    hash: execution.hash(),
    steps: execution.steps.length,
    order: execution.steps.slice(0, execution.chosenSteps).map(placeInOrder),
    found,
  };
}
