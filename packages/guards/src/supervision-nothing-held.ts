/** Finds leases, locks and worker slots that a run keeps although it is over. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionNothingHeldFacts {
  readonly run: string;
  /** What the run still holds, by name. */
  readonly leases: readonly string[];
  readonly locks: readonly string[];
  readonly slots: readonly string[];
  /** Of everything there is to hold, by anybody. */
  readonly looked: { readonly items: number; readonly locks: number; readonly slots: number };
}

export const supervisionNothingHeld = defineGuard<SupervisionNothingHeldFacts>(
  {
    id: "supervision/nothing-held",
    needs: ["leases, locks and worker slots of a run that is over"],
    severity: "alarm",
    text: "A run that is over still holds a lease, a lock or a worker slot.",
    case: "009",
  },
  ({ run, leases, locks, slots, looked }) => {
    const held = [...leases.map((name) => `lease ${name}`), ...locks.map((name) => `lock ${name}`), ...slots.map((name) => `slot ${name}`)];
    if (held.length === 0) return undefined;
    return {
      subject: run,
      message: `holds ${leases.length} of ${looked.items} leases, ${locks.length} of ${looked.locks} locks, ${slots.length} of ${looked.slots} worker slots: ${firstFew(held)}`,
      counts: { leases: leases.length, locks: locks.length, slots: slots.length },
    };
  },
);
