/** The kit on Node: finds the runner, and speaks with programs in other languages. */
export { type ConformanceOptions, replayConformance, runConformance } from "./run-conformance.ts";
