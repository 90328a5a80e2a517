/**
 * The clock port. Models wall time of one machine; leaves out monotonic time and time zones
 * (a zone is an argument of whoever needs one).
 */

/** The part of `AbortSignal` that a wait needs; a real `AbortSignal` fits. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, always an integer. May go back when the host's clock is set. */
  now(): number;
  /**
   * Waits `durationMs` (finite, ≥ 0; longer than 2^31−1 ms is allowed) and answers how the wait ended.
   * A wait measures elapsed time: setting the clock neither shortens nor lengthens it.
   * Rejects with code `ERR_INVALID_DURATION` for anything else.
   */
  sleep(durationMs: number, cancel?: CancelSignal): Promise<"elapsed" | "cancelled">;
}

/** The answer of a wait with an upper bound. */
export type WithinDeadline<T> = { outcome: "done"; value: T } | { outcome: "deadline" };

/**
 * Waits for `work`, but no longer than `budgetMs`. The work itself is not stopped: whoever starts
 * it must make it stoppable. A rejection of `work` before the deadline rejects; a later one is ignored,
 * because nobody is left to tell.
 */
export async function withinDeadline<T>(
  clock: Clock,
  budgetMs: number,
  work: Promise<T>,
): Promise<WithinDeadline<T>> {
  const cancellation = createCancellation();
  const done = work.then((value): WithinDeadline<T> => ({ outcome: "done", value }));
  const late = clock
    .sleep(budgetMs, cancellation.signal)
    .then((): WithinDeadline<T> => ({ outcome: "deadline" }));
  try {
    return await Promise.race([done, late]);
  } finally {
    cancellation.cancel();
  }
}

/** A `CancelSignal` and the function that fires it, once. */
export function createCancellation(): { signal: CancelSignal; cancel(): void } {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener(_type, listener) {
        listeners.add(listener);
      },
      removeEventListener(_type, listener) {
        listeners.delete(listener);
      },
    },
    cancel() {
      if (aborted) return;
      aborted = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
}
