/** The second half of the known-bad dispatchers. */
import { findRunner } from "@casebook/sim/node";
import { defineHalf } from "./known-bad.fixture.ts";

defineHalf("second", await findRunner());
