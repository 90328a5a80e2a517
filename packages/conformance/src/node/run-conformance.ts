/** One call for plain Node: every rule against one adapter, with the fast runner where this Node has it. */
import { findRunner } from "@casebook/sim/node";
import { checkDispatcher, replayDispatcher } from "../dispatch/check-dispatcher.ts";
import type { DispatcherAdapter } from "../dispatch/adapter.ts";
import type { CheckOptions } from "../play/check-rules.ts";
import type { ReplayedFailure } from "../play/replay-failure.ts";
import type { ConformanceReport } from "../report/report.ts";

export type ConformanceOptions = Omit<CheckOptions, "runner" | "distance">;

export async function runConformance(adapter: DispatcherAdapter, options: ConformanceOptions = {}): Promise<ConformanceReport> {
  return checkDispatcher(adapter, { ...options, runner: await findRunner() });
}

/** `line`: what stands behind `replay` in a failure. */
export async function replayConformance(adapter: DispatcherAdapter, line: string): Promise<ReplayedFailure> {
  return replayDispatcher(adapter, line, await findRunner());
}
