/** The nets over one arm after its search: a failure and a sample of the rest played again, and some neighbouring steps swapped. */
import type { Runner, Simulation } from "@casebook/sim/kernel";
import { swapDifference, swappable } from "./commute.ts";
import { judge } from "./judge.ts";
import { firstDifference, notRepeatableText, type Outcome, outcomeOf, playAgain, type Recording, recordingOf } from "./repeat.ts";
import type { System } from "./system.ts";

export interface Sample<Facts> {
  readonly recording: Recording;
  readonly outcome: Outcome;
  readonly simulation: Simulation<Facts>;
}

export interface Audited {
  readonly reason: "timed-out" | "unsupported" | "unstable-input";
  readonly says: string;
  /** What failed did not fail for a reason that the world decides. */
  readonly voidsFailure: boolean;
}

/** The first execution of an arm and every so many-th are watched, and played again afterwards. */
export const SAMPLE_EVERY = 100;
/** Pairs of steps swapped in each execution of the sample. */
const SWAPS = 4;

export function sampleOf<Facts>(simulation: Simulation<Facts>): Sample<Facts> {
  return { recording: recordingOf(simulation.execution), outcome: outcomeOf(simulation), simulation };
}

/** Undefined: nothing was found. */
export async function audit<Facts>(system: System<Facts>, samples: readonly Sample<Facts>[], runner: Runner): Promise<Audited | undefined> {
  for (const sample of samples) {
    const again = await playAgain(system, sample.recording, runner);
    const judged = judge(system, again);
    if (judged.verdict === "not-run" && judged.reason === "unsupported") return { reason: "unsupported", says: judged.says, voidsFailure: true };
    const difference = firstDifference(sample.outcome, outcomeOf(again));
    if (difference !== undefined) return { reason: "unstable-input", says: notRepeatableText(difference), voidsFailure: true };
  }
  for (const { simulation } of samples) {
    const places = swappable(simulation.execution);
    for (const at of spread(places, SWAPS)) {
      const says = await swapDifference(system, simulation, at, runner);
      if (says !== undefined) return { reason: "unsupported", says, voidsFailure: false };
    }
  }
  return undefined;
}

/** So many of them, evenly from first to last. */
function spread(places: readonly number[], count: number): number[] {
  if (places.length <= count) return [...places];
  return Array.from({ length: count }, (_, index) => places[Math.floor((index * (places.length - 1)) / (count - 1))] as number);
}
