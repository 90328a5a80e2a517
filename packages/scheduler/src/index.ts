/** A model of a scheduler: slots, catch-up, stamps, caps. The pure half is `/judge`. */
export * from "./create-scheduler.ts";
export type { Dispatch, DispatchOrder } from "./fire-queue.ts";
export * from "./limits.ts";
export * from "./policies.ts";
export * from "./records.ts";
export * from "./registry-source.ts";
export { stateText } from "./state-file.ts";
export * from "./task-source.ts";
