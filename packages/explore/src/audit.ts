/** The nets over one arm after its search: a failure and a sample of the rest played again, and the steps of each in other orders. */
import type { Runner, Simulation } from "@casebook/sim/kernel";
import { type OrderOptions, playsInOtherOrders } from "./commute.ts";
import { judge } from "./judge.ts";
import { againOf, firstDifference, notRepeatableText, type Outcome, outcomeOf, type Recording, recordingOf } from "./repeat.ts";
import { playInTurn, type Plays } from "./replay.ts";
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
export const SAMPLE_EVERY = 200;
const RANDOM_ORDERS = 1;

export function sampleOf<Facts>(simulation: Simulation<Facts>): Sample<Facts> {
  return { recording: recordingOf(simulation.execution), outcome: outcomeOf(simulation), simulation };
}

/** Undefined: nothing was found. */
export async function audit<Facts>(system: System<Facts>, samples: readonly Sample<Facts>[], runner: Runner, orders: Omit<OrderOptions, "randomOrders">): Promise<Audited | undefined> {
  return samples.length === 0 ? undefined : playInTurn(audits(system, samples, orders), runner);
}

function* audits<Facts>(system: System<Facts>, samples: readonly Sample<Facts>[], orders: Omit<OrderOptions, "randomOrders">): Plays<Audited | undefined> {
  for (const sample of samples) {
    const again = againOf(system, sample.recording);
    yield again.execution;
    const judged = judge(system, again);
    if (judged.verdict === "not-run" && judged.reason === "unsupported") return { reason: "unsupported", says: judged.says, voidsFailure: true };
    const difference = firstDifference(sample.outcome, outcomeOf(again));
    if (difference !== undefined) return { reason: "unstable-input", says: notRepeatableText(difference), voidsFailure: true };
  }
  for (const { simulation } of samples) {
    const says = yield* playsInOtherOrders(system, simulation, { ...orders, randomOrders: RANDOM_ORDERS });
    if (says !== undefined) return { reason: "unsupported", says, voidsFailure: false };
  }
  return undefined;
}
