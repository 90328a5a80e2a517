/** A model of a task registry. The judging half, lookups among it, is `@casebook/registry/judge`. */
export {
  blastRadius,
  type FailedReading,
  type LoadedReading,
  type LoaderPolicy,
  parityFacts,
  type Population,
  type QuarantinedEntry,
  type RegistryReading,
  type RejectedReading,
} from "./judge/reading.ts";
export type { DocumentShape, RegistryShape } from "./judge/shape.ts";
export type { Schedule, Task } from "./judge/task.ts";
export { MAX_TASK_FILES, readRegistry, type RegistryLocation } from "./read-registry.ts";
export { MAX_READ_ATTEMPTS, MAX_REGISTRY_BYTES } from "./stable-read.ts";
export type { TaskChange, WriteRefusal, WriteRefusalCode } from "./plan-write.ts";
export * from "./write-registry.ts";
