/** What to do about the slots of one task that lie behind: the catch-up policies. Pure; knows nothing of what ran. */

/** How late a slot may be and still count as on time: one minute, the resolution of a cron field. */
export const ON_TIME_GRACE_MS = 60_000;

/**
 * `none`: late slots are discarded. `latest-once`: of everything that is due the newest slot runs, once, the others are
 * discarded, so a task never runs twice in a row because it was late. `each-missed`: every slot runs, oldest first.
 */
export type CatchUpPolicy = "none" | "latest-once" | "each-missed";

export interface ChosenSlots {
  readonly run: readonly number[];
  readonly discarded: readonly number[];
}

/** `slots` ascending and not after `nowMs`. Nothing is lost: `run` and `discarded` together are `slots`. */
export function chooseSlots(slots: readonly number[], nowMs: number, policy: CatchUpPolicy): ChosenSlots {
  switch (policy) {
    case "each-missed":
      return { run: slots, discarded: [] };
    case "latest-once":
      return { run: slots.slice(-1), discarded: slots.slice(0, -1) };
    case "none":
      return {
        run: slots.filter((slot) => !isLate(slot, nowMs)),
        discarded: slots.filter((slot) => isLate(slot, nowMs)),
      };
  }
}

export function isLate(slotMs: number, nowMs: number): boolean {
  return nowMs - slotMs > ON_TIME_GRACE_MS;
}
