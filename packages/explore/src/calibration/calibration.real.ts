/** The averages of `calibration.test.ts` over 100 seeds, so that no lucky seed carries them. */
import { findRunner } from "@casebook/sim/node";
import { describeAverages } from "./averages.fixture.ts";

describeAverages(await findRunner(), 100);
