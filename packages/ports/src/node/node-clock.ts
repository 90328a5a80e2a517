/** The clock port over the system's clock and timers. A wait keeps the process alive until it ends. */
import type { CancelSignal, Clock } from "../clock.ts";

/** Node fires a longer timer after 1 ms, so a long wait is a chain. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function nodeClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(durationMs, cancel) {
      if (!Number.isFinite(durationMs) || durationMs < 0) throw invalidDuration(durationMs);
      return wait(Math.ceil(durationMs), cancel);
    },
  };
}

function wait(durationMs: number, cancel: CancelSignal | undefined): Promise<"elapsed" | "cancelled"> {
  if (cancel?.aborted) return Promise.resolve("cancelled");
  return new Promise((resolve) => {
    let timer = start(durationMs);
    cancel?.addEventListener("abort", onAbort);

    function start(remainingMs: number): NodeJS.Timeout {
      const partMs = Math.min(remainingMs, LONGEST_TIMER_MS);
      return setTimeout(() => {
        if (partMs < remainingMs) {
          timer = start(remainingMs - partMs);
          return;
        }
        cancel?.removeEventListener("abort", onAbort);
        resolve("elapsed");
      }, partMs);
    }
    function onAbort(): void {
      clearTimeout(timer);
      cancel?.removeEventListener("abort", onAbort);
      resolve("cancelled");
    }
  });
}

function invalidDuration(durationMs: number): Error {
  const text = `ERR_INVALID_DURATION: sleep takes a finite number of milliseconds from 0 up, not ${durationMs}`;
  return Object.assign(new RangeError(text), { code: "ERR_INVALID_DURATION" });
}
