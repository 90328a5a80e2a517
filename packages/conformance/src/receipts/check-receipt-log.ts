/** Plays every rule of receipts against one adapter, and a failure again from its line. */
import { AdapterError } from "../adapter-error.ts";
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
  if (typeof adapter !== "object" || adapter === null) throw new AdapterError(`the adapter is ${String(adapter)}. Pass an object with name, version, capabilities and create.`);
  const { name, version, capabilities, create } = adapter as Partial<Record<string, unknown>>;
  if (typeof name !== "string" || name === "" || typeof version !== "string" || version === "") throw new AdapterError("it has no name or no version. A report is about one version of one log.");
  if (typeof create !== "function") throw new AdapterError(`create of ${name} is ${typeof create}. Make it a function of the ports.`);
  const unknown = Array.isArray(capabilities) ? (capabilities as unknown[]).find((one) => typeof one !== "string" || !Object.hasOwn(RECEIPT_CAPABILITIES, one)) : capabilities;
  if (unknown !== undefined || !Array.isArray(capabilities)) throw new AdapterError(`${name} declares ${JSON.stringify(unknown) ?? "nothing"}, which is no capability. There are ${Object.keys(RECEIPT_CAPABILITIES).join(", ")}.`);
}
