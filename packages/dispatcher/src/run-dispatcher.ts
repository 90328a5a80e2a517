/** Keeps a dispatcher looking: at once, then every period, and sooner when somebody says that something changed. */
import type { Clock, Log } from "@casebook/ports";
import { errorCode } from "@casebook/ports";
import type { Dispatcher } from "./create-dispatcher.ts";
import type { DispatcherPolicies } from "./judge/index.ts";

export interface RunOptions {
  readonly ports: { readonly clock: Clock; readonly log: Log };
  readonly periodMs: number;
  /** How long. It is stopped by its process, or by this. */
  readonly forMs: number;
  readonly observation?: DispatcherPolicies["observation"];
  /** The path of the next event, or undefined when none will come. */
  readonly nextEvent?: (() => Promise<string | undefined>) | undefined;
}

export async function runDispatcher(dispatcher: Dispatcher, { ports, periodMs, forMs, observation = "events-and-scan", nextEvent }: RunOptions): Promise<void> {
  const untilMs = ports.clock.now() + forMs;
  const events = async (): Promise<void> => {
    for (let path = await nextEvent?.(); path !== undefined; path = await nextEvent?.()) {
      const seen = path;
      await guarded(() => dispatcher.observe(seen));
    }
  };
  const periods = async (): Promise<void> => {
    while (ports.clock.now() < untilMs) {
      await guarded(() => dispatcher.scan());
      await ports.clock.sleep(periodMs);
    }
  };
  if (observation === "events-only") {
    await guarded(() => dispatcher.scan());
    return events();
  }
  // Events end with the process; the periods say when a run is over.
  void events();
  await periods();

  /** One look that fails is said, and the next is taken all the same. */
  async function guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      ports.log.write("error", "dispatcher.look-failed", { code: errorCode(failure) || "UNKNOWN", says: failure instanceof Error ? failure.message : String(failure) });
    }
  }
}
