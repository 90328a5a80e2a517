/** The doctor: bytes and values in, findings out. Nothing here touches a disk; see `/node`. */
export type * from "./doctor-report.ts";
export type * from "./observation.ts";
export type * from "./preset.ts";
export type * from "./tree.ts";
export * from "./observe/index.ts";
export * from "./presets/index.ts";
