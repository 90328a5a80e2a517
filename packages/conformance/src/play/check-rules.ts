/** Plays a list of rules against one adapter, and answers the report. Needs a runner, which the entry for Node has. */
import type { Runner } from "@casebook/sim/kernel";
import { AdapterError } from "../adapter-error.ts";
import { shown } from "../answers.ts";
import { type ConformanceReport, type Distance, type ReportedSubject, reportOf, type RuleResult } from "../report/report.ts";
import type { PlayedRule, Playable, UncheckedRule } from "./playable.ts";
import { type PlayOptions, playRule } from "./play-rule.ts";

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
  readonly onRule?: (rule: PlayedRule | UncheckedRule) => void;
}

export async function checkRules<Rule extends PlayedRule, Seen>(
  subject: ReportedSubject,
  all: readonly (Rule | UncheckedRule)[],
  playableOf: (rule: Rule) => Playable<Seen>,
  { runner, seed = 1, only, share = 1, distance = "in-process", onRule }: CheckOptions,
): Promise<ConformanceReport> {
  const rules = chosen(all, only);
  if (!(typeof share === "number" && share > 0 && share <= 10)) throw new AdapterError(`share is ${shown(share)}. Pass a number above 0, 10 at most; 1 is the budget as it is written.`);
  if (!Number.isSafeInteger(seed)) throw new AdapterError(`seed is ${shown(seed)}. Pass a whole number; the same one plays the same schedules.`);
  const results: RuleResult[] = [];
  for (const rule of rules) {
    onRule?.(rule);
    results.push(rule.level === "not-checked" ? unchecked(rule) : await judgeRule(rule, subject, () => playableOf(rule), { runner, seed, share }));
  }
  return reportOf(subject, results, { distance, seed, share, selected: only === undefined ? "all rules" : only.join(", ") });
}

function chosen<Rule extends { readonly number: string }>(all: readonly Rule[], only: readonly string[] | undefined): readonly Rule[] {
  if (only === undefined) return all;
  if (!Array.isArray(only)) throw new AdapterError(`only is ${shown(only)}. Pass a list of numbers of rules, such as ["${all[0]?.number ?? ""}"].`);
  const unknown = only.findIndex((number) => !all.some((rule) => rule.number === number));
  if (unknown !== -1 || only.length === 0) throw new AdapterError(`${unknown === -1 ? "no rule was selected" : `there is no rule ${ruleText(only[unknown])}`}. There are ${all.map(({ number }) => number).join(", ")}.`);
  return all.filter(({ number }) => only.includes(number));
}

const ruleText = (number: unknown): string => (typeof number === "string" ? number : shown(number));

export function unchecked({ number, level, sentence, from, because }: UncheckedRule): RuleResult {
  return { number, level, sentence, from, verdict: "not checked", says: because };
}

async function judgeRule<Seen>(rule: PlayedRule & { readonly guards?: readonly string[] }, { capabilities }: ReportedSubject, playable: () => Playable<Seen>, options: PlayOptions): Promise<RuleResult> {
  const { number, level, sentence, from, needs, guards = [] } = rule;
  const head = { number, level, sentence, from, case: rule.case, guards, needs };
  const missing = needs.filter((need) => !capabilities.includes(need));
  if (missing.length > 0) return { ...head, verdict: "unsupported", says: `it does not declare ${missing.join(", ")}` };
  const played = await playRule(playable(), options);
  switch (played.verdict) {
    case "PASS":
      return { ...head, verdict: "PASS", played: played.played };
    case "FAIL":
      return { ...head, verdict: "FAIL", played: played.played, failures: played.failures };
    case "NOT RUN":
      return { ...head, verdict: "NOT RUN", played: played.played, reason: played.reason, says: played.says };
    case "unsupported":
      return { ...head, verdict: "unsupported", says: played.says };
  }
}
