/** What the matrix of known-bad dispatchers owes its reader: what was expected before the run, and a word for all that came otherwise. */
import type { KnownBadDispatcher } from "@casebook/dispatcher/known-bad";

export interface MatrixRow {
  readonly name: string;
  readonly expected: readonly string[];
  readonly failed: readonly string[];
  /** By the number of the rule, why it came otherwise. */
  readonly surprises: Readonly<Record<string, string>>;
  /** Why no rule sees it. */
  readonly unseen?: string;
}

export interface Matrix {
  /** Of the budget of each rule. */
  readonly share: number;
  readonly seed: number;
  readonly rows: readonly MatrixRow[];
}

/** From what was written down for our own suite, as far as the kit has a rule of that number. */
export function expectedOf({ breaks, unbroken = {} }: Pick<KnownBadDispatcher, "breaks" | "unbroken">, asked: readonly string[]): readonly string[] {
  const numbers = breaks.filter((check) => unbroken[check] === undefined).map((check) => check.split("/")[0] as string);
  return [...new Set(numbers)].filter((number) => asked.includes(number)).toSorted();
}

/** Surprises without their reason, reasons without their surprise, and the same for who is not seen at all. */
export function untoldOf({ name, expected, failed, surprises, unseen }: MatrixRow): readonly string[] {
  const different = [...expected.filter((rule) => !failed.includes(rule)), ...failed.filter((rule) => !expected.includes(rule))].toSorted();
  const isBlind = failed.length === 0 && name !== "reference";
  return [
    ...different.filter((rule) => (surprises[rule] ?? "") === "").map((rule) => `${name}, ${rule}: ${failed.includes(rule) ? "fails and was not expected to" : "was expected to fail and does not"}; no reason stands there`),
    ...Object.keys(surprises).filter((rule) => !different.includes(rule)).map((rule) => `${name}, ${rule}: the reason stands there, and it is no surprise any more`),
    ...(isBlind && unseen === undefined ? [`${name}: no rule sees it, and no reason stands there`] : []),
    ...(!isBlind && unseen !== undefined ? [`${name}: the reason stands there why no rule sees it, and ${failed.join(", ")} does`] : []),
  ];
}
