/** What case 009 rests on: other numbers, the halves of its mending, all single faults and pairs against its order, its guards and how they could be fooled. */
import { readFileSync } from "node:fs";
import { supervisionNoDescendantExecuting, supervisionOneTerminalRecord } from "@casebook/guards";
import { explore } from "@casebook/explore";
import { play } from "@casebook/repro";
import { findRunner } from "@casebook/sim/node";
import { POINTS, REFERENCE_POLICIES, type SupervisorPolicies } from "@casebook/supervisor";
import { FAULT_SCENARIOS, PAIRS, playRun, playScenario, type RunWorld, type Scenario, Seen, specOf } from "@casebook/supervisor/scenarios";
import { describe, expect, it } from "vitest";
import { five, repro, systems, twoHundred } from "./repro.ts";

const runner = await findRunner();
const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
const rowsFrom = (start: string): string[] => page.split("\n").filter((line) => line.startsWith(start));

describe("the mechanism of case 009", () => {
  it("is a matter of how many ask, and comes all at once: a hundred and fifty are told late, and all have a record", async () => {
    const rows: string[] = [];
    for (const runs of [5, 50, 150]) {
      const { facts } = await play(repro, five, { runs });
      rows.push(`| ${runs} runs | ${facts.told} told, the last one after ${facts.toldWithin} | ${facts.records} records |`);
    }
    expect(rowsFrom("| 5 runs").concat(rowsFrom("| 50 runs"), rowsFrom("| 150 runs"))).toEqual(rows);
  });

  it("needs both halves of its mending: told first without a limit leaves no record, a limit without the order tells late", async () => {
    const halves = { "order only": { order: "propagate-first" }, "limit only": { classification: "bounded" } } as const;
    const rows: string[] = [];
    for (const [name, half] of Object.entries(halves)) {
      const { facts } = await play(repro, twoHundred, half);
      rows.push(`| ${name} | ${facts.told} told, the last one after ${facts.toldWithin} | ${facts.records} records, ${facts.executing} executing |`);
    }
    expect(rowsFrom("| order only").concat(rowsFrom("| limit only"))).toEqual(rows);
  });

  it("leaves another trace when one more agent is there", async () => {
    const { traceHash } = await play(repro, five);
    expect((await play(repro, five, { agents: 6 })).traceHash).not.toBe(traceHash);
  });
});

const ORDER: Partial<SupervisorPolicies> = { cancelOrder: "classify-first", classification: "unbounded" };
/** As in the article: nobody succeeds a supervisor. */
const ALONE: Partial<SupervisorPolicies> = { succession: "none" };

async function broken(scenarios: readonly Scenario[], policies: Partial<SupervisorPolicies>): Promise<string[]> {
  const rows: string[] = [];
  for (const scenario of scenarios) {
    const { id, window, verdict, alarms, causes } = await playScenario(scenario, { policies: { ...REFERENCE_POLICIES, ...policies }, runner });
    if (verdict === "not-run") rows.push(`| \`${id}\` | ${window} | NOT RUN |`);
    if (verdict === "fail") rows.push(`| \`${id.split("/")[0]}\` | ${window} | ${alarms.length} of the invariants, ${causes.join(", ") || "no record"} |`);
  }
  return rows;
}

describe("the nine faults and their pairs against the order of case 009", () => {
  const singles = FAULT_SCENARIOS.filter(({ shape }) => shape === "three-vendors");

  it("is broken by those that the page names, and by no other of nine singles and thirty-six pairs", async () => {
    expect([singles.length, PAIRS.length]).toEqual([9, 36]);
    const rows = [...(await broken(singles, { ...ORDER, ...ALONE })), ...(await broken(PAIRS, { ...ORDER, ...ALONE }))];
    expect(rowsFrom("| `").filter((line) => line.includes("invariants") || line.includes("NOT RUN"))).toEqual(rows);
  });

  it("is the order that they break: told first, the same faults leave nothing behind, also without a successor", async () => {
    const all = [...singles, ...PAIRS].filter(({ id }) => id.includes("ledger_blackhole"));
    expect(all.length).toBe(9);
    expect(await broken(all, ALONE)).toEqual([]);
    // With a successor every invariant holds, and what is left is that the agents were told when it came.
    expect(await broken(all, ORDER)).toEqual(["| `ledger_blackhole` | the ledger is away from 40 s to 910 s, deadline 900 s | 0 of the invariants, deadline |"]);
  });

  it("takes the durations that the page says", async () => {
    const rows: string[] = [];
    for (const [says, fault] of DURATIONS) {
      const [first, mended] = [await atDeadline(fault, { ...ORDER, ...ALONE }), await atDeadline(fault, ALONE)];
      rows.push(`| ${says} | ${first} | ${mended} |`);
    }
    expect(rowsFrom("| the ledger ")).toEqual(rows);
  });
});

