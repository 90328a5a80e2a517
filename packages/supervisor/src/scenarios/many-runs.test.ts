/** Forty runs that hang together, over a ledger that serves eight calls a second: the small twin of the two hundred in `many-runs.real.ts`. */
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { REFERENCE_POLICIES } from "../index.ts";
import { playManyRuns } from "./many-runs.ts";

const runner = await findRunner({ silenceMs: 60_000 });
const runs = 40;
const ledger = { capacity: 1, serviceMs: 125 };

describe("runs that come to their deadlines together", () => {
  it("all have one record, and all their agents were told in time", async () => {
    expect(await playManyRuns({ runs, ledger }, runner)).toMatchObject({ oneRecord: runs, noRecord: 0, manyRecords: 0, toldInTime: runs, holding: 0 });
  });

  it("are orphaned when the ledger is asked first, and a watchdog ends what waits for it", async () => {
    const policies = { ...REFERENCE_POLICIES, cancelOrder: "classify-first", classification: "unbounded", succession: "none" } as const;
    const { noRecord, toldInTime, manyRecords } = await playManyRuns({ runs, ledger, policies }, runner);
    expect({ someHaveNoRecord: noRecord > runs / 4, mostWereNotTold: toldInTime < runs / 4, manyRecords }).toEqual({ someHaveNoRecord: true, mostWereNotTold: true, manyRecords: 0 });
  });
});
