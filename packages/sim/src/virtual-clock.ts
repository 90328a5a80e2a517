/**
 * Virtual time of one host, on @sinonjs/fake-timers driven by `next`. Elapsed time only grows; the wall clock is elapsed
 * time plus an offset that `set` changes. Leaves out skew between hosts and drift.
 * Here is also the one place where the world touches real time: the hop between two steps.
 */
import { createClock } from "@sinonjs/fake-timers";
import type { CancelSignal } from "@casebook/ports";

/** Timers longer than this fire at once, in Node and in fake-timers alike, so a long wait is a chain. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface VirtualClock {
  /** The wall clock of the host. */
  now(): number;
  /** Since the world began; setting the clock does not touch it. */
  elapsedMs(): number;
  set(toMs: number): void;
  /** Equal ends fire in the order in which their last timer was started. */
  wait(durationMs: number, cancel: CancelSignal | undefined, onEnd: (how: "elapsed" | "cancelled") => void): void;
  /** Moves to the next end of a wait and fires it. False if nothing waits. */
  advance(): boolean;
  /** After `advance`: fires what else ends at this very moment. */
  advanceEquals(): void;
  /** Forgets every wait: whoever slept never wakes. */
  abandon(): void;
}

export function createVirtualClock(epochMs: number): VirtualClock {
  const timers = createClock(0);
  const waits = new Set<() => void>();
  let offsetMs = epochMs;

  function wait(
    durationMs: number,
    cancel: CancelSignal | undefined,
    onEnd: (how: "elapsed" | "cancelled") => void,
  ): void {
    if (cancel?.aborted) return onEnd("cancelled");
    // Never shorter than asked for, and the clock shows whole milliseconds.
    let timer = start(Math.ceil(durationMs));
    waits.add(stop);
    cancel?.addEventListener("abort", onAbort);

    function start(remainingMs: number): ReturnType<typeof timers.setTimeout> {
      const partMs = Math.min(remainingMs, LONGEST_TIMER_MS);
      return timers.setTimeout(() => {
        if (partMs < remainingMs) {
          timer = start(remainingMs - partMs);
          return;
        }
        stop();
        onEnd("elapsed");
      }, partMs);
    }
    function onAbort(): void {
      stop();
      onEnd("cancelled");
    }
    function stop(): void {
      timers.clearTimeout(timer as number);
      waits.delete(stop);
      cancel?.removeEventListener("abort", onAbort);
    }
  }

  return {
    now: () => offsetMs + timers.now,
    elapsedMs: () => timers.now,
    set(toMs) {
      offsetMs = toMs - timers.now;
    },
    wait,
    advance() {
      if (timers.countTimers() === 0) return false;
      timers.next();
      return true;
    },
    advanceEquals() {
      timers.tick(0);
    },
    abandon() {
      for (const stop of [...waits]) stop();
    },
  };
}

// A clock on which nothing is ever scheduled: its `nextAsync` does nothing but hop over the real setImmediate,
// which this file may not name because it also has to run where there is none.
const idle = createClock(0);

/** Waits until no promise callback is runnable: the engine drains all of them before it starts a new macrotask. */
export async function macrotaskBarrier(): Promise<void> {
  await idle.nextAsync();
}
