/** How long reading may go on. The clock is handed in. */
export interface Budget {
  /** Milliseconds, from any origin. */
  readonly now: () => number;
  readonly untilMs: number;
}

export function isSpent(budget: Budget | undefined): boolean {
  return budget !== undefined && budget.now() >= budget.untilMs;
}
