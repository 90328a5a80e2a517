/** Plays every rule of supervision against one adapter, and a failure again from its line. */
import { AdapterError } from "../adapter-error.ts";
import { checkCapabilities, manifestOf } from "../manifest.ts";
import { type CheckOptions, checkRules } from "../play/check-rules.ts";
import { replayFailure, type ReplayedFailure } from "../play/replay-failure.ts";
import type { ConformanceReport } from "../report/report.ts";
import { SUPERVISOR_CAPABILITIES, type SupervisorAdapter } from "./adapter.ts";
import { SUPERVISION_RULES } from "./rules.ts";
import { playableOf } from "./system.ts";

export async function checkSupervisor(adapter: SupervisorAdapter, options: CheckOptions): Promise<ConformanceReport> {
  checkAdapter(adapter);
  return checkRules(adapter, SUPERVISION_RULES, (rule) => playableOf(rule, adapter), options);
}

export async function replaySupervisor(adapter: SupervisorAdapter, line: string, runner: CheckOptions["runner"]): Promise<ReplayedFailure> {
  checkAdapter(adapter);
  return replayFailure(SUPERVISION_RULES.flatMap((rule) => (rule.level === "not-checked" ? [] : [playableOf(rule, adapter)])), line, runner);
}

function checkAdapter(adapter: unknown): void {
  const { name, version, capabilities, create, read } = manifestOf(adapter, ["name", "version", "capabilities", "create", "read"], "name, version, capabilities, create and read");
  if (typeof name !== "string" || name === "" || typeof version !== "string" || version === "") throw new AdapterError("it has no name or no version. A report is about one version of one supervisor.");
  if (typeof create !== "function") throw new AdapterError(`create of ${name} is ${typeof create}. Make it a function of the ports.`);
  if (typeof read !== "function") throw new AdapterError(`read of ${name} is ${typeof read}. Make it a function of the ledger and the run.`);
  checkCapabilities(name, capabilities, SUPERVISOR_CAPABILITIES);
}
