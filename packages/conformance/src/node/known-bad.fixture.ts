/** The matrix of the known-bad dispatchers as it is checked in. `test/write-known-bad.ts` makes it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface MatrixRow {
  readonly name: string;
  readonly expected: readonly string[];
  readonly failed: readonly string[];
  readonly surprises: Readonly<Record<string, string>>;
  readonly unseen?: string;
}

export interface Matrix {
  /** Of the budget of each rule. */
  readonly share: number;
  readonly seed: number;
  readonly rows: readonly MatrixRow[];
}

export const MATRIX_PATH = join(import.meta.dirname, "../../test/known-bad.json");
export const MATRIX = JSON.parse(readFileSync(MATRIX_PATH, "utf8")) as Matrix;
