/** What a line of `casebook test --suite dispatch` leads to, and what `casebook explore dispatch` says of its bounds. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { playScenario, SCENARIOS, type Subject } from "@casebook/dispatch-suite";
import { readToken, tokenText } from "@casebook/explore";
import { findRunner } from "@casebook/sim/node";
import { beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

const bad = KNOWN_BAD_DISPATCHERS.find(({ name }) => name === "starts-again-after-a-crash") as Subject;
const f10 = SCENARIOS.find(({ id }) => id === "F10") as (typeof SCENARIOS)[number];
let token = "";
beforeAll(async () => {
  const { checks } = await playScenario(f10, bad, await findRunner(), { schedules: 0 });
  token = checks.find(({ id }) => id === "F10/no-blind-start")?.token ?? "";
});

describe("a line of the dispatch suite", () => {
  it("is played again from nothing but itself, with the dispatcher that failed", async () => {
    const { stdout, stderr, exitCode } = await commandLine(["replay", token]);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "dispatch/F10/starts-again-after-a-crash: There is one session. What was decided about it is on record, and the session with it.",
      "FAIL F10/no-blind-start: TASK-1 was started 2 times",
      "with kill-restart at sessions.started for 5000 ms",
    ]);
    expect([stderr, exitCode]).toEqual(["", 1]);
  });

  it("is no verdict about another dispatcher", async () => {
    const read = readToken(token);
    if (read.outcome !== "token") throw new Error(read.message);
    const { stdout, exitCode } = await commandLine(["replay", tokenText({ ...read.token, system: "dispatch/F10/reference" })]);
    expect([stdout.slice(0, 22), exitCode]).toEqual(["NOT RUN (stale-token):", 3]);
  });

  it.each(["dispatch/F99/reference", "dispatch/F10/nobody", "dispatch/F12/reference", "dispatch/floor", "dispatch/F10/reference/more"])("that names %s is refused", async (system) => {
    const read = readToken(token);
    if (read.outcome !== "token") throw new Error(read.message);
    const { stderr, exitCode } = await commandLine(["replay", tokenText({ ...read.token, system })]);
    expect([stderr, exitCode]).toEqual([`casebook: the token is of "${system}", and the suite dispatch has no such system here. Replay it with the version that printed it. Nothing was run.\n`, 2]);
  });
});

/** `casebook test --suite dispatch` prints such lines; `casebook explore dispatch` searches. */
describe("casebook explore dispatch", () => {
  it("draws executions of the floor, and says within which bounds", async () => {
    const { stdout, exitCode } = await commandLine(["explore", "dispatch", "--faults", "none", "--budget", "2"]);
    expect(stdout).toMatch(/^dispatch\/floor\/reference: .*\n {2}sampled, no fault, at most 2 executions an arm, disk posix-min .*, strategy sampled, seed 1; coverage 0 of 0 cells\n/);
    expect(stdout).toContain("orders of steps were drawn, inside one process as between two, and none was played out.\n");
    expect(exitCode).toBe(0);
  });
});
