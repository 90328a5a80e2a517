/** The rows of starts: what was published of each, what one changed thing does to them, and how few of them concurrency concerns. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { IDENTITY_ROWS, playStartCauses, playStartRow, playSubjectRow, playTriggerRow, START_CAUSES, START_ROW_IDS, START_ROWS, type StartCause, type StartRowId, type StartRowOptions } from "./start-rows.ts";

const runner = await findRunner();
const ALREADY = "task_already_dispatched";

/** Loaded state, reasons, starts, attempts with their statuses, answers of the dispatcher, processes. */
type Played = readonly [string | null, string, number, string, string, number];

/** As published for the product, whose reader is backward and tolerant. */
const PUBLISHED: Readonly<Record<StartRowId, Played>> = {
  I0: ["completed", "idempotent_replay", 1, "running", "dispatched", 1],
  I1: ["pending", ALREADY, 1, "running", "dispatched already_dispatched", 1],
  I2: [null, ALREADY, 1, "running", "dispatched already_dispatched", 1],
  I3: [null, ALREADY, 1, "running", "dispatched already_dispatched", 2],
  I4: [null, ALREADY, 1, "session_failed", "dispatched already_dispatched", 1],
  I5: [null, "stale_task_revision", 1, "running", "dispatched", 1],
  I6: [null, Array.from({ length: 8 }, () => ALREADY).join(" "), 1, "running", ["dispatched", ...Array.from({ length: 8 }, () => "already_dispatched")].join(" "), 1],
  I7: [null, "task_dispatch_attempt_created", 2, "session_failed running", "dispatched dispatched", 1],
};

async function play(id: StartRowId, options: StartRowOptions = {}): Promise<Played> {
  const { facts } = await playStartRow(id, options, runner);
  expect(facts.attempts).toBe(facts.attemptStatuses.length);
  return [facts.loadedState, facts.secondReasons.join(" "), facts.starts, facts.attemptStatuses.join(" "), facts.dispatchKinds.join(" "), facts.processes];
}

describe("the rows of starts", () => {
  it.each(START_ROW_IDS)("%s gives what was published, and the same where the dispatcher keeps its memory", async (id) => {
    expect(START_ROWS[id].change).not.toBe("");
    expect(await play(id)).toEqual(PUBLISHED[id]);
    expect(await play(id, { memory: "kept" })).toEqual(PUBLISHED[id]);
  });

  it.each(START_ROW_IDS)("%s gives it in five other orders of steps, each twice alike", async (id) => {
    for (let schedule = 1; schedule <= 5; schedule += 1) {
      expect(await play(id, { schedule })).toEqual(PUBLISHED[id]);
      const [one, two] = [await playStartRow(id, { schedule }, runner), await playStartRow(id, { schedule }, runner)];
      expect(one.traceHash).toBe(two.traceHash);
    }
  });

  it("is about the key and not about never starting anything: the second command of I7 starts, under a key of its own", async () => {
    const { facts } = await playStartRow("I7", {}, runner);
    expect(facts.startedFor).toEqual([{ session: "session-0001", key: "command-1" }, { session: "session-0002", key: "command-2" }]);
  });

  it("says of three kernels what it says of eight, three times", async () => {
    const { facts } = await playStartRow("I6", { kernels: 3 }, runner);
    expect([facts.secondReasons, facts.starts]).toEqual([[ALREADY, ALREADY, ALREADY], 1]);
  });
});

describe("one thing changed from there", async () => {
  const causes = await playStartCauses(runner);

  it.each<[StartCause, readonly string[], readonly string[]]>([
    ["no-lease-check", ["I1", "I2", "I3", "I6"], []],
    ["no-lease-check-start-again", ["I1", "I2", "I3", "I6"], []],
    ["no-key-reuse", ["I4"], ["I4"]],
    ["no-turns", [], []],
    ["three-kernels", ["I6"], []],
    ["reports-health", ["I1", "I2", "I3", "I4", "I6"], []],
  ])("%s changes these rows, and starts another session in those", (cause, changed, startedAgain) => {
    expect(causes[cause]).toEqual({ changed, startedAgain });
  });

  it("has a row for every cause, and each of the dispatcher's own is a policy of one that is known to be wrong", () => {
    const known = KNOWN_BAD_DISPATCHERS.flatMap(({ policies }) => Object.entries(policies).map((entry) => entry.join("=")));
    const tried = Object.values(START_CAUSES).flatMap((options: StartRowOptions) => Object.entries(options.dispatcher ?? {}).map((entry) => entry.join("=")));
    expect(tried.filter((one) => !known.includes(one))).toEqual([]);
  });

  it("without the lease check finds the session on record and adopts it: another answer, and no other start", async () => {
    const { facts } = await playStartRow("I2", { dispatcher: { leaseCheck: "none" } }, runner);
    expect([facts.secondReasons, facts.dispatchKinds, facts.starts]).toEqual([["task_session_adopted"], ["dispatched", "adopted"], 1]);
  });

  it("needs no turns where a start is on record: the lease answers in every order that was tried", async () => {
    for (let schedule = 1; schedule <= 20; schedule += 1) expect(await play("I6", { dispatcher: { turns: "none" }, schedule })).toEqual(PUBLISHED.I6);
  });

  it("needs them before the first start: of eight calls at once one finds the task moved under it, and one has lost its lease", async () => {
    const first = { when: "first" } as const;
    const answers = async (options: StartRowOptions) => (await playStartRow("I6", { ...first, ...options }, runner)).facts.dispatchKinds.toSorted();
    const usual = [...Array.from({ length: 7 }, () => "already_dispatched"), "dispatched"];
    // The first of 400 random orders in which it shows; it shows in 7 of them.
    const schedule = 65;
    expect(await answers({ schedule })).toEqual(usual);
    expect(await answers({ schedule, dispatcher: { turns: "none" } })).toEqual(["adopted", ...usual.slice(0, 5), "blocked", "lease_lost"]);
    expect((await playStartRow("I6", { ...first, schedule, dispatcher: { turns: "none" } }, runner)).facts.starts).toBe(1);
  });
});

describe("the rows of identity", () => {
  it("J1 and J2: a trigger is found at the top level, and lost where it is nested, and the start is the same", async () => {
    expect(await playTriggerRow("J1", runner)).toEqual({ nested: false, triggerChatPresent: true, logicalExecutionPresent: true, starts: 1 });
    expect(await playTriggerRow("J2", runner)).toEqual({ nested: true, triggerChatPresent: false, logicalExecutionPresent: true, starts: 1 });
  });

  it("J3: another actor is another input, and nothing is called", async () => {
    expect(await playSubjectRow()).toEqual({ actorChangeDigestChanged: true, executedToolCalls: 0 });
  });

  it("has four rows, of which J0 has no model", () => {
    expect(Object.keys(IDENTITY_ROWS)).toEqual(["J0", "J1", "J2", "J3"]);
  });
});
