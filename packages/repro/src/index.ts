/** Scenes of a case, played in a world. */
export * from "./arguments.ts";
export * from "./play.ts";
export * from "./repro.ts";
export * from "./run-repro.ts";
