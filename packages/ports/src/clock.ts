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
