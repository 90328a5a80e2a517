/** A rule as data: what is played, which faults strike, what must be seen, and which guards look at it. */
import type { ArmedFault, Durability, RuntimeOptions } from "@casebook/sim/kernel";
import type { Capability, TaskView } from "./adapter.ts";
import type { GuardName } from "./guards.ts";

export type Level = "required" | "recommended" | "not-checked";

/** In every list, with its reason. */
export interface UncheckedRule {
  readonly number: string;
  readonly level: "not-checked";
  readonly sentence: string;
  /** The fault of the design, or the case, that it comes from. */
  readonly from: string;
  readonly because: string;
}

export interface Submission {
  readonly atMs: number;
  readonly id: string;
  readonly text?: string;
  /** Default DEV. */
  readonly agent?: string;
  readonly after?: readonly string[];
  /** Number of the dispatcher that it is sent to. Default 1. */
  readonly to?: 1 | 2;
}

/** As it is called in the report: `kill-restart at step`, at each reach in turn. */
export interface EachReach {
  readonly each: ArmedFault;
}

export interface CheckedRule {
  readonly number: string;
  readonly level: "required" | "recommended";
  /** What must hold. */
  readonly sentence: string;
  readonly from: string;
  /** Number of the case that shows the mechanism. */
  readonly case: string;
  readonly needs: readonly Capability[];
  /** White-box: judged only where `probe` answers it. */
  readonly needsProbe?: "history" | "attempts";
  readonly play: {
    readonly submissions: readonly Submission[];
    readonly runtime?: RuntimeOptions;
    /** Default 1. */
    readonly dispatchers?: 1 | 2;
    /** Default 1. */
    readonly ticksAtOnce?: 1 | 2;
    readonly durability?: Durability;
    /** Looks at the list of the first life before anything is submitted. */
    readonly looksFirst?: boolean;
    /** Virtual milliseconds. Default 120,000. */
    readonly untilMs?: number;
  };
  /** One set at a time. Empty: none. */
  readonly faults: readonly (readonly ArmedFault[])[] | EachReach;
  /** For each task how many sessions must have been started, at least and at most. */
  readonly starts: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** How a task may stand at the end. Not asked of a dispatcher that is not durable after its process died. */
  readonly states?: Readonly<Record<string, readonly TaskView["state"][]>>;
  readonly guards: readonly GuardName[];
  readonly budget: {
    /** Executions for each set of faults: one in the order of the processes, and random ones. */
    readonly schedules: number;
    /** Sets of faults at most, where each reach is one. */
    readonly arms: number;
  };
}

export type DispatchRule = CheckedRule | UncheckedRule;

export function isChecked(rule: DispatchRule): rule is CheckedRule {
  return rule.level !== "not-checked";
}
