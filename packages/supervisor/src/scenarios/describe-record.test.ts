/** Real records of runs that ended for different reasons, read by somebody who has nothing but the record. */
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { POINTS } from "../index.ts";
import { describeRecord, readTerminalRecord, type TerminalRecord } from "../judge/index.ts";
import { playRun, RUN_ID, type RunWorld, scenarioCalled, specOf } from "./index.ts";

const runner = await findRunner();

/** As it stands in a file: nothing of the run is left but these bytes. */
async function recordOf(world: RunWorld): Promise<TerminalRecord> {
  const { snapshot } = await playRun(world, runner);
  const rows = (snapshot?.tables.get("records") ?? []).filter(({ run }) => run === RUN_ID);
  const read = readTerminalRecord(JSON.parse(JSON.stringify(rows[0])));
  if (read.outcome !== "ok") throw new Error(read.says);
  return read.record;
}

const KEPT = (by: string): string => `Its rows as they stood are in the artefact store at run-1/as-it-stood/${by}.`;
const NOTHING_KEPT = "No rows were kept: this record is all there is beside the ledger.";

const READ: readonly (readonly [string, RunWorld, readonly string[]])[] = [
  ["completed", scenarioCalled("none/one-agent").world, ["run-1 completed 120 s after it began: all of its 3 items are done. Written by supervisor.", "Nothing is left to resume.", NOTHING_KEPT]],
  [
    "a tool that hung",
    scenarioCalled("tool_hang/three-vendors").world,
    [
      "run-1 was cancelled 900 s after it began: its time was over; vendor-1 had held section-1-2 for the longest time. Written by supervisor.",
      "A run that resumes it has 4 items to do (section-1-2, section-1-3, section-1-4 had been started); what is done stays done (11).",
      KEPT("supervisor"),
    ],
  ],
  [
    "a ledger that was away",
    scenarioCalled("ledger_blackhole/one-agent").world,
    [
      "run-1 was cancelled 911 s after it began: nobody could find out why, because the ledger did not answer in time. Written by supervisor.",
      "A run that resumes it has 2 items to do (part-2 had been started); what is done stays done (1).",
      NOTHING_KEPT,
    ],
  ],
  [
    "a budget",
    scenarioCalled("budget_exhausted_in_spawn/pipeline").world,
    [
      "run-1 was cancelled 0 s after it began: its budget of tokens was exhausted, 100 were used; nobody held an item then. Written by supervisor.",
      "A run that resumes it has 5 items to do (none of them was started); what is done stays done (0).",
      KEPT("supervisor"),
    ],
  ],
  [
    "a wait cycle",
    scenarioCalled("extra/wait-cycle").world,
    ["run-1 was cancelled 900 s after it began: its agents waited for each other, left for right for left. Written by supervisor.", "A run that resumes it has 2 items to do (join, split had been started); what is done stays done (0).", KEPT("supervisor")],
  ],
  [
    "an operator",
    scenarioCalled("extra/cancelled-at-three-minutes").world,
    [
      "run-1 was cancelled 180 s after it began: an operator ended it; vendor-3 had held section-3-1 for the longest time. Written by operator.",
      "A run that resumes it has 13 items to do (section-1-2, section-2-2, section-3-1 had been started); what is done stays done (2).",
      KEPT("operator"),
    ],
  ],
  [
    "a tool that failed as often as it may be tried",
    { spec: specOf("one-agent"), faults: [{ at: POINTS.inTool, kind: "error", times: 3 }] },
    ["run-1 failed 80 s after it began: nothing is left to try, and part-1 failed for good. Written by supervisor.", "Nothing is left to resume.", NOTHING_KEPT],
  ],
];

describe("a terminal record alone says why the run stopped, what can be resumed, and where to look", () => {
  it.each(READ)("%s", async (_name, world, words) => {
    expect(Object.values(describeRecord(await recordOf(world)))).toEqual(words);
  });
});
