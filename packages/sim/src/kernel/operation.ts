/**
 * One call at a port that waits to be taken, and what it has to do with others. Which two may change places is decided here and
 * nowhere else: the search leaves out schedules by it.
 */
import type { Part } from "../gate.ts";
import type { ProcessState } from "./process-state.ts";

/** `hold`: the call has begun and is settled later by whoever holds it. */
export const HELD: unique symbol = Symbol("held");

export interface OperationPlan<T> {
  /** Such as `cell.write`, `disk.open`, `clock.wake`, `network.deliver`. */
  readonly name: string;
  /** What it is called on, such as `claim` or a path; "" when there is only one such thing. */
  readonly object: string;
  /** `callLabel` of the two, where somebody computed it before. */
  readonly label?: number | undefined;
  /** Key of what it touches that other processes can touch too; undefined: nothing but its own process. */
  readonly shared?: string | undefined;
  readonly access?: "read" | "write" | undefined;
  /** Which parts of what is shared it touches, as it stands now; left out: all of it. Of parts that differ the order does not matter. */
  readonly parts?: (() => readonly Part[] | undefined) | undefined;
  /** Position among others of which exactly one is taken, at once, such as the ways in which a power loss can leave a disk. */
  readonly alternative?: number | undefined;
  /** Runs when it is taken. What it throws is what the caller sees. */
  readonly effect?: ((operation: Operation) => T | typeof HELD) | undefined;
  /** Whether it can be taken now; left out: always. */
  readonly isReady?: (() => boolean) | undefined;
  /** For the trace: the answer in short. Asked at once, unless it has a `digest`. */
  readonly describe?: ((value: T) => string) | undefined;
  /** What of the answer goes into the hash; then the words are made only when somebody looks. */
  readonly digest?: ((value: T) => unknown) | undefined;
  /** What a waiting one waits for, for people: `a message`, `the lock "row"`. */
  readonly waitsFor?: string | undefined;
  /** Reaches out of its host: waits while the host is cut off. */
  readonly isRemote?: boolean | undefined;
  /** Changes more than one object: everything on its host, or everything there is. */
  readonly reach?: "host" | "world" | undefined;
  /** Done by the world at a process and not by it: can be taken whatever state the process is in. */
  readonly isOfWorld?: boolean | undefined;
  /** Of the world, and code of the process goes on by it: waits while the process is stopped. */
  readonly resumes?: boolean | undefined;
  /** Of the world, and gone with the life of the process; what it belongs to, so that it can go with that as well. */
  readonly belongsTo?: object | undefined;
}

/** A class, because a search makes millions: fields in one fixed order, and no closure of its own. */
export class Operation {
  readonly process: ProcessState;
  /** Counts the calls of its process, in all its lives. With the process it names the operation in every schedule. */
  readonly seq: number;
  readonly plan: OperationPlan<unknown>;
  /** Position of the step whose code made the call; −1: it was there at the start. */
  readonly cause: number;
  /** How often time had moved when the call was made. */
  readonly epoch: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
  readonly label: number;
  /** Where it was taken; −1 until then. */
  step = -1;
  /** `ok`, `held`, or the code of the failure; known once it was taken. */
  outcome = "";
  #answer: unknown = undefined;
  #detail: string | undefined = undefined;

  constructor(
    process: ProcessState,
    seq: number,
    plan: OperationPlan<unknown>,
    cause: number,
    epoch: number,
    resolve: (value: unknown) => void,
    reject: (failure: unknown) => void,
    label: number,
  ) {
    this.process = process;
    this.seq = seq;
    this.plan = plan;
    this.cause = cause;
    this.epoch = epoch;
    this.resolve = resolve;
    this.reject = reject;
    this.label = label;
  }

  keepAnswer(answer: unknown): void {
    if (this.plan.digest === undefined) this.#detail = this.plan.describe?.(answer) ?? "";
    else this.#answer = answer;
  }

  /** What it answered, in short. */
  get detail(): string {
    if (this.step === -1 || this.outcome !== "ok") return "";
    return (this.#detail ??= this.plan.describe?.(this.#answer) ?? "");
  }
}

/** What a call touched is what it would have touched at the moment when it was taken. */
export function withParts<T>(plan: OperationPlan<T>, parts: () => readonly Part[] | undefined): OperationPlan<T> {
  let touched: { readonly parts: readonly Part[] | undefined } | undefined;
  const { effect } = plan;
  return {
    ...plan,
    parts: () => (touched === undefined ? parts() : touched.parts),
    effect: (operation) => {
      touched = { parts: parts() };
      return (effect as NonNullable<typeof effect>)(operation);
    },
  };
}

/**
 * Whether the order of two operations can matter. Steps of one process always conflict: they share its memory, which nobody
 * else sees. Those of different processes conflict through what both touch, unless both only read. Sound as long as processes
 * share no JavaScript state.
 */
export function conflict(one: Operation, other: Operation): boolean {
  if (one.process.index === other.process.index) return true;
  const { plan } = one;
  const { plan: otherPlan } = other;
  if (reaches(one, other) || reaches(other, one)) return true;
  if (plan.shared === undefined || plan.shared !== otherPlan.shared || (plan.access === "read" && otherPlan.access === "read")) return false;
  return meet(plan.parts?.(), otherPlan.parts?.());
}

function meet(parts: readonly Part[] | undefined, others: readonly Part[] | undefined): boolean {
  if (parts === undefined || others === undefined) return true;
  return parts.some(({ name, access }) => others.some((other) => name === other.name && (access === "write" || access !== other.access)));
}

function reaches({ plan, process }: Operation, other: Operation): boolean {
  if (plan.reach === "world" || process.reach === "world") return true;
  return (plan.reach === "host" || process.reach === "host") && process.host === other.process.host;
}
