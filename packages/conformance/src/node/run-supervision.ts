/** One call for plain Node: every rule of supervision against one supervisor. */
import { findRunner } from "@casebook/sim/node";
import type { ReplayedFailure } from "../play/replay-failure.ts";
import type { ConformanceReport } from "../report/report.ts";
import type { SupervisorAdapter } from "../supervision/adapter.ts";
import { checkSupervisor, replaySupervisor } from "../supervision/check-supervisor.ts";
import type { ConformanceOptions } from "./run-conformance.ts";

export async function runSupervisorConformance(adapter: SupervisorAdapter, options: ConformanceOptions = {}): Promise<ConformanceReport> {
  return checkSupervisor(adapter, { ...options, runner: await findRunner() });
}

export async function replaySupervisorConformance(adapter: SupervisorAdapter, line: string): Promise<ReplayedFailure> {
  return replaySupervisor(adapter, line, await findRunner());
}
