/** What case 013 rests on: other times, the order in which the three find out, the search, the guard's mutants and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore } from "@casebook/explore";
import { lockStale } from "@casebook/guards";
import { play } from "@casebook/repro";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { byLease, cutOffBroken, killed, machineLost, nothingLost, repro, systems } from "./repro.ts";

describe("the mechanism of case 013", () => {
  it("is not a matter of 90 s: the item comes back when the lease runs out, whatever the broker thinks", async () => {
    expect((await play(repro, byLease, { leaseMs: 45_000 })).facts).toMatchObject({ broker: "60.000s", lease: "45.000s", takenBack: "45.000s" });
    expect((await play(repro, byLease, { silenceMs: 120_000 })).facts).toMatchObject({ broker: "120.000s", lease: "90.000s", takenBack: "90.000s" });
  });

  it("needs the loss: where nothing is lost, nothing is taken back", async () => {
    for (const evidence of ["connection-end", "connection-end-or-expiry"] as const) {
      expect((await play(repro, nothingLost, { evidence })).facts).toMatchObject({ takenBack: "never", finished: "claim 1", alarms: [] });
    }
  });

  it("ends late and by luck when the network comes back: the item was held for five minutes", async () => {
    expect((await play(repro, cutOffBroken)).facts).toMatchObject({ connection: "300.000s", takenBack: "never", stoppedItself: "90.000s", finished: "claim 1" });
  });

  it("leaves another trace when a lease is a millisecond longer", async () => {
    const { traceHash } = await play(repro, byLease);
    expect((await play(repro, byLease, { leaseMs: 90_001 })).traceHash).not.toBe(traceHash);
  });
});

describe("the search over case 013", () => {
  it("says what the page says of each system", async () => {
    const runner = await findRunner();
    const rows: string[] = [];
    for (const system of systems) {
      const { findings, planned, cells } = await explore(system, runner, { budget: 30 });
      expect(cells.filter(({ fired }) => fired === 0)).toEqual([]);
      const found = findings.map(({ says, faults, shrunk }) => `${says}: ${faults.join(" and ")}, switches: ${shrunk.preemptions}`);
      rows.push(`| \`${system.name}\` | ${system.claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`);
    }
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `013/"))).toEqual(rows);
  });
});

describe("the guard of case 013", () => {
  it("alarms in the operator's cell: the supervisor stays as it is, and somebody asks how old a claimed item's lease is", async () => {
    expect((await play(repro, machineLost, { watcher: "guard" })).facts.alarms).toEqual(["lock/stale"]);
    expect((await play(repro, killed)).facts.alarms).toEqual([]);
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const lease = (ageMs: number) => ({ locks: [{ path: "items/part", atMs: 0, staleAfterMs: 90_000 }], nowMs: ageMs });
    const tells = (guard: (facts: ReturnType<typeof lease>) => unknown) => guard(lease(90_001)) !== undefined && guard(lease(30_000)) === undefined;
    expect(tells(lockStale)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "lock/stale" }))).toBe(false);
  });

  it("is fooled by whoever renews a lease for another, such as a helper that outlives the work", () => {
    expect(lockStale({ locks: [{ path: "items/part", atMs: 570_000, staleAfterMs: 90_000 }], nowMs: 600_000 })).toBeUndefined();
  });
});
