import { describe, expect, it } from "vitest";
import { registryParity } from "./registry-guards.ts";

describe("registry/parity", () => {
  it("alarms when one bad entry cost all six", () => {
    expect(registryParity({ onDisk: 6, loaded: 0, quarantined: 0 })).toEqual({
      guard: "registry/parity",
      subject: "fleet",
      message: "0 of 6 tasks on disk loaded, 0 quarantined, 6 dropped",
      counts: { onDisk: 6, loaded: 0, quarantined: 0, dropped: 6, blastRadius: 0 },
    });
  });

  it("still alarms after the fix, because a quarantined task does not fire either", () => {
    expect(registryParity({ onDisk: 6, loaded: 5, quarantined: 1 })).toEqual({
      guard: "registry/parity",
      subject: "fleet",
      message:
        "5 of 6 tasks on disk loaded, 1 quarantined, 0 dropped; a whole-list loader would drop 5 good ones with them",
      counts: { onDisk: 6, loaded: 5, quarantined: 1, dropped: 0, blastRadius: 5 },
    });
  });

  it("alarms when more are loaded than are there, because then the count or the loader reads something else", () => {
    expect(registryParity({ onDisk: 6, loaded: 7, quarantined: 0 })?.message).toBe(
      "7 tasks loaded while 6 are on disk",
    );
  });

  it("alarms on a count that is no number, rather than staying silent", () => {
    expect(registryParity({ onDisk: Number.NaN, loaded: 6, quarantined: 0 })).toBeDefined();
  });

  it("is silent when all six are loaded, and on a registry that is known to be empty", () => {
    expect(registryParity({ onDisk: 6, loaded: 6, quarantined: 0 })).toBeUndefined();
    expect(registryParity({ onDisk: 0, loaded: 0, quarantined: 0 })).toBeUndefined();
  });

  it("is fooled when one task is lost and another loaded twice, because it compares counts and not ids", () => {
    expect(registryParity({ onDisk: 6, loaded: 6, quarantined: 0 })).toBeUndefined();
  });
});
