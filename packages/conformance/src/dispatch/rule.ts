/** A rule as data: what is played, which faults strike, what must be seen, and which guards look at it. */
import type { Durability, RuntimeOptions } from "@casebook/sim/kernel";
import type { PlayedRule, UncheckedRule } from "../play/playable.ts";
import type { Capability, Notice, TaskView } from "./adapter.ts";
import type { GuardName } from "./guards.ts";

export interface Submission {
  readonly atMs: number;
  readonly id: string;
  readonly text?: string;
  /** Default DEV. */
  readonly agent?: string;
  readonly after?: readonly string[];
  /** Default `board`, which is trusted. */
  readonly source?: string;
  readonly gate?: string;
  /** Number of the dispatcher that it is sent to. Default 1. */
  readonly to?: 1 | 2;
}

/** An edit names the submission that it changes. */
export type ToldNotice = Exclude<Notice, { readonly kind: "edit" }> | { readonly kind: "edit"; readonly id: string; readonly text: string };

export interface Telling {
  readonly atMs: number;
  readonly notice: ToldNotice;
  /** Number of the dispatcher that is told. Default 1. */
  readonly to?: 1 | 2;
}

/** A session that somebody else starts at the runtime, for a task of ours by its name. */
export interface Stranger {
  readonly atMs: number;
  readonly task: string;
}

export interface CheckedRule extends PlayedRule {
  readonly needs: readonly Capability[];
  /** White-box: judged only where `probe` answers it. */
  readonly needsProbe?: "history" | "attempts";
  /** White-box as well, and judged without it otherwise. */
  readonly mayProbe?: "strangers";
  readonly play: {
    readonly submissions: readonly Submission[];
    readonly notices?: readonly Telling[];
    readonly strangers?: readonly Stranger[];
    /** Who accepts ended work of those who declare `reviews`. Default: a reviewer, as soon as he sees it. */
    readonly reviewer?: "nobody";
    /** The list is looked at in between as well, at the first look behind this time. */
    readonly looksAtMs?: number;
    /** The second one has the name of the first, and is made when that one is stopped. */
    readonly namesake?: boolean;
    readonly runtime?: RuntimeOptions;
    /** Default 1. */
    readonly dispatchers?: 1 | 2;
    /** Default 1. */
    readonly ticksAtOnce?: 1 | 2;
    readonly durability?: Durability;
    /** Looks at the list of the first life before anything is submitted. */
    readonly looksFirst?: boolean;
    /** At this time an instance is made on another host, at another runtime, and its list is looked at once. Of who is durable another one is, over the same disk, at the end. */
    readonly elsewhereAtMs?: number;
    /** Virtual milliseconds. Default 120,000. */
    readonly untilMs?: number;
  };
  /** The disk refuses and goes on refusing: any call may say so, and a submission need not be taken. */
  readonly isRefusedForGood?: true;
  /** For each task how many sessions must have been started, at least and at most. */
  readonly starts: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** The latest time at which a task has to be started, from the beginning. */
  readonly startedByMs?: Readonly<Record<string, number>>;
  /** What the list has to name as the reason why a task waits, at `looksAtMs` or else at the end: one of these. */
  readonly waitsFor?: Readonly<Record<string, readonly string[]>>;
  /** How a task may stand at the end. Not asked of a dispatcher that is not durable after its process died. */
  readonly states?: Readonly<Record<string, readonly TaskView["state"][]>>;
  readonly guards: readonly GuardName[];
}

export type DispatchRule = CheckedRule | UncheckedRule;

export function isChecked(rule: DispatchRule): rule is CheckedRule {
  return rule.level !== "not-checked";
}
