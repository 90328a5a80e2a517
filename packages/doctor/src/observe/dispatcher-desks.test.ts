/**
 * What the dispatcher itself leaves on its desk in each scenario of the dispatch suite, looked at by the doctor: the bytes are the
 * fixture. The reference's desks alarm only where the scenario's own actors put something there that is wrong.
 */
import { SCENARIOS, systemOf } from "@casebook/dispatch-suite";
import { playAlone, simulationOf } from "@casebook/explore";
import { asynchronousRunner, macrotasks } from "@casebook/sim/kernel";
import { describe, expect, it } from "vitest";
import { look } from "../examine/look.fixture.ts";
import { type FixtureFiles, writtenAt } from "../presets/fixtures/index.ts";

async function desk(id: string) {
  const scenario = SCENARIOS.find((one) => one.id === id);
  if (scenario === undefined) throw new TypeError(`there is no scenario ${id}`);
  const simulation = simulationOf(systemOf(scenario, { name: "reference", policies: {} }), { choose: () => 0 }, scenario.faults, new Map(), true);
  await playAlone(simulation.execution, asynchronousRunner(macrotasks));
  const { files, log, startMs } = simulation.facts();
  const nowMs = Math.max(startMs, ...log.map(({ atMs }) => atMs));
  const onDisk: FixtureFiles = Object.fromEntries(files.map(({ path, bytes }) => [`/desk/${path}`, writtenAt(startMs - 86_400_000, new TextDecoder().decode(bytes))]));
  return look({ files: onDisk, places: ["/desk"] }, { nowMs });
}

/** By the fault of the scenario: two sources for one id, one id in two folders, a move that is not on record, a session that nobody explains, a conflict for a fresh reader. */
const PLACED: Readonly<Record<string, readonly string[]>> = {
  F01: ["dispatch/dual-location"],
  F02: ["dispatch/dual-location"],
  F17: ["dispatch/history-rewritten"],
  F19: ["dispatch/unattributed-start"],
  F19b: ["dispatch/unattributed-start"],
  F20: ["dispatch/dual-location"],
};

describe("the desks of the reference", () => {
  it("alarm where an actor put something wrong there, and nowhere else", async () => {
    const alarms: Record<string, readonly string[]> = {};
    for (const { id } of SCENARIOS) alarms[id] = (await desk(id)).alarms;
    expect(Object.fromEntries(Object.entries(alarms).filter(([, own]) => own.length > 0))).toEqual(PLACED);
  });
});
