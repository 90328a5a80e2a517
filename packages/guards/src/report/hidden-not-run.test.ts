/** A suite that did not run: said as it is, and in the four ways in which it is not. */
import { describe, expect, it } from "vitest";
import { type ReportedSuite, reportHiddenNotRun } from "./hidden-not-run.ts";

const ran: ReportedSuite = { suite: "a", bodiesRun: 9, passed: 8, failed: 1, notRun: 0, hasEvidence: true };
const didNot: ReportedSuite = { suite: "b", bodiesRun: 0, passed: 0, failed: 0, notRun: 1, hasEvidence: true };

describe("the hidden-not-run guard", () => {
  it("is silent on what ran, whatever came of it, on what did not and says so, and on none", () => {
    expect(reportHiddenNotRun([ran, didNot])).toBeUndefined();
    expect(reportHiddenNotRun([])).toBeUndefined();
  });

  it.each<readonly [string, Partial<ReportedSuite>]>([
    ["no body entered, 1 passed", { passed: 1, notRun: 0 }],
    ["no body entered, 2 failed", { failed: 2, notRun: 0 }],
    ["no body entered, left out", { notRun: 0 }],
    ["not run, and nobody kept why", { hasEvidence: false }],
    ["3 bodies, 5 verdicts", { bodiesRun: 3, passed: 5 }],
  ])("alarms: %s", (says, change) => {
    expect(reportHiddenNotRun([ran, { ...didNot, ...change }])).toMatchObject({ guard: "report/hidden-not-run", subject: "b", message: `1 of 2 suites are not reported as they ran: b (${says})`, counts: { suites: 2, wrong: 1 } });
  });

  it("is fooled by a suite that enters its bodies and tests nothing, and by one that nobody planned", () => {
    expect(reportHiddenNotRun([{ ...ran, passed: 9, failed: 0 }])).toBeUndefined();
  });
});
