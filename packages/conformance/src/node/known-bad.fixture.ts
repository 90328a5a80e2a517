/** The matrix of the known-bad dispatchers as it is checked in, and how it is made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface MatrixRow {
  readonly name: string;
  readonly expected: readonly string[];
  readonly failed: readonly string[];
  readonly surprises: Readonly<Record<string, string>>;
  readonly unseen?: string;
}

/** Of the budget of each rule. */
export const MATRIX_SHARE = 0.12;

export const MATRIX = JSON.parse(readFileSync(join(import.meta.dirname, "../../test/known-bad.json"), "utf8")) as readonly MatrixRow[];
