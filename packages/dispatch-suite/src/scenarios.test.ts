/** Each known-bad dispatcher fails the first scenario that it was expected to, as written down, and a fault that never fires gives no verdict. */
import { KNOWN_BAD_DISPATCHERS, REFERENCE_POLICIES } from "@casebook/dispatcher/known-bad";
import { readToken, replay } from "@casebook/explore";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { DISPATCH_FAULTS, FAULT_NUMBERS, MISSING_DEPENDENCY_CHECKS, playScenario, REPORTERS, reportSuites, RERUN, type Scenario, SCENARIOS, systemOf } from "./index.ts";

const reference = { name: "reference", policies: {} };
const scenarioOf = (check: string): Scenario => SCENARIOS.find(({ id }) => id === check.split("/")[0]) as Scenario;

describe("a known-bad dispatcher", () => {
  it.each(KNOWN_BAD_DISPATCHERS.map((bad) => [bad.name, bad] as const))("%s fails what it was expected to", async (_name, bad) => {
    const [check] = bad.breaks.filter((id) => bad.unbroken?.[id] === undefined);
    const scenario = scenarioOf(check as string);
    const result = await playScenario(scenario, bad, await findRunner(), { schedules: 3 });
    const failed = result.checks.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
    const expected = [...bad.breaks, ...Object.keys(bad.unexpected ?? {})].filter((id) => bad.unbroken?.[id] === undefined && id.startsWith(`${scenario.id}/`));
    expect(failed.toSorted()).toEqual(expected.toSorted());
  });

  it("is the reference with one word changed, and its checks exist", () => {
    const ids = SCENARIOS.flatMap(({ id, halves }) => [...halves.map((half) => half.id), ...[1, 2, 3, 4, 5, 6].map((rule) => `${id}/rule-${rule}`), `${id}/kernel/deadlock`]);
    for (const { name, policies, breaks, unexpected = {}, unbroken = {} } of KNOWN_BAD_DISPATCHERS) {
      const changed = Object.entries(policies).filter(([policy, word]) => REFERENCE_POLICIES[policy as keyof typeof REFERENCE_POLICIES] !== word);
      expect([name, changed.length]).toEqual([name, 1]);
      expect([...breaks, ...Object.keys(unexpected), ...Object.keys(unbroken)].filter((check) => !ids.includes(check))).toEqual([]);
      expect(Object.keys(unbroken).filter((check) => !breaks.includes(check))).toEqual([]);
      expect(Object.keys(unexpected).filter((check) => breaks.includes(check))).toEqual([]);
    }
  });

  it("shows its failure again from one line", async () => {
    const bad = KNOWN_BAD_DISPATCHERS.find(({ name }) => name === "starts-again-after-a-crash");
    const scenario = scenarioOf("F10");
    const runner = await findRunner();
    const result = await playScenario(scenario, bad as NonNullable<typeof bad>, runner, { schedules: 1 });
    const failure = result.checks.find(({ id }) => id === "F10/no-blind-start");
    const read = readToken(failure?.token ?? "");
    if (read.outcome !== "token") throw new Error(read.message);
    expect(await replay(systemOf(scenario, bad as NonNullable<typeof bad>), read.token, runner)).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", check: "F10/no-blind-start", says: "TASK-1 was started 2 times" } });
    // The same line says nothing about the reference.
    expect(await replay(systemOf(scenario, reference), read.token, runner)).toMatchObject({ outcome: "stale" });
  });
});

describe("a known-bad reporter", () => {
  it.each(REPORTERS)("$name fails $breaks", ({ name, breaks }) => {
    const verdicts = reportSuites(RERUN, name);
    expect(MISSING_DEPENDENCY_CHECKS.filter(({ alarm }) => alarm(verdicts) !== undefined).map(({ id }) => id)).toEqual(breaks);
  });
});

describe("a scenario", () => {
  it("has no verdict when its fault never fires, whatever its checks say", async () => {
    const misspelt = { ...scenarioOf("F09"), faults: [{ at: "dispatcher.after-intend", kind: "kill-restart" }] } as const;
    const { verdict, notRunBecause, checks } = await playScenario(misspelt, reference, await findRunner(), { schedules: 1 });
    expect([verdict, new Set(checks.map((check) => check.verdict)), notRunBecause?.split(";")[0]]).toEqual(["not-run", new Set(["not-run"]), "(setup-failed) FAULT_NEVER_FIRED: the fault at dispatcher.after-intend never fired"]);
  });

  it("has one number, and names of its own for its halves", () => {
    expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length);
    for (const { id, halves } of SCENARIOS) expect(halves.every((half) => half.id.startsWith(`${id}/`))).toBe(true);
  });
});

describe("the table of faults", () => {
  it("has a scenario for every number, or says why there is none", () => {
    const played: readonly string[] = SCENARIOS.map(({ id }) => id);
    expect(FAULT_NUMBERS.filter((number) => played.includes(number) === (DISPATCH_FAULTS[number].notInSuite !== undefined))).toEqual([]);
    expect(new Set(FAULT_NUMBERS.map((number) => number.slice(0, 3))).size).toBe(20);
    expect(MISSING_DEPENDENCY_CHECKS.every(({ id }) => id.startsWith("F12/"))).toBe(true);
  });

  it("says nothing twice", () => {
    const said = FAULT_NUMBERS.flatMap((number) => [DISPATCH_FAULTS[number].fault, DISPATCH_FAULTS[number].sentence]);
    expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
  });
});
