export * from "./finding.ts";
export * from "./registry-lookup-shape.ts";
export * from "./registry-parity.ts";
export * from "./slot-disabled-fired.ts";
export * from "./slot-duplicate.ts";
export * from "./slot-invisible-fire.ts";
export * from "./slot-ledger.ts";
export type { SlotRow } from "./slot-row.ts";
export * from "./slot-wrong-slot.ts";
