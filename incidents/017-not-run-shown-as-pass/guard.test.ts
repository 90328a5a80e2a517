/** The guard for case 017: a suite that was not entered is NOT RUN, with what the environment said. */
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { allGreen, complete, leftOut, notRun, repro, shownAsFail, shownAsPass, watchedGreen, watchedPass } from "./repro.ts";

const system = subject(repro);

describe("case 017: two of five suites do not load", () => {
  it("shows the lie: 16 of 17 passed, of which two were never entered", async () => {
    expect((await play(repro, shownAsPass)).facts).toMatchObject({ entered: 3, planned: 17, passed: 16, failed: 1, notRun: 0 });
  });

  it("shows it in green: without the suite that fails nothing is left to make it red", async () => {
    expect((await play(repro, allGreen)).facts).toMatchObject({ entered: 2, planned: 16, passed: 16, exitCode: 0 });
  });

  it("shows the other two places for it: nowhere, and among the failures of the product", async () => {
    expect((await play(repro, leftOut)).facts).toMatchObject({ planned: 15, passed: 14, failed: 1 });
    expect((await play(repro, shownAsFail)).facts).toMatchObject({ planned: 17, passed: 14, failed: 3 });
  });

  protects("counts what did not run beside what passed and what failed", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ planned: 17, passed: 14, failed: 1, notRun: 2 });
  });

  protects("does not end like a run in which all passed", async () => {
    const { facts } = await system.play({ planned: allGreen.with.planned });
    expect(facts.exitCode).toBe(3);
  });

  protects("keeps what the environment said of each", async () => {
    const { facts } = await system.play();
    expect(facts.evidence).toBe(2);
  });

  it("leaves the failure a failure, and its class open", async () => {
    for (const scene of [shownAsPass, notRun]) expect((await play(repro, scene)).facts).toMatchObject({ failed: 1, classified: 0 });
  });

  it("alarms on a report that hides it, red or green, and is quiet where every suite loads", async () => {
    for (const scene of [watchedPass, watchedGreen]) expect((await play(repro, scene)).facts.alarms).toEqual(["report/hidden-not-run"]);
    expect((await play(repro, complete)).facts).toMatchObject({ entered: 5, notRun: 0, alarms: [] });
  });
});
