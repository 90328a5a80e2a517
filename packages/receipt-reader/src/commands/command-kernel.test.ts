import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { type Command, COMMANDS, createCommandKernel, DECISION_TABLE, type Executor, type KernelAnswer } from "@casebook/receipt-reader";
import { DIAGNOSES } from "@casebook/receipt-reader/judge";
import { bytesOf, LOG, plant, textAt, withFile } from "../log.fixture.ts";
import { DiskError } from "@casebook/ports";

type WorldPorts = ReturnType<typeof createWorld>["ports"];

const command: Command = { key: "k1", kind: "retry", task: "digest", revision: "r1", actor: { id: "ADMIN", role: "ADMIN" }, payload: 1 };

/** A new kernel for each command, so that no memory answers. */
function setUp(ports: WorldPorts, executor: Partial<Executor> = {}) {
  const calls: string[] = [];
  const own: Executor = { execute: ({ key }) => Promise.resolve(void calls.push(key)).then(() => ({ reason: "done" })), ...executor };
  const handle = (some: Partial<Command> = {}, over = ports): Promise<KernelAnswer> =>
    createCommandKernel(over, { path: LOG, executor: own, revisionOf: () => "r1" }).handle({ ...command, ...some });
  return { calls, handle };
}

const inWorld = <T>(act: (ports: WorldPorts) => Promise<T>) => createWorld({ seed: 1, epoch: 0 }).run(act);

/** The completed receipt loses its second half. */
async function damageLast(ports: WorldPorts): Promise<void> {
  const lines = (await textAt(ports, LOG)).split("\n").slice(0, -1);
  const last = lines.pop() ?? "";
  await plant(ports, LOG, bytesOf([...lines, last.slice(0, last.length / 2)].map((one) => `${one}\n`).join("")));
}

describe("the decision table", () => {
  it("has a cell with a reason for each diagnosis and command", () => {
    for (const diagnosis of DIAGNOSES) for (const kind of COMMANDS) expect(DECISION_TABLE[diagnosis][kind].because).not.toBe("");
  });

  it("blocks no command for damage alone: a new key starts, and cancelling goes on", () => {
    for (const diagnosis of ["absent-behind-damage", "pending-behind-damage"] as const) expect(DECISION_TABLE[diagnosis].cancel.decision).toBe("act");
    expect(DECISION_TABLE["absent-behind-damage"].start.decision).toBe("act");
  });

  it("never acts on a key whose end may stand in what cannot be read", () => {
    const decisions = (["pending-behind-damage", "unsupported", "unreadable"] as const).flatMap((diagnosis) => [DECISION_TABLE[diagnosis].start, DECISION_TABLE[diagnosis].retry]);
    expect(decisions.map(({ decision }) => decision)).not.toContain("act");
  });
});

describe("the kernel", () => {
  it("does a command once, and answers the second time from its receipt", async () => {
    await inWorld(async (ports) => {
      const { calls, handle } = setUp(ports);
      expect(await handle()).toEqual({ reason: "done", actionTaken: true, diagnosis: "absent", decision: "act", loadedState: null, recorded: true });
      expect(await handle()).toEqual({ reason: "idempotent_replay", actionTaken: false, diagnosis: "completed", decision: "explain", loadedState: "completed", recorded: undefined });
      expect(calls).toEqual(["k1"]);
    });
  });

  it("takes the same key with another payload for a conflict, and with another kind for the same command", async () => {
    await inWorld(async (ports) => {
      const { handle } = setUp(ports);
      await handle({ kind: "start" });
      expect(await handle({ payload: 2 })).toMatchObject({ reason: "idempotency_key_conflict", actionTaken: false });
      expect(await handle({ kind: "retry" })).toMatchObject({ reason: "idempotent_replay" });
    });
  });

  it("starts a new key beside receipts that are damaged, and reconciles the old one", async () => {
    await inWorld(async (ports) => {
      const { calls, handle } = setUp(ports);
      await handle();
      await plant(ports, LOG, bytesOf("\0\0\0\n", "?\n"));
      expect(await handle()).toMatchObject({ reason: "receipt_damage_needs_reconciliation", decision: "reconcile", actionTaken: false });
      expect(await handle({ key: "k2", kind: "start" })).toMatchObject({ reason: "done", actionTaken: true });
      expect(calls).toEqual(["k1", "k2"]);
    });
  });

  it.each([
    ["finished", { reason: "reconciled_as_finished", actionTaken: false }, 1],
    ["never-started", { reason: "done", actionTaken: true }, 2],
    ["unknown", { reason: "receipt_damage_needs_reconciliation", actionTaken: false }, 1],
  ] as const)("asks whoever carries it out, and when that is %s goes by it, once", async (became, answer, times) => {
    await inWorld(async (ports) => {
      const { calls, handle } = setUp(ports, { lookUp: () => Promise.resolve(became) });
      await handle();
      await damageLast(ports);
      expect(await handle()).toMatchObject(answer);
      expect((await handle()).reason).toBe(became === "unknown" ? "receipt_damage_needs_reconciliation" : "idempotent_replay");
      expect(calls.length).toBe(times);
    });
  });

  it("does not begin what it cannot record", async () => {
    await inWorld(async (ports) => {
      const { calls, handle } = setUp(ports);
      const full = withFile(ports, LOG, () => ({ write: () => Promise.reject(new DiskError("ENOSPC", "write", LOG)) }));
      expect(await handle({}, full)).toMatchObject({ reason: "task_command_receipt_store_unavailable", actionTaken: false });
      expect(calls).toEqual([]);
    });
  });

  it("says that an end is not on record when the disk fails behind the action, and that an outcome is unknown", async () => {
    await inWorld(async (ports) => {
      let syncs = 0;
      const failing = withFile(ports, LOG, (file) => ({ sync: () => (syncs++ === 0 ? file.sync() : Promise.reject(new DiskError("EIO", "sync", LOG))) }));
      expect(await setUp(ports).handle({}, failing)).toMatchObject({ reason: "done", actionTaken: true, recorded: false });
      const lost = setUp(ports, { execute: () => Promise.reject(new Error("the answer was lost")) });
      expect(await lost.handle({ key: "k2" })).toMatchObject({ reason: "execution_outcome_unknown", actionTaken: true, recorded: false });
      expect(await lost.handle({ key: "k2", kind: "status" })).toMatchObject({ reason: "receipt_pending", diagnosis: "pending", actionTaken: false });
    });
  });

  it("cancels behind damage, and has nothing to cancel where nothing is on record", async () => {
    await inWorld(async (ports) => {
      const { handle } = setUp(ports);
      expect(await handle({ key: "none", kind: "cancel" })).toMatchObject({ reason: "no_receipt_on_record", actionTaken: false });
      await handle();
      await damageLast(ports);
      expect(await handle({ kind: "cancel" })).toMatchObject({ actionTaken: true, diagnosis: "pending-behind-damage" });
    });
  });
});
