/**
 * Looks at a directory whenever its watcher says so, and every period whatever the watcher says: events make it quick, the period
 * makes it complete. Models one reader; leaves out what a look does. Two readers, or one event that comes twice, look twice, so an
 * effect needs a key of the caller's own.
 */
import { type CancelSignal, type Clock, createCancellation } from "../index.ts";
import type { Watch, Watcher } from "../watch.ts";

/** `start`: the first look, once the watcher stands, so that nothing falls between the two. */
export type LookReason = "start" | "event" | "period";

export interface ReconcileOptions {
  readonly directory: string;
  /** Nothing stays unseen for longer than this and the time that a look takes. More than 0. */
  readonly periodMs: number;
  /** Looks at everything in the directory. Never called again before it has ended; events meanwhile lead to one look more. */
  look(reason: LookReason): Promise<void>;
  /**
   * Told of a look that rejected, and of a watcher that could not be opened or broke. Both are tried again with the next look,
   * unless this throws: then the whole thing rejects with what it threw.
   */
  failed(what: "look" | "watch", failure: unknown): void;
  readonly cancel: CancelSignal;
}

/** Ends when it is cancelled, after the look that is going on. Rejects with what `failed` throws. */
export async function watchAndReconcile({ clock, watch }: { readonly clock: Clock; readonly watch: Watch }, options: ReconcileOptions): Promise<void> {
  const { periodMs, look, failed, cancel } = options;
  if (!(periodMs > 0 && Number.isFinite(periodMs))) throw notAPeriod(periodMs);
  const ear = new Ear(watch, options);
  cancel.addEventListener("abort", ear.wake);
  try {
    for (let reason: LookReason = "start"; !cancel.aborted; ) {
      // A system that does not answer must not keep us from looking.
      if (ear.isDeaf) await Promise.race([ear.listen(), clock.sleep(periodMs, ear.renew())]);
      ear.check();
      if (cancel.aborted) break;
      const alarm = ear.renew();
      try {
        await look(reason);
      } catch (failure) {
        failed("look", failure);
      }
      reason = (await clock.sleep(periodMs, alarm)) === "cancelled" ? "event" : "period";
    }
  } finally {
    cancel.removeEventListener("abort", ear.wake);
    await ear.close();
  }
}

/** Listens beside the looks, and wakes who waits for the next. */
class Ear {
  readonly #watch: Watch;
  readonly #options: ReconcileOptions;
  #alarm = createCancellation();
  #watcher: Watcher | undefined;
  #isOpening = false;
  #isClosed = false;
  #thrown: { readonly failure: unknown } | undefined;

  constructor(watch: Watch, options: ReconcileOptions) {
    this.#watch = watch;
    this.#options = options;
  }

  readonly wake = (): void => this.#alarm.cancel();

  /** Whatever is heard from now on belongs to the look after the one that begins now. */
  renew(): CancelSignal {
    this.#alarm = createCancellation();
    return this.#alarm.signal;
  }

  /** Throws what the caller's `failed` threw meanwhile. */
  check(): void {
    if (this.#thrown !== undefined) throw this.#thrown.failure;
  }

  /** It has no watcher, and none on its way. */
  get isDeaf(): boolean {
    return this.#watcher === undefined && !this.#isOpening;
  }

  /** Ends when the watcher stands, or could not be opened; ends the wait for that, too. */
  async listen(): Promise<void> {
    this.#isOpening = true;
    try {
      const watcher = await this.#watch.open(this.#options.directory);
      if (this.#isClosed) return void (await watcher.close());
      this.#watcher = watcher;
      void this.#hear(watcher);
    } catch (failure) {
      this.#report(failure);
    } finally {
      this.#isOpening = false;
      this.wake();
    }
  }

  async #hear(watcher: Watcher): Promise<void> {
    try {
      while ((await watcher.next()) !== undefined) this.wake();
    } catch (failure) {
      // Not woken for it: one that breaks again and again would be opened without end.
      this.#report(failure);
    }
    this.#watcher = undefined;
  }

  #report(failure: unknown): void {
    try {
      this.#options.failed("watch", failure);
    } catch (thrown) {
      this.#thrown = { failure: thrown };
      this.wake();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watcher?.close();
  }
}

function notAPeriod(periodMs: number): Error {
  const text = `RECONCILE_PERIOD: a period is a finite number of milliseconds greater than 0, not ${periodMs}; without one a lost event is never made good. Give one.`;
  return Object.assign(new RangeError(text), { code: "RECONCILE_PERIOD" });
}
