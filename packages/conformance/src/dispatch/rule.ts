/** A rule as data: what is played, which faults strike, what must be seen, and which guards look at it. */
import type { Durability, RuntimeOptions } from "@casebook/sim/kernel";
import type { PlayedRule, UncheckedRule } from "../play/playable.ts";
import type { Capability, TaskView } from "./adapter.ts";
import type { GuardName } from "./guards.ts";

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

export interface CheckedRule extends PlayedRule {
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
  /** For each task how many sessions must have been started, at least and at most. */
  readonly starts: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** How a task may stand at the end. Not asked of a dispatcher that is not durable after its process died. */
  readonly states?: Readonly<Record<string, readonly TaskView["state"][]>>;
  readonly guards: readonly GuardName[];
}

export type DispatchRule = CheckedRule | UncheckedRule;

export function isChecked(rule: DispatchRule): rule is CheckedRule {
  return rule.level !== "not-checked";
}
