/** The guard for case 012: what the store has, the ledger knows of. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { atRandom, namedPoint, nothingLost, repro, systems } from "./repro.ts";

const system = subject(repro);

describe("case 012: a machine that is lost between the artefact and the transition", () => {
  it("shows the bug at the named point: the artefact is in the store, and the ledger does not know", async () => {
    const { facts } = await play(repro, namedPoint);
    expect(facts).toMatchObject({ runs: 1, hits: 1, unknown: 1, completed: 0, alarms: [] });
  });

  it("is green with two hundred losses at random moments: not one of them meets the window", async () => {
    const { facts } = await play(repro, atRandom);
    expect(facts).toMatchObject({ runs: 200, hits: 0, unknown: 0, alarms: [] });
  });

  protects("leaves nothing in the store that the ledger does not know of, each time that the window is met", async () => {
    const { facts } = await system.play({ runs: 5, items: 3, watcher: "guard" });
    expect(facts).toMatchObject({ runs: 5, hits: 5, unknown: 0, completed: 5, alarms: [] });
  });

  protects("holds in a search with one trouble of the agent at that point and at each call", async () => {
    const [ignored, takenBack] = systems;
    const report = await explore(system.name === "taken-back" ? takenBack : ignored, await findRunner(), { strategy: "exhaustive" });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ planned: 17, exhausted: 17, failed: 0, notRun: 0 });
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it("is nothing where no machine is lost, whatever becomes of expired leases", async () => {
    for (const expiry of ["ignored", "taken-back"] as const) expect((await play(repro, nothingLost, { expiry })).facts).toMatchObject({ hits: 0, unknown: 0, completed: 1, alarms: [] });
  });
});
