import { describe, expect, it } from "vitest";
import { GREEN_RUNS_WITHOUT_PROOF, watchdogFalseGreen, type WatchdogFalseGreenFacts } from "./watchdog-false-green.ts";

const GREEN: WatchdogFalseGreenFacts = {
  watchdog: "orphan-check",
  runs: 22,
  greenRuns: 22,
  evidence: { looked: 12, bad: 0 },
  planted: { runs: 22, found: 22 },
};

describe("the false-green guard", () => {
  it("alarms on green runs against the evidence, and counts both", () => {
    expect(watchdogFalseGreen({ ...GREEN, evidence: { looked: 12, bad: 2 } })).toEqual({
      guard: "watchdog/false-green",
      subject: "orphan-check",
      message: "22 of 22 runs said that all is well, and the evidence of the same time shows 2 of 12 bad",
      counts: { runs: 22, greenRuns: 22, looked: 12, bad: 2, plantedRuns: 22, plantedFound: 22 },
    });
  });

  it("alarms when what was planted was not found, though nobody knows of anything that is really bad", () => {
    const finding = watchdogFalseGreen({ ...GREEN, evidence: undefined, planted: { runs: 22, found: 0 } });
    expect(finding?.message).toBe("22 of 22 runs said that all is well, and the planted one was found in 0 of the 22 that it was there for");
    expect(finding?.counts).toEqual({ runs: 22, greenRuns: 22, plantedRuns: 22, plantedFound: 0 });
  });

  it("says both when both are so", () => {
    expect(watchdogFalseGreen({ ...GREEN, evidence: { looked: 12, bad: 2 }, planted: { runs: 22, found: 21 } })?.message).toBe(
      "22 of 22 runs said that all is well, and the evidence of the same time shows 2 of 12 bad, " +
        "and the planted one was found in 21 of the 22 that it was there for",
    );
  });

  it.each([
    ["without either", undefined, undefined],
    ["with a look at nothing", { looked: 0, bad: 0 }, undefined],
    ["with something planted in no run", undefined, { runs: 0, found: 0 }],
  ])("alarms on a long row of green runs %s, and not on a short one", (_what, evidence, planted) => {
    const row = (greenRuns: number) => watchdogFalseGreen({ watchdog: "orphan-check", runs: 22, greenRuns, evidence, planted });
    expect(row(GREEN_RUNS_WITHOUT_PROOF)?.message).toBe(
      "20 of 22 runs said that all is well, and nobody looked at the work and nothing was planted, " +
        "so nothing shows that it can find anything",
    );
    expect(row(GREEN_RUNS_WITHOUT_PROOF - 1)).toBeUndefined();
  });

  it.each([
    ["green runs that the evidence and the planted one bear out", GREEN],
    ["green runs that the evidence alone bears out", { ...GREEN, planted: undefined }],
    ["green runs that the planted one alone bears out", { ...GREEN, evidence: undefined }],
    ["a watchdog that claims nothing, whatever is bad", { ...GREEN, greenRuns: 0, evidence: { looked: 12, bad: 2 }, planted: { runs: 22, found: 0 } }],
    ["a watchdog that has not run", { ...GREEN, runs: 0, greenRuns: 0, evidence: undefined, planted: undefined }],
  ])("is silent on %s", (_what, facts) => {
    expect(watchdogFalseGreen(facts)).toBeUndefined();
  });

  it("is fooled by a watchdog that knows the planted one by its name, and by evidence that is the watchdog's own", () => {
    expect(watchdogFalseGreen({ ...GREEN, evidence: undefined, planted: { runs: 22, found: 22 } })).toBeUndefined();
    expect(watchdogFalseGreen({ ...GREEN, evidence: { looked: 12, bad: 0 }, planted: undefined })).toBeUndefined();
  });
});
