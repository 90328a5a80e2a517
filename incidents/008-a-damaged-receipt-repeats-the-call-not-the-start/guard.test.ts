/** The guard for case 008: what cannot be read behind a pending receipt may be its end, and nobody acts before that is known. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { damagedCompletion, intact, repro, startedBoth, startedCancelled, startedNewKey, unrelated, watchedCompletion, watchedIntact } from "./repro.ts";

const system = subject(repro);

describe("case 008: a command that comes again after its receipt was damaged", () => {
  it("shows the lie: every byte of the log is kept, the command reads as pending, and it is called twice", async () => {
    const { facts } = await play(repro, damagedCompletion);
    expect(facts).toMatchObject({ bytesPreserved: true, loadedState: "pending", callbacks: 2, effects: 2, starts: "not measured", alarms: [] });
  });

  protects("does not call again when the completion is damaged, and says that somebody has to reconcile", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ secondReason: "receipt_damage_needs_reconciliation", callbacks: 1, effects: 1, bytesPreserved: true });
  });

  protects("does not call again when both receipts are damaged and nothing of the command can be read", async () => {
    const { facts } = await system.play({ row: "R3" });
    expect(facts).toMatchObject({ loadedState: null, secondReason: "receipt_damage_needs_reconciliation", callbacks: 1 });
  });

  protects("does not take a completion of a newer version for none", async () => {
    const { facts } = await system.play({ row: "R6" });
    expect(facts).toMatchObject({ secondReason: "receipt_version_unsupported", callbacks: 1 });
  });

  protects("does not lean on whoever carries it out to know the key", async () => {
    const { facts } = await system.play({ row: "R8" });
    expect(facts).toMatchObject({ callbacks: 1, effects: 1 });
  });

  it("blocks nothing for a bad line that is about nobody: the answer is replayed, before the fix and after it", async () => {
    const replayed = { secondReason: "idempotent_replay", callbacks: 1 };
    expect((await play(repro, unrelated)).facts).toMatchObject(replayed);
    expect((await system.play({ row: "R1" })).facts).toMatchObject(replayed);
  });

  it("alarms between the damage and the second command, and is quiet on a log that nobody damaged", async () => {
    expect((await play(repro, watchedCompletion)).facts["alarms"]).toEqual(["receipts/damaged", "receipts/state-regression"]);
    expect((await play(repro, watchedIntact)).facts["alarms"]).toEqual([]);
    expect((await play(repro, intact)).facts).toMatchObject({ secondReason: "idempotent_replay", callbacks: 1 });
  });

  it("shows that the second call is no second start: behind it stands a dispatcher with a lease and an attempt on record", async () => {
    expect((await play(repro, startedBoth)).facts).toMatchObject({ loadedState: null, dispatchKinds: ["dispatched", "already_dispatched"], starts: 1, attempts: 1 });
    expect((await play(repro, startedCancelled)).facts).toMatchObject({ secondReason: "task_already_dispatched", attemptStatuses: ["session_failed"], starts: 1 });
  });

  it("starts a new command all the same, before the fix and after it", async () => {
    const started = { secondReason: "task_dispatch_attempt_created", starts: 2, attemptStatuses: ["session_failed", "running"] };
    expect((await play(repro, startedNewKey)).facts).toMatchObject(started);
    expect((await system.play({ row: "I7" })).facts).toMatchObject(started);
  });
});
