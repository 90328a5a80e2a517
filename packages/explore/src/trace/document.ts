/**
 * One execution as plain data that another program can read: every step with its cause, what the faults did, how the processes
 * stood, the choices, and the token that plays it again.
 */
import { type ArmedFault, type Execution, faultText, type Operation } from "@casebook/sim/kernel";
import type { Judged } from "../judge.ts";
import type { AnySystem, System } from "../system.ts";
import { KERNEL_VERSION } from "../token.ts";
import type { DiskChange, Watch } from "./watch.ts";

export const TRACE_SCHEMA_VERSION = 1;

export interface TraceStep {
  /** From 1. */
  readonly number: number;
  /** Virtual milliseconds since the start. */
  readonly atMs: number;
  readonly process: string;
  readonly host: string;
  /** 1 for the first. */
  readonly life: number;
  readonly operation: string;
  readonly object: string;
  /** `ok`, `held`, or the code of the error. */
  readonly outcome: string;
  readonly detail: string;
  /** Number of the step whose code made the call; 0: it was made at the start. */
  readonly cause: number;
  /** How many operations could be taken, and which was, from 0. */
  readonly options: number;
  readonly taken: number;
  /** Positions in `faults` of those that fired here. */
  readonly fired: readonly number[];
  /** Taken in the heal phase, in which nothing is chosen. */
  readonly isHealing: boolean;
}

export interface TraceChange {
  /** Number of the step that brought it; 0: it was so at the start. */
  readonly step: number;
  readonly process: string;
  /** `running`, `stopped`, `ended`, `threw`, `killed`, `restarting`, `host dead`, or with `, host unreachable`. */
  readonly status: string;
  readonly life: number;
}

export interface TraceVerdict {
  readonly verdict: "holds" | "fails" | "not-run";
  /** Id of the check that fails; "" otherwise. */
  readonly check: string;
  readonly says: string;
}

export interface TraceDocument {
  readonly schemaVersion: 1;
  readonly system: string;
  readonly claim: string;
  readonly kernel: number;
  /** Hash of the source of the case; "" when nobody computed it. */
  readonly source: string;
  readonly token: string;
  readonly hash: string;
  /** Virtual instant of the start, in epoch milliseconds. */
  readonly startedAtMs: number;
  readonly ending: { readonly how: string; readonly says: string };
  readonly judged: TraceVerdict;
  readonly faults: readonly { readonly armed: ArmedFault; readonly text: string; readonly fired: number }[];
  /** Where there was more than one option: which was taken, from 0. */
  readonly choices: readonly number[];
  readonly processes: readonly { readonly name: string; readonly host: string; readonly isDaemon: boolean; readonly lives: number; readonly status: string }[];
  readonly steps: readonly TraceStep[];
  readonly changes: readonly TraceChange[];
  /** Where a power loss forgets: after each step that changed it, what of a disk was not durable yet. Empty under `kill`. */
  readonly disks: readonly DiskChange[];
}

export interface Played {
  readonly execution: Execution;
  readonly watch: Watch;
  readonly judged: Judged;
  readonly token: string;
  readonly source: string;
}

export function traceDocument<Facts>(system: System<Facts> | AnySystem, { execution, watch, judged, token, source }: Played): TraceDocument {
  return {
    schemaVersion: TRACE_SCHEMA_VERSION,
    system: system.name,
    claim: system.claim,
    kernel: KERNEL_VERSION,
    source,
    token,
    hash: execution.hash(),
    startedAtMs: execution.options.epochMs,
    ending: endingOf(execution),
    judged: verdictOf(judged),
    faults: execution.faults.map(({ fault, fired }) => ({ armed: fault, text: faultText(fault), fired })),
    choices: [...execution.choices],
    processes: execution.processes.map(({ name, host, isDaemon, life, status }) => ({ name, host: host.name, isDaemon, lives: life, status })),
    steps: execution.steps.map((operation, at) => stepOf(operation, at, watch)),
    changes: watch.changes.map(({ step, process, status, life }) => ({ step, process: execution.processes[process]?.name ?? "", status, life })),
    disks: [...watch.disks],
  };
}

function stepOf({ process, plan, outcome, detail, cause }: Operation, at: number, { notes }: Watch): TraceStep {
  const { atMs = 0, life = 1, options = 1, taken = 0, fired = [], isHealing = false } = notes[at] ?? {};
  return {
    number: at + 1,
    atMs,
    process: process.name,
    host: process.host.name,
    life,
    operation: plan.name,
    object: plan.object,
    outcome,
    detail,
    cause: cause + 1,
    options,
    taken,
    fired,
    isHealing,
  };
}

function endingOf({ ending }: Execution): TraceDocument["ending"] {
  switch (ending?.how) {
    case "violated":
      return { how: ending.how, says: ending.says };
    case "deadlock":
      return { how: ending.how, says: ending.waiting.join("; ") };
    case "timed-out":
      return { how: ending.how, says: `the cap on ${ending.cap}` };
    default:
      return { how: ending?.how ?? "not over", says: "" };
  }
}

function verdictOf(judged: Judged): TraceVerdict {
  switch (judged.verdict) {
    case "fails":
      return { verdict: "fails", check: judged.check, says: judged.says };
    case "not-run":
      return { verdict: "not-run", check: "", says: `${judged.reason}: ${judged.says}` };
    case "given-up":
      return { verdict: "not-run", check: "", says: "given up: an equivalent execution was played" };
    case "holds":
      return { verdict: "holds", check: "", says: "" };
  }
}
