/**
 * The whole search: no fault, singles at every point that was reached, then pairs in both orders, the second aimed at the recovery
 * from the first, also at points that are reached there only. Answers with counts that add up, the coverage as point × kind, and for each failing check the smallest failing execution.
 */
import { type ArmedFault, canStrike, createStream, type Durability, type FaultKind, faultText, placeOf, type Runner, STEP } from "@casebook/sim/kernel";
import type { Reduction } from "./exhaustive.ts";
import { type ArmReport, DEFAULT_BUDGET, searchArm, type SearchOptions, NEVER_YIELDS } from "./search.ts";
import { shrink, type Shrunk } from "./shrink.ts";
import { createTouches } from "./strategies.ts";
import type { System } from "./system.ts";
import { replay } from "./replay.ts";
import { KERNEL_VERSION, type Token, tokenText } from "./token.ts";

export interface ExploreOptions extends SearchOptions {
  /** How far the faults go. Default `singles`. */
  readonly faults?: "none" | "singles" | "pairs";
  /** Of all pairs so many are drawn by the seed; the bounds say of how many. Default: all are played. */
  readonly pairs?: number;
  /** Hash of the source, for the token. */
  readonly source?: string;
  /** Plays each shrunk failure twice more before it is believed; a stricter barrier than the search has. Default: the same runner. */
  readonly strict?: Runner;
  /** Told before each arm. */
  readonly onArm?: (arm: { readonly number: number; readonly planned: number; readonly faults: string; readonly executions: number }) => void;
}

export interface Finding {
  readonly check: string;
  readonly says: string;
  /** As people read them. */
  readonly faults: readonly string[];
  readonly shrunk: Shrunk;
  readonly token: string;
  /** Arms in which the check failed. */
  readonly arms: number;
}

/** One cell of the coverage: what a kind did at a point. Cells are no part of the planned count. */
export interface Cell {
  readonly point: string;
  readonly kind: FaultKind;
  /** Executions in which it fired; 0 is a cell that was not run. */
  readonly fired: number;
}

export interface ExploreReport {
  readonly system: string;
  readonly verdict: "exhausted" | "sampled" | "failed" | "not-run" | "interrupted";
  /** Arms that were planned, and what became of them; they add up. */
  readonly planned: number;
  readonly exhausted: number;
  readonly sampled: number;
  readonly failed: number;
  readonly notRun: number;
  readonly executions: number;
  readonly blocked: number;
  readonly steps: number;
  readonly findings: readonly Finding[];
  readonly notRunBecause: readonly string[];
  readonly cells: readonly Cell[];
  /** Pairs of which no execution fired both. */
  readonly pairsNotMet: number;
  /** Never reached is a gap in the search, not a failure of the system. */
  readonly sometimes: readonly { readonly name: string; readonly executions: number }[];
  readonly points: readonly string[];
  readonly bounds: { readonly budget: number; readonly seed: number; readonly strategy: string; readonly reduction: Reduction | "default"; readonly faults: string; readonly durability: Durability; /** Where not all pairs are played. */ readonly pairs?: { readonly drawn: number; readonly of: number } };
}

