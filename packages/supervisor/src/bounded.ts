/** Calls with a limit, and tries with a limit. Nothing here waits longer than it was told. */
import { type CancelSignal, createCancellation, errorCode, withinDeadline } from "@casebook/ports";
import type { RunRow } from "./judge/index.ts";
import type { SupervisorSettings } from "./settings.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";

/** `failed`: nothing was carried out, or nobody knows; whoever needs to know asks the ledger. */
export type Attempt<T> = { readonly outcome: "done"; readonly value: T } | { readonly outcome: "failed"; readonly why: string };

type Clocked = Pick<SupervisorPorts, "clock">;

export async function attempt<T>({ clock }: Clocked, budgetMs: number, call: () => Promise<T>): Promise<Attempt<T>> {
  if (budgetMs <= 0) return { outcome: "failed", why: "deadline" };
  try {
    const answer = await withinDeadline(clock, budgetMs, call());
    return answer.outcome === "done" ? answer : { outcome: "failed", why: "deadline" };
  } catch (failure) {
    return { outcome: "failed", why: errorCode(failure) || String(failure) };
  }
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 16_000;

export interface PersistOptions {
  /** For one try. */
  readonly callMs: number;
  /** The limit doubles with each try up to this: short where nothing answers, and long enough where all ask at once. Default: it does not grow. */
  readonly longestCallMs?: number;
  /** By the clock: no try begins later, and none is waited for longer. */
  readonly untilMs: number;
  readonly signal?: CancelSignal | undefined;
}

/** For what others wait for: long enough for two answers that are lost and a third, and never past the deadline of the run. */
export function fewCalls({ clock }: Clocked, { callMs }: Pick<SupervisorSettings, "callMs">, { deadlineAtMs }: Pick<RunRow, "deadlineAtMs">): PersistOptions {
  return { callMs, longestCallMs: 2 * callMs, untilMs: Math.min(clock.now() + 4 * callMs, deadlineAtMs) };
}

/** Tries until it is done, with pauses that double. Undefined: it was not done in time. The last try may have been carried out. */
export async function persist<T>(ports: Clocked, { callMs, longestCallMs = callMs, untilMs, signal }: PersistOptions, call: () => Promise<T>): Promise<T | undefined> {
  let limitMs = callMs;
  for (let pauseMs = FIRST_PAUSE_MS; signal?.aborted !== true; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const leftMs = untilMs - ports.clock.now();
    const tried = await attempt(ports, Math.min(limitMs, leftMs), call);
    limitMs = Math.min(2 * limitMs, longestCallMs);
    if (tried.outcome === "done") return tried.value;
    const restMs = untilMs - ports.clock.now();
    if (restMs <= 0) return undefined;
    await ports.clock.sleep(Math.min(pauseMs, restMs), signal);
  }
  return undefined;
}

/** Something that is to stop, why, and a promise for whoever waits beside it. */
export interface Stop {
  readonly signal: CancelSignal;
  readonly reason: string | undefined;
  readonly stopped: Promise<void>;
  stop(reason: string): void;
}

export function createStop(): Stop {
  const cancellation = createCancellation();
  let reason: string | undefined;
  let tell!: () => void;
  const stopped = new Promise<void>((resolve) => (tell = resolve));
  return {
    signal: cancellation.signal,
    get reason() {
      return reason;
    },
    stopped,
    stop(why) {
      if (reason !== undefined) return;
      reason = why;
      cancellation.cancel();
      tell();
    },
  };
}
