/** The guards over a receipt log take what a survey answers, as it is: here on logs with one oddity each, and on a healthy one. */
import { receiptsGap, receiptsKeyReuse, receiptsOutOfOrder, receiptsPendingOpen, receiptsStateRegression, receiptsTwoTerminals } from "@casebook/guards";
import { surveyLog } from "@casebook/receipt-reader/judge";
import { expect, it } from "vitest";
import { AT_MS, bytesOf, completed, cut, line, pending } from "./log.fixture.ts";

const HOUR = 3_600_000;

/** Ids of the guards that alarm. */
function alarms(...lines: readonly string[]): string[] {
  const { keys, sequence, receipts } = surveyLog(bytesOf(...lines));
  const log = "receipts.jsonl";
  const pendingBehindCompleted = keys.reduce((sum, key) => sum + key.pendingBehindCompleted, 0);
  return [
    receiptsStateRegression({ keys }),
    receiptsPendingOpen({ keys, graceMs: HOUR, nowMs: AT_MS + 2 * HOUR }),
    receiptsKeyReuse({ keys }),
    receiptsTwoTerminals({ keys }),
    receiptsOutOfOrder({ log, receipts, ...sequence, pendingBehindCompleted }),
    receiptsGap({ log, receipts, gaps: sequence.gaps }),
  ].flatMap((finding) => (finding === undefined ? [] : [finding.guard]));
}

const HEALTHY = [pending("a", 1), completed("a", 2), pending("b", 3), completed("b", 4)];

it.each([
  ["nothing of a healthy log", HEALTHY, []],
  ["nothing of a completed command with damage behind it", [...HEALTHY, "?\n"], []],
  ["a pending command with damage behind it", [pending("a", 1), cut(completed("a", 2))], ["receipts/state-regression", "receipts/pending-open"]],
  ["a pending command that is old", [...HEALTHY, pending("c", 5)], ["receipts/pending-open"]],
  ["a key of two actors", [pending("a", 1), line({ key: "a", seq: 2, actor: "a2", state: "completed" })], ["receipts/key-reuse"]],
  ["two ends", [...HEALTHY, completed("b", 5)], ["receipts/two-terminals"]],
  ["a number that stands twice", [...HEALTHY, pending("c", 4), completed("c", 5)], ["receipts/out-of-order"]],
  ["a beginning behind its end", [completed("a", 1), pending("a", 2)], ["receipts/out-of-order"]],
  ["a number that is missing", [pending("a", 1), completed("a", 3)], ["receipts/gap"]],
  ["a number that is late, and no other one", [completed("a", 1), completed("b", 3), completed("c", 2)], ["receipts/out-of-order"]],
  ["nothing of a number that a damaged line may have had", [pending("a", 1), "?\n", completed("a", 3)], []],
])("say %s", (_what, lines, guards) => {
  expect(alarms(...lines)).toEqual(guards);
});
