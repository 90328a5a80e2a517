/** A worker that starts a task and records that it did, in orders that survive different faults. For the tests of the search. */
import type { FaultKind } from "@casebook/sim/kernel";
import type { System } from "../system.ts";

export interface WorkerFacts {
  readonly starts: number;
  readonly records: number;
}

const AT_MOST_ONCE = {
  id: "task/started-once",
  when: "end",
  alarm: ({ starts }: WorkerFacts) => (starts <= 1 ? undefined : `${starts} starts`),
} as const;

/**
 * `start-first`: starts, then records; one fault between the two makes a second start. `record-first`: never starts twice.
 * `two-ways`: records first, and starts first when the record is refused: needs two faults.
 */
export function worker(order: "start-first" | "record-first" | "two-ways", kinds: readonly FaultKind[]): System<WorkerFacts> {
  return {
    name: `calibration/worker-${order}`,
    claim: "A task is started once.",
    build(space) {
      const record = space.cell("record", 0);
      const starts = space.cell("starts", 0);
      space.process("worker", async (ports) => {
        const recorded = ports.cell(record);
        const start = async (): Promise<void> => {
          await ports.cell(starts).update((count) => count + 1);
          await ports.faults.reach("worker.after-start");
        };
        if ((await recorded.read()) > 0) return;
        if (order === "start-first") {
          await start();
          await recorded.write(1);
          return;
        }
        try {
          await ports.faults.reach("worker.before-record");
          await recorded.write(1);
        } catch {
          if (order === "two-ways") {
            await start();
            await recorded.write(1);
          }
          return;
        }
        await start();
      });
      return { facts: () => ({ starts: starts.value, records: record.value }) };
    },
    checks: [AT_MOST_ONCE],
    sometimes: { "a start": ({ starts }) => starts > 0, "three starts": ({ starts }) => starts > 2 },
    faults: { points: ["worker.after-start", "worker.before-record", "worker.never-reached"], kinds },
    onThrow: "ends",
  };
}
