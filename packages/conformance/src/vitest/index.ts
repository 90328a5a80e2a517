/** The kit in a suite of vitest: one test for each rule. With the reporter of `@casebook/verdict/vitest` NOT RUN stays NOT RUN. */
export { defineDispatcherConformance } from "./define-dispatcher-conformance.ts";
export type { DefineOptions } from "./define-rules.ts";
export { defineSupervisorConformance } from "./define-supervisor-conformance.ts";
