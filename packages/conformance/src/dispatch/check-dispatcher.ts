/** Plays every rule against one adapter and answers the report. Needs a runner, which the entry for Node has. */
import type { Runner } from "@casebook/sim/kernel";
import { type ConformanceReport, type Distance, reportOf, type RuleResult } from "../report/report.ts";
import type { DispatcherAdapter } from "./adapter.ts";
import { AdapterError, checkAdapter } from "./check-adapter.ts";
import { type PlayOptions, playRule } from "./play-rule.ts";
import { type DispatchRule, isChecked } from "./rule.ts";
import { DISPATCH_RULES } from "./rules.ts";

export interface CheckOptions {
  readonly runner: Runner;
  /** Of the random schedules. Default 1. */
  readonly seed?: number;
  /** Numbers of the rules to play, such as `F09`. Default: all. */
  readonly only?: readonly string[];
  /** Of the budget of each rule, from above 0 to 10. Default 1. */
  readonly share?: number;
  readonly distance?: Distance;
  /** Told before each rule that is played. */
  readonly onRule?: (rule: DispatchRule) => void;
}

export async function checkDispatcher(given: DispatcherAdapter, { runner, seed = 1, only, share = 1, distance = "in-process", onRule }: CheckOptions): Promise<ConformanceReport> {
  const adapter = checkAdapter(given);
  const rules = chosen(only);
  if (!(share > 0 && share <= 10)) throw new AdapterError(`share is ${share}. Pass a number above 0, 10 at most; 1 is the budget as it is written.`);
  const results: RuleResult[] = [];
  for (const rule of rules) {
    onRule?.(rule);
    results.push(await judgeRule(rule, adapter, { runner, seed, share }));
  }
  return reportOf(adapter, results, { distance, seed, share, selected: only === undefined ? "all rules" : only.join(", ") });
}

function chosen(only: readonly string[] | undefined): readonly DispatchRule[] {
  if (only === undefined) return DISPATCH_RULES;
  const unknown = only.find((number) => !DISPATCH_RULES.some((rule) => rule.number === number));
  if (unknown !== undefined || only.length === 0) throw new AdapterError(`${unknown === undefined ? "no rule was selected" : `there is no rule ${unknown}`}. There are ${DISPATCH_RULES.map(({ number }) => number).join(", ")}.`);
  return DISPATCH_RULES.filter(({ number }) => only.includes(number));
}

async function judgeRule(rule: DispatchRule, adapter: DispatcherAdapter, options: PlayOptions): Promise<RuleResult> {
  const { number, level, sentence, from } = rule;
  const head = { number, level, sentence, from };
  if (!isChecked(rule)) return { ...head, verdict: "not checked", says: rule.because };
  const more = { ...head, case: rule.case, guards: rule.guards, needs: rule.needs };
  const missing = rule.needs.filter((need) => !adapter.capabilities.includes(need));
  if (missing.length > 0) return { ...more, verdict: "unsupported", says: `it does not declare ${missing.join(", ")}` };
  const played = await playRule(rule, adapter, options);
  switch (played.verdict) {
    case "PASS":
      return { ...more, verdict: "PASS", played: played.played };
    case "FAIL":
      return { ...more, verdict: "FAIL", played: played.played, failures: played.failures };
    case "NOT RUN":
      return { ...more, verdict: "NOT RUN", played: played.played, reason: played.reason, says: played.says };
    case "unsupported":
      return { ...more, verdict: "unsupported", says: played.says };
  }
}
