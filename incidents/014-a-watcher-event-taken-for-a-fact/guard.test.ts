/** The guard for case 014: whatever becomes of an event, one publication is one start, and it is found within a period. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { lost, PERIOD_MS, plain, readPlain, repro, systemOf, twice, watchedLost, watchedTwice, wokenLost } from "./repro.ts";

const system = subject(repro);

describe("case 014: a task is published, and a watcher says so twice, once, or not at all", () => {
  it("shows the lie: one publication, two events, two sessions, and not a word on record", async () => {
    expect((await play(repro, twice)).facts).toMatchObject({ heard: 2, attempts: 0, sessions: 2, alarms: [] });
  });

  it("shows the other one: no event, and the task lies in the inbox for good", async () => {
    expect((await play(repro, lost)).facts).toMatchObject({ heard: 0, sessions: 0, foundAfterS: -1, alarms: [] });
  });

  it("is green as long as each event comes once", async () => {
    expect((await play(repro, plain)).facts).toMatchObject({ heard: 1, sessions: 1, foundAfterS: 0 });
  });

  protects("starts once when the event comes twice, under an attempt that is on record", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ attempts: 1, sessions: 1 });
  });

  protects("finds the task within its period when the event is lost", async () => {
    const { facts } = await system.play({ event: "lost" });
    expect(facts.sessions).toBe(1);
    expect(facts.foundAfterS).toBeLessThanOrEqual(PERIOD_MS / 1_000);
  });

  protects("starts once when the event comes later than the scan", async () => {
    const { facts } = await system.play({ event: "late" });
    expect(facts).toMatchObject({ attempts: 1, sessions: 1, foundAfterS: 10 });
  });

  protects("holds whatever becomes of an event: lost, doubled, late, out of order, merged, too many, watcher broken", async () => {
    const observation = system.name === "twice" ? "event-starts" : "event-wakes-and-scan";
    const report = await explore(systemOf(observation), await findRunner(), { strategy: "sampled", budget: 3 });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ planned: 8, failed: 0, notRun: 0 });
  });

  it("is not mended by half: a dispatcher that looks when it is told, and only then, misses what it is not told", async () => {
    expect((await play(repro, wokenLost)).facts).toMatchObject({ sessions: 0, foundAfterS: -1 });
  });

  it("alarms on both, and is quiet where events and scan go together", async () => {
    expect((await play(repro, watchedTwice)).facts.alarms).toContain("dispatch/duplicate-session");
    expect((await play(repro, watchedLost)).facts.alarms).toEqual(["dispatch/unseen-task"]);
    expect((await play(repro, readPlain)).facts).toMatchObject({ sessions: 1, alarms: [] });
  });
});
