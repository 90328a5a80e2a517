/**
 * F12: a suite whose dependency is missing did not run. Its subject is what reports, and no dispatcher: NOT RUN with what the
 * environment said, and neither PASS, nor FAIL, nor left out of the count.
 */
import { fail, notRun, pass, tallyOf, type Verdict } from "@casebook/verdict";

/** What became of a suite of tests. */
export type SuiteRun =
  | { readonly suite: string; readonly isLoaded: true; readonly passed: number; readonly failed: number }
  | { readonly suite: string; readonly isLoaded: false; readonly missing: string; readonly command: string; readonly firstLines: readonly string[] };

/** `not-run`: the reference. The others are known to be wrong. */
export type ReporterPolicy = "not-run" | "shown-as-pass" | "shown-as-fail" | "left-out" | "without-evidence";

export const REPORTERS: readonly { readonly name: ReporterPolicy; readonly breaks: readonly string[] }[] = [
  { name: "not-run", breaks: [] },
  { name: "shown-as-pass", breaks: ["F12/not-run", "F12/evidence"] },
  { name: "shown-as-fail", breaks: ["F12/not-run", "F12/evidence"] },
  { name: "left-out", breaks: ["F12/not-run", "F12/evidence"] },
  { name: "without-evidence", breaks: ["F12/evidence"] },
];

export function reportSuites(runs: readonly SuiteRun[], policy: ReporterPolicy): readonly Verdict[] {
  return runs.flatMap((run): Verdict[] => {
    if (run.isLoaded) return [...Array.from({ length: run.passed }, () => pass()), ...Array.from({ length: run.failed }, () => fail(`a test of ${run.suite} failed`))];
    const says = `${run.suite} did not load: ${run.missing} is missing`;
    const evidence = { command: run.command, firstLines: run.firstLines };
    switch (policy) {
      case "not-run":
        return [notRun("missing-dependency", says, evidence)];
      case "shown-as-pass":
        return [pass()];
      case "shown-as-fail":
        return [fail(says)];
      case "left-out":
        return [];
      case "without-evidence":
        return [notRun("missing-dependency", says, {})];
    }
  });
}

/** The article's own rerun: 14 passed, 1 failed, 2 not run. */
export const RERUN: readonly SuiteRun[] = [
  { suite: "atomic write", isLoaded: true, passed: 9, failed: 0 },
  { suite: "addresses of the local network", isLoaded: true, passed: 5, failed: 0 },
  { suite: "long-horizon planning", isLoaded: false, missing: "yaml", command: "node --test planning", firstLines: ["Cannot find package 'yaml'"] },
  { suite: "two-phase dispatch", isLoaded: false, missing: "an SDK", command: "node --test dispatch", firstLines: ["Cannot find the package of the SDK"] },
  { suite: "publication boundary", isLoaded: true, passed: 0, failed: 1 },
];

export interface MissingDependencyCheck {
  readonly id: string;
  readonly says: string;
  alarm(verdicts: readonly Verdict[]): string | undefined;
}

export const MISSING_DEPENDENCY_CHECKS: readonly MissingDependencyCheck[] = [
  {
    id: "F12/not-run",
    says: "What did not load is NOT RUN, and counted beside what passed and failed.",
    alarm(verdicts) {
      const { passed, failed, notRun: open, planned } = tallyOf(verdicts);
      return passed === 14 && failed === 1 && open === 2 ? undefined : `planned ${planned}, passed ${passed}, failed ${failed}, not run ${open}`;
    },
  },
  {
    id: "F12/evidence",
    says: "The command and the first lines of what it said are kept.",
    alarm(verdicts) {
      const kept = verdicts.filter((one) => one.verdict === "NOT RUN" && one.evidence.command !== undefined && (one.evidence.firstLines ?? []).length > 0);
      return kept.length === 2 ? undefined : `the environment is kept of ${kept.length} of 2 that did not run`;
    },
  },
];
