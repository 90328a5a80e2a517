/** What case 010 rests on: other numbers, the moment, the search, the guard's mutants and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore } from "@casebook/explore";
import { supervisionOneTerminalRecord } from "@casebook/guards";
import { play } from "@casebook/repro";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { conditional, earlier, judge, nobodyCancels, repro, secondPath, systems } from "./repro.ts";

describe("the mechanism of case 010", () => {
  it("is not a matter of three items", async () => {
    const one = { items: 1, cancelledAtMs: 50_000 };
    expect((await play(repro, secondPath, one)).facts.records).toHaveLength(2);
    expect((await play(repro, conditional, one)).facts.records).toHaveLength(1);
  });

  it("needs the instant: cancelled a minute earlier, or by chance behind the completion, the second way leaves one record", async () => {
    expect((await play(repro, earlier)).facts).toMatchObject({ records: ["cancelled_by_operator by operator"], state: "cancelled" });
    expect((await play(repro, secondPath, { meets: "by-chance" })).facts).toMatchObject({ records: ["completed by supervisor"], refused: 0 });
  });

  it("leaves another trace when the operator comes a millisecond later", async () => {
    const { traceHash } = await play(repro, secondPath);
    expect((await play(repro, secondPath, { cancelledAtMs: 130_001 })).traceHash).not.toBe(traceHash);
  });
});

describe("the search over case 010", () => {
  it("says what the page says of each system", async () => {
    const runner = await findRunner();
    const rows: string[] = [];
    for (const system of systems) {
      const { findings, planned, cells } = await explore(system, runner, { strategy: "exhaustive", budget: 200 });
      expect(cells.filter(({ fired }) => fired === 0)).toEqual([]);
      const found = findings.map(({ says, faults, shrunk }) => `${/^\d+ terminal records/.exec(says)?.[0]}: ${faults.join(" and ") || "no fault"}, switches: ${shrunk.preemptions}`);
      rows.push(`| \`${system.name}\` | ${system.claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`);
    }
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `010/"))).toEqual(rows);
  });
});

describe("the guard of case 010", () => {
  it("alarms in the operator's cell: both ways of writing stay, and somebody counts the records of each run", async () => {
    expect((await play(repro, secondPath, { watcher: "guard" })).facts.alarms).toEqual(["supervision/one-terminal-record"]);
    expect((await play(repro, nobodyCancels)).facts.alarms).toEqual([]);
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const completed = { writtenBy: "supervisor", cause: "completed" } as const;
    const two = [completed, { writtenBy: "operator", cause: "cancelled_by_operator" } as const];
    const tells = (guard: (records: readonly (typeof two)[number][]) => unknown) => guard(two) !== undefined && guard([completed]) === undefined;
    expect(tells(judge)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "supervision/one-terminal-record" }))).toBe(false);
  });

  it("is fooled by a table that keeps one record for each run: the later end takes the place of the earlier, and one is what it counts", () => {
    const kept = new Map([["run-1", { writtenBy: "operator", cause: "cancelled_by_operator" }]]);
    kept.set("run-1", { writtenBy: "supervisor", cause: "completed" });
    expect(supervisionOneTerminalRecord({ run: "run-1", records: [...kept.values()], knownCauses: ["completed", "cancelled_by_operator"] })).toBeUndefined();
  });
});
