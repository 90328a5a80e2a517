/** The simulated world where there is Node: the fast barrier and its fallbacks. */
export { immediates, inMacrotask, synchronousBarrier, tickBarrier } from "./barriers.ts";
export { findRunner, SILENCE_MS, synchronousRunner } from "./runner.ts";
