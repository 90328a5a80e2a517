/** A suite whose tests were never entered, and a report that does not say so. Leaves out why it was not entered, and whether the tests are any good. */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface ReportedSuite {
  readonly suite: string;
  /** Tests whose body was entered, by whoever ran them. 0: it did not load. */
  readonly bodiesRun: number;
  /** What the report says of it. */
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** The report says what was run and what was answered. */
  readonly hasEvidence: boolean;
}

export const reportHiddenNotRun = defineGuard<readonly ReportedSuite[]>(
  {
    id: "report/hidden-not-run",
    needs: ["for each suite that was planned, how many test bodies were entered", "what the report says of it, and whether it keeps the command and its answer"],
    severity: "alarm",
    text: "A suite did not run, and the report has it as passed, as failed, not at all, or without what the environment said.",
    case: "017",
  },
  (suites) => {
    const wrong = suites.flatMap((one) => {
      const says = saysOf(one);
      return says === undefined ? [] : [{ suite: one.suite, says }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ suite }) => suite), "suites"),
      message: `${wrong.length} of ${suites.length} suites are not reported as they ran: ${firstFew(wrong.map(({ suite, says }) => `${suite} (${says})`), "; ")}`,
      counts: { suites: suites.length, wrong: wrong.length, notEntered: suites.filter(({ bodiesRun }) => bodiesRun === 0).length },
    };
  },
);

function saysOf({ bodiesRun, passed, failed, notRun, hasEvidence }: ReportedSuite): string | undefined {
  if (bodiesRun > 0) return passed + failed > bodiesRun ? `${bodiesRun} bodies, ${passed + failed} verdicts` : undefined;
  if (passed > 0) return `no body entered, ${passed} passed`;
  if (failed > 0) return `no body entered, ${failed} failed`;
  if (notRun === 0) return "no body entered, left out";
  return hasEvidence ? undefined : "not run, and nobody kept why";
}
