/** What a run of the kit found, as plain data. `not checked` and `unsupported` are in the list, and outside of what was planned. */
import type { NotRunReason } from "@casebook/verdict/words";
import type { FailureStory } from "../play/explain-failure.ts";
import type { Level } from "../play/playable.ts";
import type { Extent } from "../play/play-rule.ts";

export const REPORT_SCHEMA = "casebook-conformance-1";

/** `in-process`: every port call is a step that the kit orders. `json-lines`: what the child does between two calls is its own. */
export type Distance = "in-process" | "json-lines";

export interface RuleResult {
  readonly number: string;
  readonly level: Level;
  readonly sentence: string;
  readonly from: string;
  readonly verdict: "PASS" | "FAIL" | "NOT RUN" | "unsupported" | "not checked";
  /** Number of the case that shows the mechanism. */
  readonly case?: string;
  readonly guards?: readonly string[];
  readonly needs?: readonly string[];
  readonly played?: Extent;
  readonly reason?: NotRunReason;
  /** Why there is no verdict. */
  readonly says?: string;
  readonly failures?: readonly FailureStory[];
}

export interface ConformanceReport {
  readonly schema: typeof REPORT_SCHEMA;
  readonly subject: { readonly name: string; readonly version: string; readonly capabilities: readonly string[]; readonly limits: { readonly leaseMs?: number } };
  readonly distance: Distance;
  readonly seed: number;
  readonly share: number;
  readonly selected: string;
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly unsupported: number;
  readonly notChecked: number;
  readonly rules: readonly RuleResult[];
}

export interface ReportedSubject {
  readonly name: string;
  readonly version: string;
  readonly capabilities: readonly string[];
  readonly limits?: { readonly leaseMs?: number };
}

export function reportOf({ name, version, capabilities, limits }: ReportedSubject, rules: readonly RuleResult[], how: Pick<ConformanceReport, "distance" | "seed" | "share" | "selected">): ConformanceReport {
  const count = (verdict: RuleResult["verdict"]): number => rules.filter((one) => one.verdict === verdict).length;
  const [passed, failed, notRun] = [count("PASS"), count("FAIL"), count("NOT RUN")];
  return {
    schema: REPORT_SCHEMA,
    subject: { name, version, capabilities: [...capabilities], limits: { ...limits } },
    ...how,
    planned: passed + failed + notRun,
    passed,
    failed,
    notRun,
    unsupported: count("unsupported"),
    notChecked: count("not checked"),
    rules,
  };
}

/** As everywhere: 1 beats 3 beats 0. Nothing planned is no verdict. */
export function exitCodeOf({ planned, failed, notRun }: ConformanceReport): 0 | 1 | 3 {
  if (failed > 0) return 1;
  return notRun > 0 || planned === 0 ? 3 : 0;
}
