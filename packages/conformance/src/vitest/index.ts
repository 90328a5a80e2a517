/** The kit in a suite of vitest: one test for each rule. With the reporter of `@casebook/verdict/vitest` NOT RUN stays NOT RUN. */
export { defineDispatcherConformance, type DefineOptions } from "./define-dispatcher-conformance.ts";
