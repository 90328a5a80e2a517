/** The words of `casebook explore`, read or refused. */
import type { ExploreOptions } from "@casebook/explore";
import { nearest } from "../nearest.ts";
import { UsageError } from "../usage-error.ts";

export interface ExploreWords {
  readonly system?: string;
  readonly budget?: string;
  readonly seed?: string;
  readonly strategy?: string;
  readonly faults?: string;
  readonly pairs?: string;
  readonly plain?: true;
  readonly save?: string;
  readonly json?: true;
}

const STRATEGIES = ["mix", "exhaustive", "sampled", "random", "priorities"] as const;
const DEPTHS = ["none", "singles", "pairs"] as const;
/** A search that plays more in one arm should be several searches with seeds of their own. */
const MAX_BUDGET = 10_000_000;

export function readExploreOptions(words: ExploreWords): Pick<ExploreOptions, "budget" | "seed" | "strategy" | "faults" | "pairs" | "reduction"> {
  return {
    ...(words.budget === undefined ? {} : { budget: readWhole("--budget", words.budget, 1, MAX_BUDGET) }),
    ...(words.seed === undefined ? {} : { seed: readWhole("--seed", words.seed, 0, 2 ** 31 - 1) }),
    ...(words.strategy === undefined ? {} : { strategy: readWord("--strategy", words.strategy, STRATEGIES) }),
    ...(words.faults === undefined ? {} : { faults: readWord("--faults", words.faults, DEPTHS) }),
    ...(words.pairs === undefined ? {} : { pairs: readPairs(words.pairs, words.faults) }),
    ...(words.plain === true ? { reduction: "plain" as const } : {}),
  };
}

/** Without a pair there is nothing to draw from. */
function readPairs(given: string, faults: string | undefined): number {
  if (faults !== "pairs") throw new UsageError("--pairs draws from pairs of faults: it goes with --faults pairs.");
  return readWhole("--pairs", given, 1, MAX_BUDGET);
}

export function readWhole(option: string, given: string, least: number, most: number): number {
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}, not ${JSON.stringify(given)}.`);
}

function readWord<Word extends string>(option: string, given: string, known: readonly Word[]): Word {
  const found = known.find((word) => word === given);
  if (found !== undefined) return found;
  const meant = nearest(given, known);
  throw new UsageError(`${option} knows ${known.join(", ")}, not ${JSON.stringify(given)}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`);
}
