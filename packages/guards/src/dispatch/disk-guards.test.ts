/** The guards over what a dispatcher leaves on a disk, each on facts that are wrong, on healthy ones, and on what fools it. */
import { describe, expect, it } from "vitest";
import { type DeclaredPlaces, dispatchDualLocation } from "./dual-location.ts";
import { dispatchExpiredLeaseHeld } from "./expired-lease-held.ts";
import { dispatchHistoryGap } from "./history-gap.ts";
import { dispatchIllegalTransition } from "./illegal-transition.ts";
import { dispatchTwoTerminals } from "./two-terminals.ts";

const MINUTE = 60_000;

describe("one id, one place", () => {
  const at = (path: string) => ({ path, folder: path.split("/")[0] as string });
  const row: DeclaredPlaces = { id: "a", places: [at("inbox/a.md")], texts: 1, alike: [] };

  it("is silent on ids that are in one place each", () => {
    expect(dispatchDualLocation([row, { ...row, id: "b", places: [at("done/b.md")] }])).toBeUndefined();
  });

  it.each<readonly [string, Partial<DeclaredPlaces>]>([
    ["in active and inbox", { places: [at("inbox/a.md"), at("active/a.md")] }],
    ["2 files in inbox, 2 texts", { places: [at("inbox/a.md"), at("inbox/copy.md")], texts: 2 }],
    ["beside A", { alike: ["A"] }],
  ])("alarms: %s", (says, change) => {
    expect(dispatchDualLocation([row, { ...row, id: "b", ...change }])).toEqual({
      guard: "dispatch/dual-location",
      subject: "b",
      message: `1 of 2 ids are more than one: b (${says})`,
      counts: { ids: 2, wrong: 1 },
    });
  });

  it("is fooled by one job under two ids", () => {
    expect(dispatchDualLocation([row, { ...row, id: "a-again" }])).toBeUndefined();
  });
});

describe("allowed moves only", () => {
  const allowed = [">inbox", "inbox>active", "active>review", "review>done"];
  const move = (from: string | undefined, to: string) => ({ task: "a", from, to });

  it("is silent on a beginning and moves that are in the table", () => {
    expect(dispatchIllegalTransition({ moves: [move(undefined, "inbox"), move("inbox", "active")], allowed })).toBeUndefined();
  });

  it("alarms on a move past the review, and on a beginning in the middle", () => {
    expect(dispatchIllegalTransition({ moves: [move("inbox", "active"), move("active", "done"), move(undefined, "done")], allowed })).toEqual({
      guard: "dispatch/illegal-transition",
      subject: "a",
      message: "2 of 3 moves are not allowed: a active to done, a began in done",
      counts: { moves: 3, illegal: 2 },
    });
  });

  it("is fooled by a move that nobody recorded", () => {
    expect(dispatchIllegalTransition({ moves: [move("inbox", "active")], allowed })).toBeUndefined();
  });
});

describe("no gap in a history", () => {
  const move = (from: string | undefined, to: string, atMs?: number) => ({ from, to, atMs });

  it("is silent on moves that follow each other, also without times", () => {
    expect(dispatchHistoryGap([{ task: "a", moves: [move(undefined, "inbox", 1), move("inbox", "active", 2), move("active", "review")] }, { task: "b", moves: [] }])).toBeUndefined();
  });

  it.each([
    ["after inbox comes review to done", [move(undefined, "inbox"), move("review", "done")]],
    ["after active comes a new beginning in inbox", [move("inbox", "active"), move(undefined, "inbox")]],
    ["active at 1970-01-01T00:00:00.001Z, before inbox", [move(undefined, "inbox", 2), move("inbox", "active", 1)]],
  ])("alarms: %s", (says, moves) => {
    expect(dispatchHistoryGap([{ task: "a", moves }])).toEqual({
      guard: "dispatch/history-gap",
      subject: "a",
      message: `1 gaps in 2 moves of 1 tasks: a (${says})`,
      counts: { tasks: 1, moves: 2, gaps: 1 },
    });
  });

  it("is fooled by a gap that begins and ends in one folder", () => {
    expect(dispatchHistoryGap([{ task: "a", moves: [move("inbox", "active"), move("active", "review")] }])).toBeUndefined();
  });
});

describe("a lease that is over", () => {
  const lease = { task: "a", owner: "d1", beganAtMs: 0, expiresAtMs: 30 * MINUTE };
  const facts = { leases: [lease], nowMs: 35 * MINUTE, graceMs: 5 * MINUTE };

  it("is not alarmed about until somebody had the time to take its work up", () => {
    expect(dispatchExpiredLeaseHeld(facts)).toBeUndefined();
    expect(dispatchExpiredLeaseHeld({ ...facts, nowMs: facts.nowMs + 1 })).toEqual({
      guard: "dispatch/expired-lease-held",
      subject: "a",
      message: "1 of 1 leases in use are over: a (lease of d1, over for 5 min)",
      counts: { leases: 1, over: 1, neverBegan: 0 },
    });
  });

  it("alarms at once when it ends before it begins", () => {
    const never = { ...lease, beganAtMs: 90 * MINUTE, expiresAtMs: 80 * MINUTE };
    expect(dispatchExpiredLeaseHeld({ ...facts, leases: [never, { ...lease, task: "b" }] })?.message).toBe("1 of 2 leases in use are over: a (lease of d1, ends before it begins)");
    expect(dispatchExpiredLeaseHeld({ ...facts, leases: [{ ...never, beganAtMs: undefined }] })).toBeUndefined();
  });

  it("is fooled by an owner that renews and does nothing", () => {
    expect(dispatchExpiredLeaseHeld({ ...facts, leases: [{ ...lease, expiresAtMs: facts.nowMs }] })).toBeUndefined();
  });
});

describe("one end", () => {
  it("is silent on attempts that ended once or not at all", () => {
    expect(dispatchTwoTerminals([{ attempt: "t1", task: "a", ends: ["settled"] }, { attempt: "t2", task: "a", ends: [] }])).toBeUndefined();
  });

  it.each([
    ["settled, then rejected", ["settled", "rejected"], 1],
    ["settled, then settled", ["settled", "settled"], 0],
  ])("alarms: %s", (says, ends, differing) => {
    expect(dispatchTwoTerminals([{ attempt: "t1", task: "a", ends }, { attempt: "t2", task: "b", ends: ["expired"] }])).toEqual({
      guard: "dispatch/two-terminals",
      subject: "a",
      message: `1 of 2 attempts ended more than once: t1 of a (${says})`,
      counts: { attempts: 2, twice: 1, differing },
    });
  });

  it("is fooled by a second end that overwrote the first", () => {
    expect(dispatchTwoTerminals([{ attempt: "t1", task: "a", ends: ["rejected"] }])).toBeUndefined();
  });
});
