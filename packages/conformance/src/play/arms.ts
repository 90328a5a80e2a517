/** Which faults a rule is played under: the sets it names, or one for each reach that an undisturbed execution showed. */
import type { ArmedFault, Execution } from "@casebook/sim/kernel";
import type { PlayedRule } from "./playable.ts";

export interface Arms {
  readonly sets: readonly (readonly ArmedFault[])[];
  /** How many there would have been. */
  readonly of: number;
}

/** `undisturbed`: an execution of the rule without faults. */
export function armsOf(rule: PlayedRule, undisturbed: Execution): Arms {
  if (!("each" in rule.faults)) {
    const sets = rule.faults.length === 0 ? [[]] : rule.faults;
    return { sets, of: sets.length };
  }
  const { each } = rule.faults;
  const reaches = undisturbed.steps.filter(({ process, plan }) => plan.isOfWorld !== true && (each.process === undefined || process.name === each.process) && (each.at === "step" || plan.name === each.at || (plan.name === "faults.reach" && plan.object === each.at)));
  const start = reaches.findIndex(({ plan }) => plan.name === "sessions.start" || plan.name === "disk.write");
  const picked = nearest(reaches.length, start, rule.budget.arms);
  return { sets: picked.map((at) => [{ ...each, nth: at + 1 }]), of: reaches.length };
}

/** Half of the budget around the first start or write, where the mechanism is, if there is one; the rest spread evenly. */
function nearest(count: number, start: number, budget: number): number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  if (count <= budget) return all;
  const half = start < 0 ? 0 : Math.floor(budget / 2);
  const around = all.slice(Math.max(0, start - half / 2), Math.max(0, start - half / 2) + half);
  const rest = all.filter((at) => !around.includes(at));
  const spread = Array.from({ length: budget - around.length }, (_, at) => rest[Math.floor((at * rest.length) / (budget - around.length))] as number);
  return [...around, ...spread].toSorted((a, b) => a - b);
}
