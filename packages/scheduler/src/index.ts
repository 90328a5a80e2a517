/** A model of a scheduler: slots, catch-up, stamps, caps. The pure half is `/judge`. */
export * from "./create-scheduler.ts";
export type { Dispatch, DispatchOrder } from "./fire-queue.ts";
export * from "./policies.ts";
export type {
  DiscardedSlots,
  ExpiredOneShot,
  FireProblem,
  FireReason,
  FireRecord,
  InterruptedSlot,
  InvalidTask,
  PassReport,
} from "./records.ts";
export { stateText } from "./state.ts";
export * from "./task-source.ts";
