/** Types of the doors to the outside, and the few pure functions over them. Imports nothing when it runs. */
import type { CancelSignal, Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";
import type { Faults } from "./faults.ts";
import type { Ids } from "./ids.ts";
import type { Log } from "./log.ts";
import type { Watch } from "./watch.ts";

// Types only, so that a program does not load empty files to start.
export type * from "./artefacts.ts";
export type * from "./clock.ts";
export type * from "./disk.ts";
export type * from "./faults.ts";
export type * from "./ids.ts";
export type * from "./ledger.ts";
export type * from "./log.ts";
export type * from "./sessions.ts";
export { claim, isHeld, type Lease, renew } from "./lease.ts";
export type * from "./messages.ts";
export type * from "./watch.ts";

/** What a model is handed. A model asks for the doors it uses: `Pick<Ports, "clock" | "disk">`. */
export interface Ports {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly watch: Watch;
  readonly ids: Ids;
  readonly log: Log;
  readonly faults: Faults;
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

/** An error of the disk, with the POSIX code that callers switch on. */
export class DiskError extends Error {
  override readonly name = "DiskError";
  readonly code: string;

  constructor(code: string, operation: string, path: string) {
    super(`${code}: ${operation} '${path}'`);
    this.code = code;
  }
}

/** The `code` of anything that was thrown, or "" if it has none. */
export function errorCode(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return "";
  return typeof thrown.code === "string" ? thrown.code : "";
}
