export * from "./finding.ts";
export * from "./registry-lookup-shape.ts";
export * from "./registry-parity.ts";
export * from "./slot-disabled-fired.ts";
export * from "./slot-duplicate.ts";
export * from "./slot-invisible-fire.ts";
export type { SlotRow } from "./slot-row.ts";
export type * from "./slot-ledger.ts";
export * from "./slot-wrong-slot.ts";
