/** Two hundred runs that hang together, as on the Thursday of the article: about ten seconds of this machine, hence not in the fast tests. */
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { REFERENCE_POLICIES } from "../index.ts";
import { type ManyEnds, playManyRuns } from "./many-runs.ts";

const runner = await findRunner({ silenceMs: 300_000 });
const runs = 200;
/** Forty calls a second: enough for two hundred leases, and not for two hundred cancellations in half a minute. */
const ledger = { capacity: 2, serviceMs: 50 };

describe("two hundred runs that come to their deadlines within half a minute", () => {
  it("all have one record when agents are told first; told last, many have none", async () => {
    const fixed = await playManyRuns({ runs, ledger }, runner);
    const broken = await playManyRuns({ runs, ledger, policies: { ...REFERENCE_POLICIES, cancelOrder: "classify-first", classification: "unbounded", succession: "none" } }, runner);
    print("propagate first", fixed);
    print("classify first", broken);
    expect(fixed).toMatchObject({ oneRecord: runs, noRecord: 0, manyRecords: 0, toldInTime: runs, holding: 0 });
    expect(broken.noRecord).toBeGreaterThan(0);
  });
});

function print(order: string, { oneRecord, noRecord, unclassified, toldInTime, holding, lastRecordMs }: ManyEnds): void {
  process.stdout.write(`${order}: ${oneRecord} of ${runs} with a record, ${noRecord} without; ${unclassified} unclassified; ${toldInTime} told in time; ${holding} hold something; last record ${lastRecordMs} ms behind its deadline\n`);
}
