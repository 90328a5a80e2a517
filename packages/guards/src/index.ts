export * from "./finding.ts";
export * from "./registry-guards.ts";
export * from "./slot-guards.ts";
export type * from "./slot-ledger.ts";
