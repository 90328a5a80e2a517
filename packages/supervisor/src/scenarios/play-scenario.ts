/** Plays a scenario and judges it: by the invariants, the cause, what was to be seen, and whether every fault happened at all. */
import type { Finding } from "@casebook/guards";
import { faultText, type Runner } from "@casebook/sim/kernel";
import { REFERENCE_POLICIES, type SupervisorPolicies } from "../index.ts";
import type { Cause } from "../judge/index.ts";
import { Seen } from "./observe.ts";
import { type PlayedRun, playRun } from "./play-run.ts";
import { judgeRun, recordsOf } from "./read-facts.ts";
import type { Scenario } from "./scenarios.ts";
import { RUN_ID } from "../rules/index.ts";

/** `not-run`: a fault never fired, or the world did not come to its end; nothing is said about the supervisor then. */
export type ScenarioVerdict = "pass" | "fail" | "not-run";

export interface ScenarioResult {
  readonly id: string;
  readonly kind: Scenario["kind"];
  readonly faults: readonly string[];
  readonly shape: string;
  readonly window: string;
  readonly observation: string;
  /** Whether what was to be seen was seen. */
  readonly isObserved: boolean;
  /** Whether every record has a cause that was expected. */
  readonly isCauseExpected: boolean;
  /** Of each record, in order of writing; one is what is wanted. */
  readonly causes: readonly string[];
  readonly expectedCauses: readonly Cause[];
  /** Invariants that alarmed. */
  readonly alarms: readonly Finding[];
  readonly verdict: ScenarioVerdict;
  /** Why not pass. */
  readonly because: readonly string[];
  /** Points that were reached, and how often. */
  readonly reached: ReadonlyMap<string, number>;
  readonly fired: readonly number[];
  readonly steps: number;
  readonly choices: readonly number[];
  readonly hash: string;
}

export async function playScenario(scenario: Scenario, { policies = REFERENCE_POLICIES, runner }: { readonly policies?: SupervisorPolicies; readonly runner?: Runner } = {}): Promise<ScenarioResult> {
  const { world } = scenario;
  const played = await playRun({ ...world, settings: { ...world.settings, policies } }, runner);
  return judgeScenario(scenario, played);
}

/** Nothing hangs past its deadline: whoever still waits when nothing can happen any more. */
export function waitsForEver({ waiting }: Pick<PlayedRun, "waiting">): readonly string[] {
  const [first, ...more] = waiting;
  return first === undefined ? [] : [`waits for ever: ${first}${more.length === 0 ? "" : ` and ${more.length} more calls`}`];
}

export function judgeScenario(scenario: Scenario, played: PlayedRun): ScenarioResult {
  const { id, kind, faults, shape, window, causes: expectedCauses } = scenario;
  const { snapshot, fired, reached, steps, choices, hash } = played;
  const base = { id, kind, faults, shape, window, expectedCauses, reached, fired, steps, choices, hash };
  const neverFired = (scenario.world.faults ?? []).filter((_, at) => fired[at] === 0).map((fault) => `${faultText(fault)} never fired`);
  if (snapshot === undefined) {
    return { ...base, observation: "", isObserved: false, isCauseExpected: false, causes: [], alarms: [], verdict: "not-run", because: [`the world did not come to its end: ${played.ending}`, ...neverFired] };
  }
  const alarms = judgeRun(RUN_ID, snapshot);
  const observed = scenario.observe(new Seen(played, snapshot));
  const causes = recordsOf(RUN_ID, snapshot).map(({ cause }) => cause);
  const wrongCauses = causes.filter((cause) => !expectedCauses.includes(cause));
  const because = [
    ...alarms.map(({ guard, message }) => `${guard}: ${message}`),
    ...wrongCauses.map((cause) => `cause ${cause}, expected ${expectedCauses.join(" or ")}`),
    ...(observed.holds ? [] : [`observed: ${observed.says}`]),
    ...played.threw.map((text) => `threw: ${text}`),
    ...waitsForEver(played),
  ];
  const verdict = neverFired.length > 0 ? "not-run" : because.length > 0 ? "fail" : "pass";
  return { ...base, observation: observed.says, isObserved: observed.holds, isCauseExpected: wrongCauses.length === 0, causes, alarms, verdict, because: verdict === "not-run" ? neverFired : because };
}
