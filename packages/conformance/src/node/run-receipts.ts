/** One call for plain Node: every rule of receipts against one log. */
import { findRunner } from "@casebook/sim/node";
import type { ReplayedFailure } from "../play/replay-failure.ts";
import type { ReceiptLogAdapter } from "../receipts/adapter.ts";
import { checkReceiptLog, replayReceiptLog } from "../receipts/check-receipt-log.ts";
import type { ConformanceReport } from "../report/report.ts";
import type { ConformanceOptions } from "./run-conformance.ts";

export async function runReceiptConformance(adapter: ReceiptLogAdapter, options: ConformanceOptions = {}): Promise<ConformanceReport> {
  return checkReceiptLog(adapter, { ...options, runner: await findRunner() });
}

export async function replayReceiptConformance(adapter: ReceiptLogAdapter, line: string): Promise<ReplayedFailure> {
  return replayReceiptLog(adapter, line, await findRunner());
}
