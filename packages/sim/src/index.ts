/** The simulated world: one execution in which nothing is left to chance. */
export { createWorld, type World } from "./world.ts";
export type { CrashImage, Durability, Unsynced } from "./disk/images.ts";
export { MAX_STEPS, MAX_VIRTUAL_MS, WorldError, type WorldOptions } from "./world-options.ts";
export type { Trace, TraceEvent } from "./trace.ts";
export type { Volume } from "memfs";