export async function explore<Facts>(system: System<Facts>, runner: Runner, options: ExploreOptions = {}): Promise<ExploreReport> {
  const depth = options.faults ?? "singles";
  const touches = createTouches();
  const reports: ArmReport[] = [];
  let executions = 0;
  let planned = 1;
  let isInterrupted = false;

  const search = async (faults: readonly ArmedFault[]): Promise<ArmReport | undefined> => {
    if (options.isInterrupted?.() === true) {
      isInterrupted = true;
      return undefined;
    }
    if (reports.some(isHopeless)) return undefined;
    options.onArm?.({ number: reports.length + 1, planned, faults: faults.map(faultText).join(" and ") || "no fault", executions });
    const report = await searchArm(system, faults, runner, options, touches);
    executions += report.complete + report.blocked;
    reports.push(report);
    if (options.isInterrupted?.() === true) isInterrupted = true;
    return report;
  };

  const bare = await search([]);
  const points = pointsOf(system, bare);
  const singles = depth === "none" ? [] : [...armsOf(system, points), ...stepArmsOf(system, bare), ...(system.faults?.armed ?? [])];
  planned += singles.length;
  const alone: ArmReport[] = [];
  for (const fault of singles) {
    const report = await search([fault]);
    if (report !== undefined) alone.push(report);
  }
  // Only of faults that can happen; a single that breaks the system says nothing new in company.
  const usable = alone.filter(({ fired, failure }) => (fired[0] ?? 0) > 0 && failure === undefined);
  const allPairs = depth === "pairs" ? pairsOf(system, usable, points, alone) : [];
  const pairs = drawn(allPairs, options.pairs ?? allPairs.length, options.seed ?? 1);
  planned += pairs.length;
  let pairsNotMet = 0;
  for (const { pair, isTurned } of pairs) {
    const report = await search(pair);
    if (report === undefined || report.failure !== undefined) continue;
    const turned = isTurned && !isInterrupted ? await turnedOf(pair) : undefined;
    // Which of them comes first can matter, so both ways are one arm.
    if (turned !== undefined) reports[reports.length - 1] = report.firedTogether === 0 ? turned : turned.firedTogether === 0 ? report : bothWays(report, turned);
    if (report.firedTogether === 0 && (turned?.firedTogether ?? 0) === 0) pairsNotMet += 1;
  }

  async function turnedOf([one, { after: _after, ...first }]: Pair["pair"]): Promise<ArmReport> {
    const turned = await searchArm(system, [first, { ...one, after: 0 }], runner, options, touches);
    executions += turned.complete + turned.blocked;
    if (options.isInterrupted?.() === true) isInterrupted = true;
    return turned;
  }
  return assemble();

  async function assemble(): Promise<ExploreReport> {
    const counted = reports.filter((report) => isCounted(report, reports));
    const { findings, doubts } = await findingsOf(system, counted, runner, options);
    const isBelieved = ({ failure }: ArmReport): boolean => failure !== undefined && !doubts.has(failure.check);
    const isDoubted = ({ failure }: ArmReport): boolean => failure !== undefined && doubts.has(failure.check);
    const failed = counted.filter(isBelieved).length;
    const exhausted = counted.filter(({ failure, isExhausted }) => failure === undefined && isExhausted).length;
    // Capped, or cut short: neither all of it was played nor all of its budget.
    const isOpen = (report: ArmReport): boolean => report.notRun !== undefined || (isInterrupted && report === reports.at(-1) && !report.isExhausted);
    const open = counted.filter((report) => isDoubted(report) || (report.failure === undefined && isOpen(report))).length;
    const notRun = planned - reports.length + open;
    const outside = reports.length - counted.length;
    return {
      system: system.name,
      verdict: isInterrupted ? "interrupted" : failed > 0 ? "failed" : notRun > 0 ? "not-run" : exhausted === planned - outside ? "exhausted" : "sampled",
      planned: planned - outside,
      exhausted,
      sampled: counted.length - failed - exhausted - open,
      failed,
      notRun,
      executions,
      blocked: sum(reports, ({ blocked }) => blocked),
      steps: sum(reports, ({ steps }) => steps),
      findings,
      notRunBecause: [
        ...new Set(reports.flatMap(({ notRun }) => (notRun === undefined ? [] : [`(${notRun.reason}) ${notRun.says}`]))),
        ...[...doubts].map(([check, says]) => `(unstable-input) ${check} failed in the search and not when it was played again: ${says}`),
      ],
      cells: singles.map((fault) => ({ point: pointText(fault), kind: fault.kind, fired: alone.find(({ faults }) => faults[0] === fault)?.fired[0] ?? 0 })),
      pairsNotMet,
      sometimes: Object.keys(system.sometimes ?? {}).map((name) => ({ name, executions: sum(reports, ({ sometimes }) => sometimes.get(name) ?? 0) })),
      points,
      bounds: {
        budget: options.budget ?? DEFAULT_BUDGET,
        seed: options.seed ?? 1,
        strategy: options.strategy ?? "mix",
        reduction: options.reduction ?? "default",
        faults: depth,
        durability: system.durability ?? "kill",
        ...(pairs.length < allPairs.length ? { pairs: { drawn: pairs.length, of: allPairs.length } } : {}),
      },
    };
  }
}

/**
 * Whether an arm belongs to the planned count. One whose faults never fired says nothing that the arm without them does not say:
 * it is a cell that was not run. Unless it has no verdict, or shows what no other arm shows.
 */
function isCounted({ faults, firedTogether, failure, notRun, complete }: ArmReport, reports: readonly ArmReport[]): boolean {
  if (faults.length === 0 || firedTogether > 0 || notRun !== undefined || complete === 0) return true;
  return failure !== undefined && !reports.some((other) => other.faults.length < faults.length && other.failure?.check === failure.check);
}

/** Whatever is tried next will be no better: code that leaves the world, or that never comes to rest. */
function isHopeless({ failure, notRun }: ArmReport): boolean {
  return failure === undefined && notRun !== undefined && (notRun.reason !== "timed-out" || notRun.says.startsWith(NEVER_YIELDS));
}

/** Those the system names, and those that were reached; sorted, so that every run asks in one order. */
function pointsOf<Facts>(system: System<Facts>, bare: ArmReport | undefined): string[] {
  return [...new Set([...(system.faults?.points ?? []), ...(bare?.reached.keys() ?? [])])].sort();
}

