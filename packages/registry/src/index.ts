/** A model of a task registry. The judging half is `@casebook/registry/judge`. */
export * from "./judge/reading.ts";
export * from "./judge/look-up.ts";
export type { DocumentShape, RegistryShape } from "./judge/shape.ts";
export type { Schedule, Task } from "./judge/task.ts";
export type { JoinedStores } from "./judge/join-stores.ts";
export * from "./read-registry.ts";
export * from "./read-stores.ts";
export { MAX_READ_ATTEMPTS, MAX_REGISTRY_BYTES } from "./stable-read.ts";
export type { TaskChange, WriteRefusal, WriteRefusalCode } from "./plan-write.ts";
export * from "./write-registry.ts";
