/** The vitest reporter. In a configuration: `reporters: ["@casebook/verdict/vitest"]`. */

export { judgeRun, type JudgedRun, type RunFacts } from "./judge-run.ts";
export { VerdictReporter, VerdictReporter as default } from "./verdict-reporter.ts";
export type { VerdictReporterOptions } from "./verdict-reporter.ts";
