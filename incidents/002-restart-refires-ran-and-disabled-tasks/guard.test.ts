/** The guards for case 002: one slot, one run; a disabled task, none; every run in the registry. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { broken, repro } from "./repro.ts";

const system = subject(repro);
const SLOT = "2026-07-03T12:00:00.000Z";

describe("case 002: a restart in the evening", () => {
  it("shows the storm: five ran again, a disabled one ran, and none of the six was stamped", async () => {
    const { facts } = await play(repro, broken);
    expect(facts).toMatchObject({ ghostFires: 5, disabledFires: 1, invisibleFires: 6, lastRunAt: "stale" });
  });

  protects("fires no ghost, no disabled task, and nothing that the registry does not know", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ ghostFires: 0, disabledFires: 0, invisibleFires: 0, lastRunAt: "fresh" });
    expect(facts.alarms).toEqual([]);
  });

  protects("never dispatches a disabled task, by the list of dispatches and not by its stamp", async () => {
    const { facts } = await system.play();
    expect(facts.eveningFires.filter((fire) => fire.startsWith("disabled@"))).toEqual([]);
  });

  protects("stamps what it dispatches: a daily that was missed at noon runs, and its stamp is the time of that run", async () => {
    const { facts } = await system.play({ noon: "daily" });
    expect(facts.eveningFires).toContain(`noon@${SLOT}`);
    expect(facts.stamps).toContain("noon=2026-07-03T23:33:00.000Z");
  });
});
