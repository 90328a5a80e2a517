/** The guard for case 000: a lock older than its time has no owner. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { forEver, repro, undisturbed } from "./repro.ts";

const system = subject(repro);

describe("case 000: a lock that nobody removes", () => {
  it("shows the bug: the job dies once, and the three nights after it run nothing and are green", async () => {
    const { facts } = await play(repro, forEver);
    expect(facts).toMatchObject({ nights: 4, ran: 0, skipped: 3, redNights: 1 });
  });

  protects("runs every night after the one on which it died", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ ran: 3, skipped: 0 });
  });

  protects("leaves no stale lock behind", async () => {
    const { facts } = await system.play();
    expect(facts.guard).toBe("silent");
  });

  it("runs every night under both locks when nothing dies", async () => {
    for (const lock of ["for-ever", "expires"] as const) {
      const { facts } = await play(repro, undisturbed, { lock });
      expect(facts).toMatchObject({ ran: 4, skipped: 0, guard: "silent" });
    }
  });
});
