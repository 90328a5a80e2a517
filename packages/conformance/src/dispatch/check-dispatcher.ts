/** Plays every rule of dispatch against one adapter, and a failure again from its line. */
import { type CheckOptions, checkRules } from "../play/check-rules.ts";
import { replayFailure, type ReplayedFailure } from "../play/replay-failure.ts";
import type { ConformanceReport } from "../report/report.ts";
import type { DispatcherAdapter } from "./adapter.ts";
import { checkAdapter } from "./check-adapter.ts";
import { isChecked } from "./rule.ts";
import { DISPATCH_RULES } from "./rules.ts";
import { playableOf } from "./system.ts";

export async function checkDispatcher(given: DispatcherAdapter, options: CheckOptions): Promise<ConformanceReport> {
  const adapter = checkAdapter(given);
  return checkRules(adapter, DISPATCH_RULES, (rule) => playableOf(rule, adapter), options);
}

export async function replayDispatcher(given: DispatcherAdapter, line: string, runner: CheckOptions["runner"]): Promise<ReplayedFailure> {
  const adapter = checkAdapter(given);
  return replayFailure(DISPATCH_RULES.filter(isChecked).map((rule) => playableOf(rule, adapter)), line, runner);
}
