/**
 * Keeps a dispatcher looking: at once, then every period, and sooner when the watcher says that something changed. Events make it
 * quick, the period makes it complete: without any event everything is found within a period and the time of a look.
 */
import { type CancelSignal, type Clock, createCancellation, errorCode, type Log, type Watch } from "@casebook/ports";
import { watchAndReconcile } from "@casebook/ports/watch";
import { DEFAULT_SETTLE_MS } from "./config.ts";
import type { Dispatcher } from "./create-dispatcher.ts";
import type { DispatcherPolicies } from "./judge/index.ts";
import { watchFolders } from "./watch-folders.ts";

export interface RunOptions {
  readonly ports: { readonly clock: Clock; readonly log: Log; /** Without it there are the periods alone. */ readonly watch?: Watch };
  /** Of the dispatcher. */
  readonly root: string;
  readonly periodMs: number;
  /** How long. It is stopped by its process, or by this. */
  readonly forMs: number;
  /** Of the dispatcher: when to look again at a file that was too young. */
  readonly settleMs?: number;
  readonly observation?: DispatcherPolicies["observation"];
}

/** Looks that one event or period leads to, while a file is too young: a writer who does not come to rest waits for the next. */
const MAX_SETTLING_LOOKS = 3;

/** Ends after `forMs`, and the look that goes on then. A look or a watcher that fails is said, and tried again with the next look. */
export async function runDispatcher(dispatcher: Dispatcher, { ports, root, periodMs, forMs, settleMs = DEFAULT_SETTLE_MS, observation = "events-and-scan" }: RunOptions): Promise<void> {
  const { clock, log } = ports;
  if (ports.watch === undefined) return periodsOnly(clock.now() + forMs);
  const { signal, cancel } = createCancellation();
  void clock.sleep(forMs).then(cancel);
  const watch = watchFolders(ports.watch, (path) => void dispatcher.hear(path).catch((failure: unknown) => said("look", failure)));
  if (observation === "events-only") return eventsOnly(watch, signal);
  await watchAndReconcile({ clock, watch }, { directory: root, periodMs, look, failed: said, cancel: signal });

  async function look(): Promise<void> {
    for (let looks = 1; looks <= MAX_SETTLING_LOOKS; looks += 1) {
      const { young } = await dispatcher.scan();
      if (young === 0 || signal.aborted) return;
      await clock.sleep(settleMs, signal);
    }
  }

  async function periodsOnly(untilMs: number): Promise<void> {
    while (clock.now() < untilMs) {
      await dispatcher.scan().catch((failure: unknown) => said("look", failure));
      await clock.sleep(periodMs);
    }
  }

  /** What takes its watcher for complete: nothing is looked at that no event spoke of. */
  async function eventsOnly(events: Watch, stopped: CancelSignal): Promise<void> {
    const watcher = await events.open(root);
    stopped.addEventListener("abort", () => void watcher.close());
    try {
      do await look().catch((failure: unknown) => said("look", failure));
      while ((await watcher.next()) !== undefined);
    } catch (failure) {
      said("watch", failure);
    }
  }

  function said(what: "look" | "watch", failure: unknown): void {
    log.write("error", `dispatcher.${what}-failed`, { code: errorCode(failure) || "UNKNOWN", says: failure instanceof Error ? failure.message : String(failure) });
  }
}
