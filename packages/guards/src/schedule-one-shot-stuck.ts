/** Finds one-shots that passed and are still waiting. Judged by the registry alone: one that ran and was never switched off looks the
 * same when the registry does not say that it ran. */
import { defineGuard } from "./finding.ts";
import { firstFew, instantText, subjectOrAll } from "./first-few.ts";
import { EARLY_START_MS } from "./ledger/limits.ts";

export interface ScheduleOneShotStuckFacts {
  readonly oneShots: readonly {
    readonly taskId: string;
    readonly atMs: number;
    readonly enabled: boolean;
    readonly graceMs: number;
    /** The registry's last run of it. */
    readonly lastRunMs: number | undefined;
  }[];
  readonly nowMs: number;
}

export const scheduleOneShotStuck = defineGuard<ScheduleOneShotStuckFacts>(
  {
    id: "schedule/one-shot-stuck",
    needs: ["every one-shot: its instant, whether it is enabled, its last run"],
    severity: "alarm",
    text: "A one-shot's instant has passed, it is still enabled, and the registry knows of no run.",
    case: undefined,
  },
  ({ oneShots, nowMs }) => {
    const stuck = oneShots.filter(
      ({ enabled, atMs, graceMs, lastRunMs }) => {
        const hasRun = lastRunMs !== undefined && lastRunMs >= atMs - EARLY_START_MS;
        return enabled && !hasRun && nowMs >= atMs + graceMs;
      },
    );
    if (stuck.length === 0) return undefined;
    const instants = new Set(stuck.map(({ atMs }) => atMs)).size;
    const where = `${instants} ${instants === 1 ? "instant" : "instants"}`;
    return {
      subject: subjectOrAll(stuck.map(({ taskId }) => taskId), "fleet"),
      message:
        `${stuck.length} of ${oneShots.length} one-shots passed and are still enabled, at ${where}: ` +
        firstFew(stuck.map(({ taskId, atMs }) => `${taskId} at ${instantText(atMs)}`)),
      counts: { oneShots: oneShots.length, stuck: stuck.length, instants },
    };
  },
);
