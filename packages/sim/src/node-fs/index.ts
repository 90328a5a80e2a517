/** Code that was written for Node, in the simulated world: its `node:fs`, its timers, and a library with all that it requires. */
export { createNodeFs, type NodeFs } from "./create-node-fs.ts";
export { createLibrary, type Library } from "./library.ts";
export type { LifePorts } from "./process-globals.ts";
export { createTimers, type Timer, type Timers } from "./timers.ts";
