/** The matrix of the known-bad supervisors as it is checked in, and one row of it as it is played. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SUPERVISOR_RULES } from "@casebook/supervisor/rules";
import type { SupervisorPolicies } from "@casebook/supervisor";
import { reference } from "../supervision/reference.fixture.ts";
import { runSupervisorConformance } from "./index.ts";

export interface SupervisorRow {
  readonly name: string;
  /** Sentences by number, from what was written down for our own suite. */
  readonly expected: readonly string[];
  /** Sentences that did not hold, in whichever rule. */
  readonly broken: readonly string[];
  /** Rules that failed. */
  readonly failed: readonly string[];
  /** Why a sentence is broken that was not expected to, or the other way round. */
  readonly surprises: Readonly<Record<string, string>>;
}

/** Of the budget of each rule. */
export const MATRIX_SHARE = 0.5;

export const MATRIX = JSON.parse(readFileSync(join(import.meta.dirname, "../../test/known-bad-supervisors.json"), "utf8")) as readonly SupervisorRow[];

/** `S01` of the first sentence. */
export const numberOf = (sentence: string): string => `S${String(Object.keys(SUPERVISOR_RULES).indexOf(sentence) + 1).padStart(2, "0")}`;

export async function playRow(name: string, policies: SupervisorPolicies | undefined, only?: readonly string[]): Promise<Pick<SupervisorRow, "broken" | "failed">> {
  const { rules } = await runSupervisorConformance(reference(policies, name), { share: MATRIX_SHARE, ...(only === undefined ? {} : { only }) });
  const sentences = rules.flatMap(({ failures = [] }) => failures.map(({ check }) => check.slice(check.indexOf("/") + 1))).filter((one) => Object.hasOwn(SUPERVISOR_RULES, one));
  return { broken: [...new Set(sentences)].map(numberOf).toSorted(), failed: rules.filter(({ verdict }) => verdict === "FAIL").map(({ number }) => number) };
}
