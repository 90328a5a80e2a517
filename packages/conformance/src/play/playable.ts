/** A rule with what it is played on and asked afterwards: what dispatchers and receipt logs have in common. */
import type { System } from "@casebook/explore";
import type { ArmedFault } from "@casebook/sim/kernel";

export type Level = "required" | "recommended" | "not-checked";

/** As it is called in the report: `kill-restart at step`, at each reach in turn. */
export interface EachReach {
  readonly each: ArmedFault;
  /** And each of these sets, the first of it at each of its reaches in turn, if there are any. They share a budget as big as the first. Left out: none. */
  readonly also?: readonly (readonly [ArmedFault, ...ArmedFault[]])[];
  /** Only those before the first call of this name by the process, which the budget then begins with. */
  readonly before?: string;
  /** And before the last call of this name ahead of it: what stands between a last look and the call nobody can help. */
  readonly ahead?: string;
}

/** One set at a time. Empty: none. */
export type RuleFaults = readonly (readonly ArmedFault[])[] | EachReach;

/** What every rule that is played says of itself. */
export interface PlayedRule {
  readonly number: string;
  readonly level: "required" | "recommended";
  /** What must hold. */
  readonly sentence: string;
  readonly from: string;
  /** Number of the case that shows the mechanism. */
  readonly case: string;
  readonly needs: readonly string[];
  readonly faults: RuleFaults;
  readonly budget: {
    /** Executions for each set of faults: one in the order of the processes, and random ones. */
    readonly schedules: number;
    /** Sets of faults at most, where each reach is one. */
    readonly arms: number;
  };
}

/** In every list, with its reason. */
export interface UncheckedRule {
  readonly number: string;
  readonly level: "not-checked";
  readonly sentence: string;
  /** The fault of the design, or the case, that it comes from. */
  readonly from: string;
  readonly because: string;
}

export interface RuleCheck<Seen> {
  /** `F09/starts`. */
  readonly id: string;
  readonly says: string;
  /** Number of the case, where the check has one of its own. */
  readonly case: string | undefined;
  alarm(seen: Seen): string | undefined;
}

export interface Playable<Seen> {
  readonly rule: PlayedRule;
  /** Of the adapter. */
  readonly subject: string;
  readonly system: System<Seen>;
  readonly checks: readonly RuleCheck<Seen>[];
  /** What has to happen in one execution at least for the rule to have been asked. Left out: the faults that fired are enough. */
  readonly shows?: { readonly what: string; readonly isShown: (seen: Seen) => boolean };
  /** After an execution without faults: why the rule cannot be asked of this adapter, if it cannot. */
  unsupported?(seen: Seen): string | undefined;
}

export function hasFaults(faults: RuleFaults): boolean {
  return "each" in faults || faults.length > 0;
}

/** Where the disk refuses, a call may say so. */
export function refuses(faults: RuleFaults): boolean {
  return "each" in faults ? faults.each.kind === "error" : faults.some((arm) => arm.some(({ kind }) => kind === "error"));
}
