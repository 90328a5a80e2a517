/** The two guards over counts of a registry alone: what a case or a watchdog loads when it needs no more. */
export * from "../finding.ts";
export * from "../registry-guards.ts";
