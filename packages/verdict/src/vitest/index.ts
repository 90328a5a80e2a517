/** The vitest reporter. In a configuration: `reporters: ["@casebook/verdict/vitest"]`. */

export { VerdictReporter, VerdictReporter as default } from "./verdict-reporter.ts";
export type { VerdictReporterOptions } from "./verdict-reporter.ts";
