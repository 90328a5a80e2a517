/** A rule of supervision as data: which run, what happens to it, how it may end, and which sentences are asked. */
import type { Cause, RunSpec, SupervisorRule } from "@casebook/supervisor/rules";
import type { PlayedRule, UncheckedRule } from "../play/playable.ts";
import type { SupervisorCapability } from "./adapter.ts";
import type { SupervisionSeen } from "./seen.ts";

/** Moments of the kit, at which faults are armed: they are there whatever the supervisor calls its own. */
export const MOMENTS = {
  /** In the process of the agent: the tool is called; its answer is there, and the agent does not know yet. */
  called: "tool.called",
  answered: "tool.answered",
  beforePut: "artefact.before-put",
  kept: "artefact.kept",
  /** Of any process, before it asks for a transition. */
  beforeTransition: "transition.before",
  /** By the clock of the world, from `play.moments`. */
  deadline: "kit.deadline",
  midway: "kit.midway",
} as const;

/** With how long the tool of an item works, which the supervisor is not told. */
export type RunToPlay = Pick<RunSpec, "items" | "agents"> & { readonly budget?: Partial<RunSpec["budget"]> };

export interface CheckedSupervisionRule extends PlayedRule {
  readonly needs: readonly SupervisorCapability[];
  /** In words, for the list of the rules. */
  readonly happens: string;
  /** Whose sentence it is, and what else is asked. */
  readonly asks: readonly SupervisorRule[];
  readonly play: {
    readonly run: RunToPlay;
    readonly toolLimitMs?: number;
    /** When the hand of the kit comes by a moment, since the beginning. */
    readonly moments?: readonly { readonly moment: string; readonly atMs: number }[];
    /** An operator cancels so long after the beginning. */
    readonly cancelAtMs?: number;
    /** From so long after the beginning no message and no answer reaches an agent any more. */
    readonly unheardFromMs?: number;
    /** Somebody looks so long after the beginning. Default: two graces behind the deadline. */
    readonly lookAtMs?: number;
  };
  /** Causes that may stand on the record, from what was seen of it. Left out: any. */
  readonly ends?: (seen: SupervisionSeen) => readonly Cause[];
  /** What has to happen in one execution at least for the rule to have been asked. */
  readonly shows?: { readonly what: string; readonly isShown: (seen: SupervisionSeen) => boolean };
}

export type SupervisionRule = CheckedSupervisionRule | UncheckedRule;
