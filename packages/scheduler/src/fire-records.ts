/** The list of what came up for dispatch, and its lines in the log. */
import type { Log } from "@casebook/ports";
import type { DueSlot } from "./decide-pass.ts";
import { MAX_FIRE_RECORDS } from "./limits.ts";
import type { FireRecord } from "./records.ts";

export interface FireRecords {
  /** Adds a record; `settle` says later how it went on. */
  add(
    slot: DueSlot,
    what: Pick<FireRecord, "outcome" | "problem" | "firedAtMs">,
  ): { settle(change: Pick<FireRecord, "outcome" | "problem" | "stamped">): void };
  /** In the order in which they were added; the newest MAX_FIRE_RECORDS. */
  list(): readonly FireRecord[];
}

export function createFireRecords(log: Log): FireRecords {
  const records: FireRecord[] = [];

  function tell({ key, taskId, reason, outcome, problem, stamped }: FireRecord): void {
    const level = outcome === "rejected" ? "error" : outcome === "refused" ? "warning" : "info";
    log.write(level, `scheduler.fire-${outcome}`, { taskId, key, reason, stamped, code: problem?.code ?? null });
  }

  return {
    add({ taskId, slotMs, key, reason }, what) {
      let current: FireRecord = { taskId, slotMs, key, reason, stamped: false, ...what };
      records.push(current);
      if (records.length > MAX_FIRE_RECORDS) records.shift();
      tell(current);
      return {
        settle(change) {
          const index = records.indexOf(current);
          current = { ...current, ...change };
          if (index >= 0) records[index] = current;
          tell(current);
        },
      };
    },
    list: () => [...records],
  };
}
