/** What case 012 rests on: the share that is calculated beside the one that is counted, other numbers, the search, the guard's mutants and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore } from "@casebook/explore";
import { supervisionUnknownArtefact, type SupervisionUnknownArtefactFacts } from "@casebook/guards";
import { play } from "@casebook/repro";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { atRandom, expectedHits, namedPoint, nothingLost, playRuns, repro, systems, takenBack, WINDOW_MS } from "./repro.ts";

const runner = await findRunner();

describe("the share of case 012", () => {
  it("is one run in 8,491 for one item, and one in 566 for fifteen", () => {
    const oneIn = (items: number): number => Math.round(1 / expectedHits({ runs: 1, items, windowMs: WINDOW_MS }).share);
    expect([oneIn(1), oneIn(15)]).toEqual([8_491, 566]);
  });

  it("is what is counted, within three standard deviations, for three widths of the window and two numbers of items", async () => {
    const rows: string[] = [];
    for (const [items, factor] of [[1, 100], [1, 1_000], [5, 50]] as const) {
      const runs = { ...atRandom.with, runs: 600, items, windowMs: factor * WINDOW_MS };
      const { hits, unknown } = await playRuns(runs, 12, runner);
      const { mean, sigma } = expectedHits(runs);
      expect(Math.abs(hits - mean)).toBeLessThan(3 * sigma);
      expect(unknown).toBe(hits);
      rows.push(`| ${items} | ${((factor * WINDOW_MS) / 1_000).toFixed(1)} s | ${mean.toFixed(1)} ± ${sigma.toFixed(1)} of 600 | ${hits} |`);
    }
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => / of 600 \|/.test(line))).toEqual(rows);
  });

  it("is all of them at the named point, and none without a loss", async () => {
    expect(await playRuns({ ...namedPoint.with, runs: 50, items: 3 }, 12, runner)).toMatchObject({ hits: 50, unknown: 50 });
    expect(await playRuns({ ...nothingLost.with, runs: 50, items: 3 }, 12, runner)).toMatchObject({ hits: 0, unknown: 0, completed: 50 });
  });

  it("comes from other moments with another seed, and leaves another trace", async () => {
    const { traceHash } = await play(repro, atRandom, { runs: 5 });
    expect((await play({ ...repro, seed: 13 }, atRandom, { runs: 5 })).traceHash).not.toBe(traceHash);
    expect((await play(repro, takenBack)).traceHash).not.toBe((await play(repro, takenBack, { windowMs: 107 })).traceHash);
  });
});

describe("the search over case 012", () => {
  it("says what the page says of each system", async () => {
    const rows: string[] = [];
    for (const system of systems) {
      const { findings, planned, cells } = await explore(system, runner, { strategy: "exhaustive" });
      expect(cells.filter(({ fired }) => fired === 0)).toEqual([]);
      const found = findings.map(({ says, faults, shrunk }) => `${says}: ${faults.join(" and ")}, switches: ${shrunk.preemptions}`);
      rows.push(`| \`${system.name}\` | ${system.claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`);
    }
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `012/"))).toEqual(rows);
  });
});

describe("the unknown-artefact guard", () => {
  it("alarms in the operator's cell: leases that ran out are ignored, and somebody lists the store beside the ledger", async () => {
    expect((await play(repro, namedPoint, { watcher: "guard" })).facts.alarms).toEqual(["supervision/unknown-artefact"]);
    expect((await play(repro, nothingLost)).facts.alarms).toEqual([]);
  });

  const facts = (status: string): SupervisionUnknownArtefactFacts => ({ run: "run-1", items: [{ item: "part-1", status, isDone: status === "done", artefacts: 1 }] });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const tells = (guard: (given: SupervisionUnknownArtefactFacts) => unknown) => guard(facts("claimed")) !== undefined && guard(facts("done")) === undefined;
    expect(tells(supervisionUnknownArtefact)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "supervision/unknown-artefact" }))).toBe(false);
  });

  it("is fooled by half an artefact, which it takes for a whole one, and by a store whose addresses do not say whose they are", () => {
    expect(supervisionUnknownArtefact(facts("claimed"))).toBeDefined();
    expect(supervisionUnknownArtefact({ run: "run-1", items: [{ item: "part-1", status: "claimed", isDone: false, artefacts: 0 }] })).toBeUndefined();
  });
});
