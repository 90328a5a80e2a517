/** The matrix of the known-bad receipt logs as it is checked in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MatrixRow } from "../matrix.fixture.ts";

/** Of the budget of each rule. */
export const RECEIPT_MATRIX_SHARE = 0.5;

export const RECEIPT_MATRIX = JSON.parse(readFileSync(join(import.meta.dirname, "../../test/known-bad-receipts.json"), "utf8")) as readonly MatrixRow[];
