/** Every rule against a program in any language, over JSON lines. What it declares it says itself, when it is asked `hello`. */
import { checkAdapter } from "../../dispatch/check-adapter.ts";
import { checkDispatcher, replayDispatcher } from "../../dispatch/check-dispatcher.ts";
import { unchecked } from "../../play/check-rules.ts";
import type { ReplayedFailure } from "../../play/replay-failure.ts";
import { isChecked } from "../../dispatch/rule.ts";
import { DISPATCH_RULES } from "../../dispatch/rules.ts";
import { type ConformanceReport, reportOf, type RuleResult } from "../../report/report.ts";
import type { ConformanceOptions } from "../run-conformance.ts";
import { type Bridge, createBridge, type Manifest } from "./bridge.ts";
import { ChildError, type Program, startChild } from "./child.ts";

/** A program is started anew for every life of every execution: a quarter of the budget in process. */
export const PROGRAM_SHARE = 0.25;

export async function runProgramConformance(program: Program, options: ConformanceOptions = {}): Promise<ConformanceReport> {
  const { share = PROGRAM_SHARE, seed = 1 } = options;
  const hello = await bridgeTo(program);
  if (!("bridge" in hello)) return neverRun(program, hello.reason, hello.says, seed, share);
  try {
    return await checkDispatcher(hello.bridge.adapter, { ...options, share, runner: hello.bridge.runner, distance: "json-lines" });
  } finally {
    hello.bridge.close();
  }
}

/** Best effort: what the program does between two lines is not in the line. */
export async function replayProgramConformance(program: Program, line: string): Promise<ReplayedFailure> {
  const hello = await bridgeTo(program);
  if (!("bridge" in hello)) return { outcome: "not-run", says: hello.says };
  try {
    return await replayDispatcher(hello.bridge.adapter, line, hello.bridge.runner);
  } finally {
    hello.bridge.close();
  }
}

type Hello = { readonly bridge: Bridge } | { readonly reason: "missing-dependency" | "setup-failed"; readonly says: string };

async function bridgeTo(program: Program): Promise<Hello> {
  const child = startChild(program, () => undefined);
  try {
    const line = await child.exchange({ call: 0, do: "hello" });
    const bridge = createBridge(program, (line["return"] ?? {}) as Manifest);
    const { capabilities } = checkAdapter(bridge.adapter);
    if (capabilities.includes("concurrent-calls")) return { reason: "setup-failed", says: "ADAPTER_INVALID: over JSON lines there is one call at a time. Do not declare concurrent-calls." };
    return { bridge };
  } catch (failure) {
    const isMissing = failure instanceof ChildError && failure.code === "ADAPTER_CHILD_MISSING";
    return { reason: isMissing ? "missing-dependency" : "setup-failed", says: failure instanceof Error ? failure.message : String(failure) };
  } finally {
    child.kill();
  }
}

function neverRun({ command }: Program, reason: "missing-dependency" | "setup-failed", says: string, seed: number, share: number): ConformanceReport {
  const rules = DISPATCH_RULES.map((rule): RuleResult => {
    const { number, level, sentence, from } = rule;
    const head = { number, level, sentence, from };
    return isChecked(rule) ? { ...head, verdict: "NOT RUN", reason, says } : unchecked(rule);
  });
  return reportOf({ name: command, version: "not known", capabilities: [] }, rules, { distance: "json-lines", seed, share, selected: "all rules" });
}
