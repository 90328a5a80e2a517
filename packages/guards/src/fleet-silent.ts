/**
 * Alarms when nothing at all has run for several times the usual interval: the cheapest and most valuable check, because it
 * needs no schedule to be read right. Where the machine is known to have slept, that time is not counted. Fooled by one
 * task that runs while all others are dead; that is `slot/missed`.
 */
import { defineGuard } from "./finding.ts";
import type { LedgerInput, SlotLedger } from "./slot-ledger.ts";
import { mergedSpans } from "./ledger/spans.ts";

/** Intervals of silence. Two happen when one run is skipped and the next is late. */
export const SILENT_AFTER_INTERVALS = 3;

export interface FleetSilentFacts {
  readonly enabledTasks: number;
  /** The median of the recurring tasks' usual distances between two slots. */
  readonly medianIntervalMs: number;
  /** Start of the newest run of any task; undefined: none was seen since `watchedFromMs`. */
  readonly newestRunMs: number | undefined;
  /** Before it nobody could look. */
  readonly watchedFromMs: number;
  /** Of the time since then, how much the machine is known to have slept. */
  readonly asleepMs: number;
  readonly nowMs: number;
}

export const fleetSilent = defineGuard<FleetSilentFacts>(
  {
    id: "fleet/silent",
    needs: ["how many tasks are enabled", "the median interval of their schedules", "the newest trace of a run, and since when traces are kept"],
    severity: "alarm",
    text: "Nothing enabled has run for several times the median interval.",
    case: undefined,
  },
  ({ enabledTasks, medianIntervalMs, newestRunMs, watchedFromMs, asleepMs, nowMs }) => {
    const silentMs = nowMs - (newestRunMs ?? watchedFromMs) - asleepMs;
    // Written so that a time that is no number alarms.
    const isHeard = silentMs <= SILENT_AFTER_INTERVALS * medianIntervalMs;
    if (enabledTasks === 0 || isHeard) return undefined;
    const intervals = Math.floor(silentMs / medianIntervalMs);
    const since = newestRunMs === undefined ? "none seen since traces are kept" : `the last at ${new Date(newestRunMs).toISOString()}`;
    return {
      subject: "fleet",
      message: `0 of ${enabledTasks} enabled tasks ran for ${hours(silentMs)} h, ${intervals} median intervals of ${hours(medianIntervalMs)} h; ${since}`,
      counts: { enabledTasks, silentMs, medianIntervalMs, intervals },
    };
  },
);

/** What `fleet/silent` has to be handed, from a ledger. Undefined, so NOT RUN: nobody could look, or nothing recurs. */
export function fleetSilentFacts(input: LedgerInput, ledger: SlotLedger): FleetSilentFacts | undefined {
  const { artefactsReachBackToMs: reachBackMs, nowMs } = input;
  const medianIntervalMs = medianInterval(input);
  if (input.artefacts === undefined || reachBackMs === undefined || medianIntervalMs === undefined) return undefined;
  const rows = [...ledger.rows, ...ledger.outsideWindow];
  const newestRunMs = rows.flatMap(({ runs }) => runs).reduce<number | undefined>(
    (newest, { startedAtMs }) => (newest === undefined || startedAtMs > newest ? startedAtMs : newest),
    undefined,
  );
  const watchedFromMs = Math.max(reachBackMs, input.dueFromMs);
  const fromMs = newestRunMs ?? watchedFromMs;
  const asleepMs = mergedSpans(input.asleep)
    .map((span) => Math.min(span.toMs, nowMs) - Math.max(span.fromMs, fromMs))
    .reduce((total, ms) => total + Math.max(0, ms), 0);
  return { enabledTasks: input.tasks.filter(({ enabled }) => enabled).length, medianIntervalMs, newestRunMs, watchedFromMs, asleepMs, nowMs };
}

/** Over tasks, of each task's own median: one task that is due every minute must not stand for all. */
function medianInterval({ due }: LedgerInput): number | undefined {
  const byTask = new Map<string, number[]>();
  for (const { taskId, slotMs, enabled, kind } of due) {
    if (!enabled || kind === "once") continue;
    const own = byTask.get(taskId);
    if (own === undefined) byTask.set(taskId, [slotMs]);
    else own.push(slotMs);
  }
  const intervals = [...byTask.values()].map((slots) => {
    const ascending = [...new Set(slots)].toSorted((a, b) => a - b);
    return median(ascending.slice(1).map((slotMs, index) => slotMs - (ascending[index] as number)));
  });
  return median(intervals.filter((interval) => interval !== undefined));
}

function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function hours(ms: number): string {
  return (ms / 3_600_000).toFixed(1);
}
