/** Plays every rule of receipts against one adapter, and a failure again from its line. */
import { AdapterError } from "../adapter-error.ts";
import { checkCapabilities, manifestOf } from "../manifest.ts";
import { type CheckOptions, checkRules } from "../play/check-rules.ts";
import { replayFailure, type ReplayedFailure } from "../play/replay-failure.ts";
import type { ConformanceReport } from "../report/report.ts";
import { RECEIPT_CAPABILITIES, type ReceiptLogAdapter } from "./adapter.ts";
import { RECEIPT_LOG_RULES } from "./rules.ts";
import { playableOf } from "./system.ts";

export async function checkReceiptLog(adapter: ReceiptLogAdapter, options: CheckOptions): Promise<ConformanceReport> {
  checkReceiptAdapter(adapter);
  return checkRules(adapter, RECEIPT_LOG_RULES, (rule) => playableOf(rule, adapter), options);
}

export async function replayReceiptLog(adapter: ReceiptLogAdapter, line: string, runner: CheckOptions["runner"]): Promise<ReplayedFailure> {
  checkReceiptAdapter(adapter);
  return replayFailure(RECEIPT_LOG_RULES.flatMap((rule) => (rule.level === "not-checked" ? [] : [playableOf(rule, adapter)])), line, runner);
}

export function checkReceiptAdapter(adapter: unknown): void {
  const { name, version, capabilities, create } = manifestOf(adapter, ["name", "version", "capabilities", "create"], "name, version, capabilities and create");
  if (typeof name !== "string" || name === "" || typeof version !== "string" || version === "") throw new AdapterError("it has no name or no version. A report is about one version of one log.");
  if (typeof create !== "function") throw new AdapterError(`create of ${name} is ${typeof create}. Make it a function of the ports.`);
  checkCapabilities(name, capabilities, RECEIPT_CAPABILITIES);
}
