export * from "./finding.ts";
export * from "./registry-guards.ts";
export {
  slotDisabledFired,
  slotDuplicate,
  slotInvisibleFire,
  type SlotRow,
  slotWrongSlot,
} from "./slot-guards.ts";
