/** What case 001 rests on: other numbers, the operator's cell, the mutants of its guard, and how it could be fooled. */
import { registryParity } from "@casebook/guards/registry";
import { firstDifference, play } from "@casebook/repro";
import type { Volume } from "memfs";
import { describe, expect, it } from "vitest";
import { allOrNothing, disk, healthy, LOCATION, quarantine, repro, type Seen, watched } from "./repro.ts";

const factsOf = ({ onDisk, loaded, quarantined }: Seen) => ({ onDisk, loaded, quarantined: quarantined.length });

describe("the mechanism of case 001", () => {
  it("is not a matter of six and one: of nine with two bad, 0 are loaded whole and 7 one by one", async () => {
    const numbers = { tasks: 9, bad: 2 };
    expect((await play(repro, allOrNothing, numbers)).facts).toMatchObject({ onDisk: 9, loaded: 0, fired: 0, dropped: 9 });
    expect((await play(repro, quarantine, numbers)).facts).toMatchObject({
      onDisk: 9,
      loaded: 7,
      fired: 7,
      dropped: 0,
      quarantined: ["task-08", "task-09"],
    });
  });

  it("needs the bad entry: without it the broken loader loads and fires all", async () => {
    expect((await play(repro, allOrNothing, { bad: 0 })).facts).toMatchObject({ loaded: 6, fired: 6 });
  });

  it("shows in no light that an operator looks at: broken and healthy differ only in the counts", async () => {
    const lights = ({ heartbeat, registryMtime, process }: Seen) => ({ heartbeat, registryMtime, process });
    const broken = (await play(repro, allOrNothing)).facts;
    expect(broken.fired).toBe(0);
    expect(lights(broken)).toEqual(lights((await play(repro, healthy)).facts));
    expect(lights(broken)).toEqual({ heartbeat: "fresh", registryMtime: "fresh", process: "alive" });
  });

  it("is told to the log, which nobody reads", async () => {
    const { log } = await play(repro, allOrNothing);
    const events = new Set(log.filter((entry) => entry.level === "error").map((entry) => entry.event));
    expect([...events].toSorted()).toEqual(["registry.file-rejected", "scheduler.source-failed"]);
  });

  it("leaves the bad entry in the file as it was, also after the good ones were stamped", async () => {
    const { volume } = await play(repro, quarantine);
    const { scheduledTasks } = JSON.parse(volume().readFileSync(LOCATION.path, "utf8") as string);
    expect(scheduledTasks).toHaveLength(6);
    expect(scheduledTasks[5]).toEqual({ id: "task-06", enabled: true, fireAt: "2026-08-27T07:30:00+01:00" });
    expect(scheduledTasks[0].lastRunAt).toBe("2026-09-02T08:00:00.000Z");
  });

  it("gives another trace when one byte of its input is another", async () => {
    const { traceHash } = await play(repro, allOrNothing);
    const oneByteMore = { ...allOrNothing, disk: () => changed(disk(allOrNothing.with)) };
    const other = await play(repro, oneByteMore);
    expect(firstDifference(allOrNothing.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

/** The same registry with another word in a key that nobody reads. */
function changed(volume: Volume): Volume {
  const text = volume.readFileSync(LOCATION.path, "utf8") as string;
  volume.writeFileSync(LOCATION.path, text.replace("recordedSkips", "recordedSkipz"));
  return volume;
}

describe("the parity guard", () => {
  it("alarms in the operator's cell: the vendor's loader stays bad, and somebody counts", async () => {
    const { facts } = await play(repro, watched);
    expect(facts.alarm).toBe("PARITY");
    expect(registryParity(factsOf(facts))?.message).toBe("0 of 6 tasks on disk loaded, 0 quarantined, 6 dropped");
  });

  it("still alarms after the fix, because a quarantined task does not fire either", async () => {
    expect(registryParity(factsOf((await play(repro, quarantine)).facts))).toBeDefined();
  });

  it("is silent on the control", async () => {
    expect(registryParity(factsOf((await play(repro, healthy)).facts))).toBeUndefined();
  });

  it("would be noticed if it never alarmed, and if it always did", async () => {
    // The two expectations above, asked of the mutants: each mutant breaks one of them.
    const broken = factsOf((await play(repro, watched)).facts);
    const control = factsOf((await play(repro, healthy)).facts);
    const tells = (guard: (facts: typeof broken) => unknown) => guard(broken) !== undefined && guard(control) === undefined;
    expect(tells(registryParity)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "registry/parity" }))).toBe(false);
  });

  it("is fooled by counts that come out even: one task lost and another one loaded twice", () => {
    expect(registryParity({ onDisk: 6, loaded: 6, quarantined: 0 })).toBeUndefined();
  });
});
