/** The matrix of the known-bad dispatchers as it is checked in. `test/write-known-bad.ts` makes it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Matrix } from "../matrix.fixture.ts";

export const MATRIX_PATH = join(import.meta.dirname, "../../test/known-bad.json");
export const MATRIX = JSON.parse(readFileSync(MATRIX_PATH, "utf8")) as Matrix;
