/** The guard for case 001: what is on disk and what was loaded must agree. */
import { registryParity } from "@casebook/guards/registry";
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { allOrNothing, repro } from "./repro.ts";

const system = subject(repro);

describe("case 001: registry parity", () => {
  it("shows the bug: six on disk, one of them bad, and none is loaded or fires", async () => {
    const { facts } = await play(repro, allOrNothing);
    expect(facts).toMatchObject({ onDisk: 6, loaded: 0, fired: 0, dropped: 6, alarm: "none" });
  });

  protects("loads and fires the five good entries, and names the bad one", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ onDisk: 6, loaded: 5, fired: 5, quarantined: ["task-06"] });
  });

  protects("alarms on a total loss and on quarantine's own 5 of 6, and is quiet on 6 of 6", async () => {
    const { facts } = await system.play({ watcher: "parity" });
    expect(registryParity({ onDisk: 6, loaded: 0, quarantined: 0 })?.message).toBe(
      "0 of 6 tasks on disk loaded, 0 quarantined, 6 dropped",
    );
    expect(registryParity({ onDisk: facts.onDisk, loaded: facts.loaded, quarantined: facts.quarantined.length })?.message).toBe(
      "5 of 6 tasks on disk loaded, 1 quarantined, 0 dropped; a whole-list loader would drop 5 good ones with them",
    );
    expect(registryParity({ onDisk: 6, loaded: 6, quarantined: 0 })).toBeUndefined();
  });

  it("loads and fires six of a healthy registry under both loaders", async () => {
    for (const loader of ["reject-file", "quarantine-entry"] as const) {
      const { facts } = await play(repro, repro.control, { loader });
      expect(facts).toMatchObject({ onDisk: 6, loaded: 6, fired: 6, alarm: "none" });
    }
  });
});
