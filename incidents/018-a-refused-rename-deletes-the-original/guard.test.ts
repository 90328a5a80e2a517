/** The guard for case 018: a refused rename costs no record, whoever dies and however often it is refused. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { deletes, repro, systemOf, unrefused, watched } from "./repro.ts";

const system = subject(repro);

describe("case 018: a rename that the disk refuses", () => {
  it("shows the lie: a reader that finds no file says that nothing was ever begun, and two tasks at work are started again", async () => {
    const { facts } = await play(repro, deletes);
    expect(facts).toMatchObject({ refusals: 1, deleted: 1, found: ["2", "missing", "3"], sessions: 5, again: ["task-1", "task-2"], alarms: [] });
  });

  protects("keeps the file when the writer dies behind a refusal", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ refusals: 1, deleted: 0, found: ["2", "2", "3"], again: [] });
  });

  protects("keeps the file when a second rename is refused as well", async () => {
    const { facts } = await system.play({ refusals: 2, killedAfterCall: 0 });
    expect(facts).toMatchObject({ refusals: 2, failed: 0, found: ["2", "3"], sessions: 3, again: [] });
  });

  protects("holds for every crash, power loss and row of refusals, one at a time", async () => {
    const report = await explore(systemOf(system.name), await findRunner());
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ verdict: "exhausted", planned: 44, exhausted: 44 });
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it("alarms on the missing file, before anything is started again, and is quiet where nobody refuses", async () => {
    expect((await play(repro, watched)).facts.alarms).toEqual(["storage/neither-version", "dispatch/duplicate-session"]);
    expect((await play(repro, unrefused, { watcher: "guard" })).facts).toMatchObject({ found: ["2", "3", "3"], alarms: [] });
  });
});
