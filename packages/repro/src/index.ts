/** Scenes of a case, played in a world. */
export * from "./repro.ts";
export * from "./run-repro.ts";
