/** Finds a run that used more than it was given. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionWithinBudgetFacts {
  readonly run: string;
  readonly counters: readonly { readonly counter: string; readonly used: number; readonly limit: number }[];
}

export const supervisionWithinBudget = defineGuard<SupervisionWithinBudgetFacts>(
  {
    id: "supervision/within-budget",
    needs: ["what a run used and what it was given, by counter"],
    severity: "alarm",
    text: "A run used more than its budget.",
    case: "009",
  },
  ({ run, counters }) => {
    const over = counters.filter(({ used, limit }) => used > limit);
    if (over.length === 0) return undefined;
    return {
      subject: run,
      message: `${over.length} of ${counters.length} budgets are overspent: ${firstFew(over.map(({ counter, used, limit }) => `${used} of ${limit} ${counter}`))}`,
      counts: { counters: counters.length, over: over.length },
    };
  },
);