type Fault = NonNullable<RunWorld["faults"]>[number];
const trouble = (kind: Fault["kind"], forMs: number, byMs = 0): Fault => ({ at: POINTS.beforeCancel, kind, service: "ledger", forMs, byMs });
const HOUR_MS = 3_600_000;
const DURATIONS: readonly (readonly [string, Fault])[] = [
  ["the ledger is away for 1 ms", trouble("service-away", 1)],
  ["the ledger is away for 60 s", trouble("service-away", 60_000)],
  ["the ledger refuses for 60 s", trouble("service-refuses", 60_000)],
  ["the ledger takes 100 ms longer for a call", trouble("service-slow", HOUR_MS, 100)],
  ["the ledger takes 1 s longer for a call", trouble("service-slow", HOUR_MS, 1_000)],
  ["the ledger takes 10 s longer for a call", trouble("service-slow", HOUR_MS, 10_000)],
];

/** A tool hangs, so that the deadline comes; at the cancellation the trouble begins. Somebody looks ten minutes later. */
async function atDeadline(fault: Fault, policies: Partial<SupervisorPolicies>): Promise<string> {
  const spec = specOf("three-vendors");
  const settings = { policies: { ...REFERENCE_POLICIES, ...policies } };
  const played = await playRun({ spec, faults: [{ at: POINTS.inTool, kind: "hang", nth: 4 }, fault], settings, lookLateMs: 600_000 }, runner);
  if (played.snapshot === undefined || played.fired.includes(0)) return "NOT RUN";
  const seen = new Seen(played, played.snapshot);
  const after = (atMs: number | undefined): string => (atMs === undefined ? "never" : `after ${(seen.since(atMs) - spec.budget.wallClockMs) / 1_000} s`);
  return `told ${after(seen.logged("cancel-told")[0]?.atMs)}, record ${after(seen.record?.atMs)}${seen.record === undefined ? "" : `: ${seen.record.cause}`}`;
}

describe("the search over case 009", () => {
  it("finds the order that asks first, with one trouble and no switch, and nothing in the other", async () => {
    const rows: string[] = [];
    for (const { name, claim, ...system } of systems) {
      const { findings, planned } = await explore({ name, claim, ...system }, runner, { strategy: "exhaustive", budget: 40 });
      const found = findings.map(({ says, faults, shrunk }) => `${says}: ${faults.join(" and ")}, switches: ${shrunk.preemptions}`);
      rows.push(`| \`${name}\` | ${claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`);
    }
    expect(rowsFrom("| `009/")).toEqual(rows);
  });
});

describe("the guards of case 009", () => {
  it("alarm in the operator's cell: the supervisors stay as they are, and somebody asks of each run whose time is over", async () => {
    expect((await play(repro, twoHundred, { watcher: "guards" })).facts.alarms).toEqual([
      "supervision/items-terminal:195",
      "supervision/no-descendant-executing:195",
      "supervision/no-open-obligation:195",
      "supervision/nothing-held:195",
      "supervision/one-terminal-record:195",
    ]);
    expect((await play(repro, five)).facts.alarms).toEqual([]);
  });

  it("would be noticed if they never alarmed, and if they always did", () => {
    const orphaned = { run: "run-9701", begun: 5, executing: ["agent-1"] };
    const ended = { ...orphaned, executing: [] };
    const tells = (guard: (facts: typeof orphaned | typeof ended) => unknown) => guard(orphaned) !== undefined && guard(ended) === undefined;
    expect(tells(supervisionNoDescendantExecuting)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "supervision/no-descendant-executing" }))).toBe(false);
  });

  it("are fooled by a process table that only sees its own machine, and by a record that says nothing true", () => {
    expect(supervisionNoDescendantExecuting({ run: "run-9701", begun: 0, executing: [] })).toBeUndefined();
    expect(supervisionOneTerminalRecord({ run: "run-9701", records: [{ writtenBy: "nobody", cause: "completed" }], knownCauses: ["completed"] })).toBeUndefined();
  });
});
