/** The numbers that the ledger decides by. */

/** How far ahead of now a run may be dated before it counts as dated in the future: hosts are seldom further apart. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** How long before its slot a run may seem to start: file times are coarse, and clocks differ by a little. */
export const EARLY_START_MS = 2_000;

/** A run that a catch-up started although its task had nothing to catch up repeats a slot no older than this; else it has no slot. */
export const RERUN_WITHIN_MS = 24 * 3_600_000;

/** A second run of a slot this soon after the one before it was not started by a person. */
export const SURPLUS_WITHIN_MS = 2 * 60_000;

/** So many later runs of one slot by nobody knows whom are a scheduler's after all. */
export const SURPLUS_MANY = 3;

/** Runs of this many different tasks, none of them at a slot, */
export const STORM_MIN_TASKS = 3;

/** this close together, were started by a catch-up and not by hand. */
export const STORM_WITHIN_MS = 10 * 60_000;

/** So many runs at no slot, one after the other, */
export const EVEN_MANY = 4;

/** whose distances differ by no more than this, */
export const EVEN_WITHIN_MS = 60_000;

/** nor by more than this share of the distance, were started by a clock and not by hand. */
export const EVEN_SHARE = 0.02;

/** How far a stamp may be from the run that it stamps, where no slot says how much grace there is. */
export const STAMP_TOLERANCE_MS = 10 * 60_000;
