/** The simulated world where there is Node: the fast barrier and its fallbacks. */
export { immediates, inMacrotask, synchronousBarrier, tickBarrier } from "./barriers.ts";
export { findRunner, type RunnerOptions, SILENCE_MS, synchronousRunner, tickRunner, watchingRunner } from "./runner.ts";
export { ALLOWED, type Leak, leakText, trapAmbient, type Traps } from "./traps.ts";
