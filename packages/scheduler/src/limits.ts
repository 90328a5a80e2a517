/** The limits of a scheduler, each with its reason. */

/** Seven days: what lies further back is not caught up, because nobody waits for it any more. */
export const MAX_LOOK_BACK_MS = 7 * 86_400_000;

/** Slots of one task that one pass looks at, the newest: every hour of the look-back window. Older ones are discarded, and said to be. */
export const MAX_CATCH_UP_SLOTS = 168;

/**
 * The longest wait between two passes. A wait measures elapsed time, so this bounds how long a clock that was set forward,
 * a host that slept, or a task that was added stays unnoticed. It also keeps every wait far below the 2^31−1 ms of a timer.
 */
export const RECHECK_MS = 60_000;

/** Dispatches at one time, for a whole machine; the number that the desktop app of case 002 uses. */
export const DEFAULT_MAX_CONCURRENT = 3;

/** Fire records that a process keeps in memory; older ones are in the log only. */
export const MAX_FIRE_RECORDS = 10_000;

/** A state file beyond this is not ours. */
export const MAX_STATE_BYTES = 16 * 1024 * 1024;
