/** What case 011 rests on: other moments of waking, what a name is worth as a fence, the search, the guard's mutants and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore } from "@casebook/explore";
import { supervisionStaleEpochWrite, type SupervisionStaleEpochWriteFacts } from "@casebook/guards";
import { play } from "@casebook/repro";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { awake, later, ownNames, repro, systems, unfenced, zombie } from "./repro.ts";

describe("the mechanism of case 011", () => {
  it("needs the stall to be longer than what is left of the lease: one that wakes within it harms nobody", async () => {
    expect((await play(repro, zombie, { stalledMs: 40_000 })).facts).toMatchObject({ claims: 1, late: "0/0", finishes: 1 });
    expect((await play(repro, zombie, { stalledMs: 60_000 })).facts).toMatchObject({ claims: 2, late: "3/3", finishes: 2 });
  });

  it("puts an older artefact in the place of the newer one when it wakes behind the other's finish", async () => {
    expect((await play(repro, later)).facts).toMatchObject({ applied: ["heartbeat", "finish"], stands: "epoch 1 of 2" });
  });

  it("is hidden by names that are new at each begin: then the owner happens to be a fence", async () => {
    expect((await play(repro, ownNames)).facts).toMatchObject({ late: "0/3", finishes: 1, alarms: [] });
    expect((await play(repro, unfenced)).facts).toMatchObject({ late: "3/3", finishes: 2 });
  });

  it("leaves another trace when it stalls a millisecond longer", async () => {
    const { traceHash } = await play(repro, zombie);
    expect((await play(repro, zombie, { stalledMs: 70_001 })).traceHash).not.toBe(traceHash);
  });
});

describe("the search over case 011", () => {
  it("says what the page says of each system", async () => {
    const runner = await findRunner();
    const rows: string[] = [];
    for (const system of systems) {
      const { findings, planned, cells } = await explore(system, runner, { budget: 60 });
      expect(cells.filter(({ point, fired }) => point.startsWith("agent.") && fired === 0)).toEqual([]);
      const found = findings.map(({ says, faults, shrunk }) => `${/^\d+ of \d+ writes/.exec(says)?.[0]}: ${faults.join(" and ")}, switches: ${shrunk.preemptions}`);
      rows.push(`| \`${system.name}\` | ${system.claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`);
    }
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `011/"))).toEqual(rows);
  });
});

describe("the stale-epoch-write guard", () => {
  it("alarms in the operator's cell: the agents stay as they are, and somebody reads the journal", async () => {
    expect((await play(repro, zombie, { watcher: "guard" })).facts.alarms).toEqual(["supervision/stale-epoch-write"]);
    expect((await play(repro, awake)).facts.alarms).toEqual([]);
  });

  const write = (epoch: number, what: string) => ({ row: "items/part", what, by: `agent-${epoch}`, epoch, isApplied: true });
  const late: SupervisionStaleEpochWriteFacts = { writes: [write(1, "claim"), write(2, "claim"), write(1, "finish")] };
  const inTime: SupervisionStaleEpochWriteFacts = { writes: [write(1, "claim"), write(1, "finish"), write(2, "claim")] };

  it("would be noticed if it never alarmed, and if it always did", () => {
    const tells = (guard: (facts: SupervisionStaleEpochWriteFacts) => unknown) => guard(late) !== undefined && guard(inTime) === undefined;
    expect(tells(supervisionStaleEpochWrite)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "supervision/stale-epoch-write" }))).toBe(false);
  });

  it("is fooled by a writer that names the epoch it reads in the row instead of the one it was given", () => {
    expect(supervisionStaleEpochWrite({ writes: [write(1, "claim"), write(2, "claim"), { ...write(2, "finish"), by: "agent-1" }] })).toBeUndefined();
  });
});
