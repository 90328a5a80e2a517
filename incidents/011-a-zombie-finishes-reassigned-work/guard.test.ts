/** The guard for case 011: behind a later claim nothing of an earlier one is applied. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { awake, repro, systemOf, zombie } from "./repro.ts";

const system = subject(repro);

describe("case 011: an agent that wakes behind its lease", () => {
  it("shows the bug: three late writes go through, the item is finished twice, and its lock is given away under the one who works", async () => {
    const { facts } = await play(repro, zombie);
    expect(facts).toMatchObject({ claims: 2, late: "3/3", applied: ["heartbeat", "release", "finish"], finishes: 2, lockShared: true, alarms: [] });
  });

  protects("refuses every write of the earlier claim", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ claims: 2, late: "0/3", applied: [], finishes: 1, lockShared: false });
  });

  protects("keeps the artefact of the newest claim, however late the other wakes", async () => {
    const { facts } = await system.play({ stalledMs: 200_000 });
    expect(facts).toMatchObject({ late: "0/3", finishes: 1, stands: "epoch 2 of 2" });
  });

  protects("holds in a search with one fault in either window", async () => {
    // 60: a sample of the schedules of most arms.
    const report = await explore(systemOf(system.name), await findRunner(), { budget: 60 });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report.notRun).toBe(0);
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it("does nothing to an agent that never stalls, whatever its writes ask for", async () => {
    for (const fence of ["none", "owner", "owner-and-epoch"] as const) {
      expect((await play(repro, awake, { fence })).facts).toMatchObject({ claims: 1, late: "0/0", finishes: 1, alarms: [] });
    }
  });
});
