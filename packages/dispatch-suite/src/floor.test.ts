/** The floor of the search, in small; `floor.soak.ts` plays it at length. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { searchFloor, type Subject } from "./index.ts";

const reference: Subject = { name: "reference", policies: {} };
const known = (name: string): Subject => KNOWN_BAD_DISPATCHERS.find((bad) => bad.name === name) as Subject;

it("the reference starts each task once, whatever call is the last", async () => {
  const { findings, fired, bound } = await searchFloor(reference, await findRunner(), { executions: 16 });
  expect([findings, fired]).toEqual([[], 16]);
  expect(bound).toBe(
    "two dispatchers, two tasks, one of kill-restart, power-loss, stop-continue, kill at any of the first 300 port calls of either; " +
      "16 sampled, seed 1; runtime keys honoured; calls inside one process are sampled, not exhausted",
  );
});

it.each(["dispatcher.after-intent", "dispatcher.before-start", "sessions.started", "dispatcher.after-start"])("the window %s is hit every time", async (at) => {
  const { findings, fired } = await searchFloor(reference, await findRunner(), { executions: 4, at });
  expect([findings, fired]).toEqual([[], 4]);
});

it("a runtime that keeps keys and does not honour them starts a second one for who stopped right before the start: stated, and found", async () => {
  const { findings } = await searchFloor(reference, await findRunner(), { executions: 4, at: "dispatcher.before-start", keys: "recorded" });
  expect(findings.map(({ check }) => check)).toContain("floor/started-once");
});

it.each([
  ["starts-again-after-a-crash", "recorded", "sessions.started", "dispatch/guessed-restart"],
  ["does-not-sync-names", "honoured", "dispatcher.after-start", "dispatch/history-rewritten"],
] as const)("finds %s", async (name, keys, at, check) => {
  const { findings } = await searchFloor(known(name), await findRunner(), { executions: 8, keys, at });
  expect(findings.map((finding) => finding.check)).toContain(check);
});