function armsOf<Facts>(system: System<Facts>, points: readonly string[]): ArmedFault[] {
  const kinds = system.faults?.kinds ?? [];
  return points.flatMap((at) => kinds.filter((kind) => canStrike(kind, placeOf(at))).map((kind) => ({ at, kind })));
}

/** The point of an armed fault, with what differs from the defaults. */
function pointText(fault: ArmedFault): string {
  if (fault.at === STEP) return `step ${fault.nth ?? 1} of ${fault.process}`;
  return faultText(fault).slice(`${fault.kind} at `.length);
}

/** One arm for each port call that a process was seen to make. */
function stepArmsOf<Facts>(system: System<Facts>, bare: ArmReport | undefined): ArmedFault[] {
  const kinds = system.faults?.steps ?? [];
  return [...(bare?.calls ?? [])].flatMap(([process, calls]) =>
    Array.from({ length: calls }, (_, index) => index + 1).flatMap((nth) => kinds.map((kind): ArmedFault => ({ at: STEP, kind, process, nth }))),
  );
}

function bothWays(one: ArmReport, turned: ArmReport): ArmReport {
  const sometimes = new Map(one.sometimes);
  for (const [name, count] of turned.sometimes) sometimes.set(name, (sometimes.get(name) ?? 0) + count);
  return {
    ...turned,
    complete: one.complete + turned.complete,
    blocked: one.blocked + turned.blocked,
    steps: one.steps + turned.steps,
    isExhausted: one.isExhausted && turned.isExhausted,
    notRun: one.notRun ?? turned.notRun,
    sometimes,
  };
}

interface Pair {
  readonly pair: readonly [ArmedFault, ArmedFault];
  /** Whether the second can come first as well. */
  readonly isTurned: boolean;
}

/** Of those that happen alone, each with each and with itself; and each with those at points that only the recovery from it reaches. */
function pairsOf<Facts>(system: System<Facts>, usable: readonly ArmReport[], points: readonly string[], alone: readonly ArmReport[]): Pair[] {
  const faults = usable.map((report) => report.faults[0] as ArmedFault);
  const together = faults.flatMap((one, index) => faults.slice(index + 1).map((two): Pair => ({ pair: [one, { ...two, after: 0 }], isTurned: true })));
  const twice = faults.map((one): Pair => ({ pair: [one, { ...one, after: 0 }], isTurned: false }));
  const known = new Set(points);
  const behind = usable.flatMap(({ reached }, index) => {
    const recovering = [...reached.keys()].filter((point) => !known.has(point) || neverFired(point, alone)).sort();
    return armsOf(system, recovering).map((two): Pair => ({ pair: [faults[index] as ArmedFault, { ...two, after: 0 }], isTurned: false }));
  });
  return [...together, ...twice, ...behind];
}

/** `count` of them, in their order; the same for the same seed. */
function drawn<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  if (count >= all.length) return all;
  const stream = createStream(seed, "pairs");
  let left = count;
  return all.filter((_, at) => {
    const isDrawn = stream.below(all.length - at) < left;
    if (isDrawn) left -= 1;
    return isDrawn;
  });
}

function neverFired(point: string, alone: readonly ArmReport[]): boolean {
  return alone.every(({ faults, fired }) => faults[0]?.at !== point || fired[0] === 0);
}

/** `doubts`: what failed in the search and did not when it was played twice more. */
async function findingsOf<Facts>(system: System<Facts>, reports: readonly ArmReport[], runner: Runner, options: ExploreOptions) {
  const checks = [...new Set(reports.flatMap(({ failure }) => (failure === undefined ? [] : [failure.check])))];
  const findings: Finding[] = [];
  const doubts = new Map<string, string>();
  for (const check of checks) {
    const failing = reports.filter(({ failure }) => failure?.check === check);
    // The first has the fewest faults.
    const failure = (failing[0] as ArmReport).failure as NonNullable<ArmReport["failure"]>;
    const shrunk = await shrink(system, failure, runner);
    const { faults, choices, hash, says } = shrunk.failure;
    const token: Token = { system: system.name, kernel: KERNEL_VERSION, source: options.source ?? "", faults, choices, trace: hash };
    const doubt = await doubtOf(system, token, check, options.strict ?? runner);
    if (doubt === undefined) findings.push({ check, says, faults: faults.map(faultText), shrunk, token: tokenText(token), arms: failing.length });
    else doubts.set(check, doubt);
  }
  return { findings, doubts };
}

const CONFIRMATIONS = 2;

async function doubtOf<Facts>(system: System<Facts>, token: Token, check: string, strict: Runner): Promise<string | undefined> {
  for (let played = 0; played < CONFIRMATIONS; played += 1) {
    const again = await replay(system, token, strict);
    if (again.outcome === "stale") return `${again.says}, under ${strict.name}`;
    if (again.judged.verdict !== "fails" || again.judged.check !== check) return `it ${again.judged.verdict} there, under ${strict.name}`;
  }
  return undefined;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
