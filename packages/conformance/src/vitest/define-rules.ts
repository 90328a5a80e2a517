/**
 * Defines a test for each rule. What is not checked, and what the adapter does not declare, is skipped with the reason in its note:
 * it is in the list and outside of the count.
 */
import { afterAll, describe, expect, it } from "vitest";
import { type ConformanceReport, type PlayedRule, REPORT_SCHEMA, type RuleResult, type UncheckedRule } from "../index.ts";
import type { ConformanceOptions } from "../node/index.ts";
import { failureTexts } from "../report/markdown.ts";
import { type ReportedSubject, reportOf } from "../report/report.ts";

export interface DefineOptions extends Omit<ConformanceOptions, "only" | "onRule"> {
  /** Handed the whole report when all rules are through. */
  readonly onReport?: (report: ConformanceReport) => void;
}

export function defineRules<Adapter extends ReportedSubject>(
  adapter: Adapter,
  rules: readonly (PlayedRule | UncheckedRule)[],
  run: (adapter: Adapter, options: ConformanceOptions) => Promise<ConformanceReport>,
  { onReport, ...options }: DefineOptions,
): void {
  describe(`${adapter.name} ${adapter.version} against ${REPORT_SCHEMA}`, () => {
    const results: RuleResult[] = [];
    for (const { number, level, sentence } of rules) {
      it(`${number} ${level}: ${sentence}`, async (context) => {
        const report = await run(adapter, { ...options, only: [number] });
        const [result] = report.rules as [RuleResult];
        results.push(result);
        switch (result.verdict) {
          case "NOT RUN":
            return context.skip(`NOT RUN (${result.reason ?? "setup-failed"}): ${result.says ?? ""}`);
          case "unsupported":
          case "not checked":
            return context.skip(`${result.verdict}: ${result.says ?? ""}`);
          default:
            expect(failureTexts(result.failures ?? []).join("\n")).toBe("");
        }
      });
    }
    afterAll(() => onReport?.(reportOf(adapter, results, { distance: "in-process", seed: options.seed ?? 1, share: options.share ?? 1, selected: "all rules" })));
  });
}
