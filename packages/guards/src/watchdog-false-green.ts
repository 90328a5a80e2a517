/**
 * Judges a watchdog by what it says and by what it could have known. Takes counts only: it does not look at what is watched.
 * A run that says "bad" or "not measured" claims no health, and is not judged.
 */
import { defineGuard } from "./finding.ts";

export interface WatchdogFalseGreenFacts {
  readonly watchdog: string;
  /** Runs in the window. */
  readonly runs: number;
  /** Of these, the runs that said that all is well. */
  readonly greenRuns: number;
  /** What somebody else counted in the same window by looking at the work; undefined: nobody looked. */
  readonly evidence: { readonly looked: number; readonly bad: number } | undefined;
  /** A thing that is bad on purpose: in how many of the green runs it was there, and in how many found. Undefined: never there. */
  readonly planted: { readonly runs: number; readonly found: number } | undefined;
}

/** As many green runs as this, without evidence and without anything planted, are no better than one. */
export const GREEN_RUNS_WITHOUT_PROOF = 20;

export const watchdogFalseGreen = defineGuard<WatchdogFalseGreenFacts>(
  {
    id: "watchdog/false-green",
    needs: [
      "runs of the watchdog, and how many of them said that all is well",
      "what independent evidence calls bad in the same window, or that nobody looked",
      "in how many of the green runs a thing that is bad on purpose was there, and in how many found, or that none was planted",
    ],
    severity: "alarm",
    text: "A watchdog says that all is well against the evidence, without finding what was planted, or without ever having found anything.",
    case: "006",
  },
  ({ watchdog, runs, greenRuns, evidence, planted }) => {
    if (greenRuns === 0) return undefined;
    const because = [
      ...(evidence !== undefined && evidence.bad > 0
        ? [`the evidence of the same time shows ${evidence.bad} of ${evidence.looked} bad`]
        : []),
      ...(planted !== undefined && planted.found < planted.runs
        ? [`the planted one was found in ${planted.found} of the ${planted.runs} that it was there for`]
        : []),
      ...(isUnproven(greenRuns, evidence, planted)
        ? ["nobody looked at the work and nothing was planted, so nothing shows that it can find anything"]
        : []),
    ];
    if (because.length === 0) return undefined;
    return {
      subject: watchdog,
      message: `${greenRuns} of ${runs} runs said that all is well, and ${because.join(", and ")}`,
      counts: {
        runs,
        greenRuns,
        ...(evidence === undefined ? {} : { looked: evidence.looked, bad: evidence.bad }),
        ...(planted === undefined ? {} : { plantedRuns: planted.runs, plantedFound: planted.found }),
      },
    };
  },
);

/** Looking at nothing, and planting in no run, prove as little as not looking and not planting. */
function isUnproven(
  greenRuns: number,
  evidence: WatchdogFalseGreenFacts["evidence"],
  planted: WatchdogFalseGreenFacts["planted"],
): boolean {
  return greenRuns >= GREEN_RUNS_WITHOUT_PROOF && (evidence?.looked ?? 0) === 0 && (planted?.runs ?? 0) === 0;
}
