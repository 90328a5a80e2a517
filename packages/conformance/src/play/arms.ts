/** Which faults a rule is played under: the sets it names, or one for each reach that an undisturbed execution showed. */
import type { ArmedFault, Execution } from "@casebook/sim/kernel";
import type { EachReach, PlayedRule } from "./playable.ts";

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
  const { also = [], ...one } = rule.faults;
  const arms = eachOf(one, rule.budget.arms, undisturbed);
  // Without a reach of the first there is nothing of this rule to be seen.
  if (arms.of === 0) return arms;
  const more = also.map(([each, ...then]) => {
    const { sets, of } = eachOf({ each }, Math.ceil(rule.budget.arms / also.length), undisturbed);
    return { sets: sets.map((set) => [...set, ...then]), of };
  });
  return [arms, ...more].reduce((all, { sets, of }) => ({ sets: [...all.sets, ...sets], of: all.of + of }));
}

function eachOf({ each, before, ahead }: Omit<EachReach, "also">, budget: number, undisturbed: Execution): Arms {
  const isOf = ({ process, plan }: Execution["steps"][number], name: string): boolean => plan.name === name && (each.process === undefined || process.name === each.process);
  const until = before === undefined ? undisturbed.steps : upTo(undisturbed.steps.findIndex((step) => isOf(step, before)));
  const steps = ahead === undefined ? until : upTo(until.findLastIndex((step) => isOf(step, ahead)));
  const reaches = steps.filter(({ process, plan }) => plan.isOfWorld !== true && (each.process === undefined || process.name === each.process) && (each.at === "step" || plan.name === each.at || (plan.name === "faults.reach" && plan.object === each.at)));
  const start = before === undefined ? reaches.findIndex(({ plan }) => plan.name === "sessions.start" || plan.name === "disk.write") : reaches.length - 1;
  const picked = nearest(reaches.length, start, budget);
  return { sets: picked.map((at) => [{ ...each, nth: at + 1 }]), of: reaches.length };

  function upTo(end: number): Execution["steps"] {
    return end === -1 ? [] : undisturbed.steps.slice(0, end);
  }
}

/** Half of the budget around the first start or write, where the mechanism is, if there is one; the rest spread evenly. */
function nearest(count: number, start: number, budget: number): number[] {
  const all = Array.from({ length: count }, (_, at) => at);
  if (count <= budget) return all;
  const half = start < 0 ? 0 : Math.floor(budget / 2);
  const from = Math.min(Math.max(0, start - Math.floor(half / 2)), count - half);
  const around = all.slice(from, from + half);
  const rest = all.filter((at) => !around.includes(at));
  const spread = Array.from({ length: budget - around.length }, (_, at) => rest[Math.floor((at * rest.length) / (budget - around.length))] as number);
  return [...around, ...spread].toSorted((a, b) => a - b);
}
