/** The guards over rows of slots alone, without the ledger. */
export * from "../finding.ts";
export * from "../slot-disabled-fired.ts";
export * from "../slot-duplicate.ts";
export * from "../slot-invisible-fire.ts";
export type { SlotRow } from "../slot-row.ts";
export * from "../slot-wrong-slot.ts";
