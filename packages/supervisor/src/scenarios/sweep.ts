/**
 * Every window with every kind of fault that can strike there, one at a time, on a run that completes, on one that a tool keeps from
 * completing, and on one that loses its agent. Judged by the invariants only: what a fault does at a window that nobody chose for it is not known beforehand.
 */
import type { ArmedFault, Runner } from "@casebook/sim/kernel";
import { type Point, POINTS, REFERENCE_POLICIES, type SupervisorPolicies } from "../index.ts";
import { waitsForEver } from "./play-scenario.ts";
import { playRun, type Schedule } from "./play-run.ts";
import { judgeRun } from "./read-facts.ts";
import { RUN_ID, type Shape, specOf } from "../rules/index.ts";

/** With the two durations that matter: longer than a lease, and shorter than one. */
export const SWEEP_KINDS: Readonly<Record<string, Omit<ArmedFault, "at">>> = {
  kill: { kind: "kill" },
  "host-dead": { kind: "host-dead" },
  "stop 200 s": { kind: "stop-continue", forMs: 200_000 },
  "host away 200 s": { kind: "host-unreachable", forMs: 200_000 },
  "slow 100 s": { kind: "slow", forMs: 100_000 },
  "ledger away 60 s": { kind: "service-away", service: "ledger", forMs: 60_000 },
  "ledger refuses 60 s": { kind: "service-refuses", service: "ledger", forMs: 60_000 },
  "clock +1 h": { kind: "clock-jump" },
};

export interface SweepCell {
  readonly point: Point;
  readonly kind: string;
  /** `not-run`: the fault never fired, in none of the three. */
  readonly verdict: "pass" | "fail" | "not-run";
  /** Runs in which it fired. */
  readonly fired: number;
  readonly because: readonly string[];
  /** The first run that failed. */
  readonly failed: { readonly faults: readonly ArmedFault[]; readonly choices: readonly number[]; readonly hash: string } | undefined;
}

export interface SweepOptions {
  readonly shape?: Shape;
  readonly policies?: SupervisorPolicies;
  readonly points?: readonly Point[];
  readonly runner?: Runner;
  /** Of the point's reaches, the one that is struck. Default 1. */
  readonly nth?: number;
  readonly schedule?: Schedule;
}

/** A tool that never answers leads the second run to its deadline; the agent of the third is killed behind its second claim. */
const BESIDE: readonly (readonly ArmedFault[])[] = [[], [{ at: POINTS.inTool, kind: "hang", nth: 2 }], [{ at: POINTS.afterClaim, kind: "kill", nth: 2 }]];

export async function sweep(options: SweepOptions = {}): Promise<readonly SweepCell[]> {
  const { shape = "one-agent", policies = REFERENCE_POLICIES, points = Object.values(POINTS), runner, nth = 1, schedule = "in-order" } = options;
  const spec = specOf(shape);
  const cells: SweepCell[] = [];
  for (const point of points) {
    for (const [name, fault] of Object.entries(SWEEP_KINDS)) {
      const because: string[] = [];
      let failed: SweepCell["failed"];
      let fired = 0;
      for (const others of BESIDE) {
        const faults = [{ ...fault, at: point, nth }, ...others];
        const played = await playRun({ spec, faults, settings: { policies }, schedule, lookLateMs: SWEEP_LATE_MS }, runner);
        if (played.fired[0] === 0) continue;
        fired += 1;
        const { snapshot, threw, ending } = played;
        const alarms = snapshot === undefined ? [`the world did not come to its end: ${ending}`] : judgeRun(RUN_ID, snapshot).map(({ guard, message }) => `${guard}: ${message}`);
        const against = [...alarms, ...threw, ...waitsForEver(played)];
        because.push(...against);
        if (against.length > 0) failed ??= { faults, choices: played.choices, hash: played.hash };
      }
      cells.push({ point, kind: name, verdict: fired === 0 ? "not-run" : because.length > 0 ? "fail" : "pass", fired, because, failed });
    }
  }
  return cells;
}

/** A fault that strikes the end of a run itself, and lasts 200 s, may keep it from ending for so long. */
export const SWEEP_LATE_MS = 300_000;
