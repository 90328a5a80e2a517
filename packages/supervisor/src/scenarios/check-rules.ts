/** Plays the scenarios that the rules need against one set of policies, and answers the rules that broke. */
import type { Runner } from "@casebook/sim/kernel";
import { type SupervisorRule, SUPERVISOR_RULES } from "../known-bad/index.ts";
import type { SupervisorPolicies } from "../index.ts";
import { playScenario, type ScenarioResult } from "./play-scenario.ts";
import type { INVARIANTS } from "./read-facts.ts";
import { scenarioCalled } from "./scenario-called.ts";

/** Each is here for a rule that some known-bad supervisor breaks in it; the invariants are asked of all of them. */
const PROBES = {
  control: "none/one-agent",
  tree: "none/spawn-tree",
  cycle: "extra/wait-cycle",
  slow: "extra/slow-ledger-at-the-deadline",
  below: "extra/hang-below-the-first-agent",
  stopped: "stop_past_lease/one-agent",
  late: "late_tool_result/one-agent",
  away: "ledger_blackhole/one-agent",
  lost: "host_loss/one-agent",
  spawn: "budget_exhausted_in_spawn/pipeline",
  artefact: "placed/after-artefact",
  obligation: "placed/after-last-obligation",
  race: "placed/cancel-against-completion",
} as const;

type Probe = keyof typeof PROBES;
type Results = Readonly<Record<Probe, ScenarioResult>>;

type OwnRule = Exclude<SupervisorRule, (typeof INVARIANTS)[number]>;

const HOLDS: Readonly<Record<OwnRule, (results: Results) => boolean>> = {
  "supervision/finishes-what-can-be-finished": ({ control, tree, lost }) => [control, tree, lost].every((one) => saysNothing(one) || one.causes.join() === "completed"),
  "supervision/says-why": ({ control, tree, cycle }) => control.isCauseExpected && tree.isCauseExpected && (saysNothing(cycle) || (cycle.isCauseExpected && cycle.isObserved)),
  "supervision/tells-agents-first": ({ slow }) => saysNothing(slow) || slow.isObserved,
  "supervision/diagnosis-has-a-limit": ({ away }) => saysNothing(away) || (away.isObserved && away.isCauseExpected),
  "supervision/refuses-late-writes": ({ stopped, late }) => [stopped, late].every((one) => saysNothing(one) || one.isObserved),
};

/** A fault that did not happen shows nothing about who would have met it. */
function saysNothing({ verdict }: ScenarioResult): boolean {
  return verdict === "not-run";
}

export async function brokenRules(policies: SupervisorPolicies, runner?: Runner): Promise<{ readonly broken: readonly SupervisorRule[]; readonly results: Results }> {
  const played: Partial<Record<Probe, ScenarioResult>> = {};
  for (const [probe, id] of Object.entries(PROBES) as [Probe, string][]) {
    played[probe] = await playScenario(scenarioCalled(id), { policies, ...(runner === undefined ? {} : { runner }) });
  }
  const results = played as Results;
  const alarmed = new Set(Object.values(results).flatMap(({ alarms }) => alarms.map(({ guard }) => guard)));
  const isBroken = (rule: SupervisorRule): boolean => {
    return rule in HOLDS ? !HOLDS[rule as OwnRule](results) : alarmed.has(rule);
  };
  return { broken: (Object.keys(SUPERVISOR_RULES) as SupervisorRule[]).filter(isBroken), results };
}
