/** The guard for case 006: a green counts only with evidence, and with something bad that was found. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { anyReply, healthy, repro, watched } from "./repro.ts";

const system = subject(repro);
const LAST_TWO = ["session-11", "session-12"];

describe("case 006: a watchdog over twelve sessions", () => {
  it("shows the lie: every message is answered, 22 of 22 runs say 0 orphans, and two sessions finish nothing", async () => {
    const { facts } = await play(repro, anyReply);
    expect(facts).toMatchObject({ runs: 22, green: 22, replies: "264/264", said: [], idle: LAST_TWO, alarms: [] });
  });

  protects("names the two orphans, and no run says that all is well", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ green: 0, said: LAST_TWO });
  });

  protects("says of the first look, which has nothing to be compared with, that nothing was measured", async () => {
    const { facts } = await system.play({ orphans: 0 });
    expect(facts).toMatchObject({ green: 21, bad: 0, notMeasured: 1 });
  });

  protects("calls a session whose record cannot be read neither well nor an orphan", async () => {
    const { facts } = await system.play({ orphans: 0, unreadable: 1 });
    expect(facts).toMatchObject({ green: 0, bad: 0, notMeasured: 22, said: [] });
  });

  protects("sees dead work under a live loop", async () => {
    const { facts } = await system.play({ orphans: 0, spinning: 2 });
    expect(facts).toMatchObject({ green: 0, said: LAST_TWO });
  });

  protects("finds the planted one in every run that says that all is well", async () => {
    const { facts } = await system.play({ orphans: 0, planted: "one", judge: "guards" });
    expect(facts).toMatchObject({ plantedFound: "21/21", alarms: [] });
  });

  it("alarms on a green that missed the planted one, and is quiet on one that found it", async () => {
    expect((await play(repro, watched)).facts).toMatchObject({ plantedFound: "0/22", alarms: ["watchdog/false-green"] });
    expect((await play(repro, healthy)).facts).toMatchObject({ plantedFound: "21/21", alarms: [] });
  });
});
