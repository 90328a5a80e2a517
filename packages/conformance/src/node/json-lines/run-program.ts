/** Every rule against a program in any language, over JSON lines. What it is and declares it says itself, when it is asked `hello`. */
import { AdapterError } from "../../adapter-error.ts";
import { checkAdapter } from "../../dispatch/check-adapter.ts";
import { checkDispatcher, replayDispatcher } from "../../dispatch/check-dispatcher.ts";
import { DISPATCH_RULES } from "../../dispatch/rules.ts";
import { type CheckOptions, unchecked } from "../../play/check-rules.ts";
import type { PlayedRule, UncheckedRule } from "../../play/playable.ts";
import type { ReplayedFailure } from "../../play/replay-failure.ts";
import { checkReceiptAdapter, checkReceiptLog, replayReceiptLog } from "../../receipts/check-receipt-log.ts";
import { RECEIPT_LOG_RULES } from "../../receipts/rules.ts";
import { type ConformanceReport, reportOf, type RuleResult } from "../../report/report.ts";
import type { ConformanceOptions } from "../run-conformance.ts";
import { type Bridge, createBridge, dispatcherOver, receiptLogOver } from "./bridge.ts";
import { ChildError, type Program } from "./child.ts";
import { startConversation } from "./conversation.ts";
import { type Kind, type Manifest, PROTOCOL, readHello } from "./protocol.ts";

/** A program is started anew for every life of every execution: a quarter of the budget in process. */
export const PROGRAM_SHARE = 0.25;

/** What is judged, and how. */
interface Judged<Adapter> {
  readonly kind: Kind;
  readonly rules: readonly (PlayedRule | UncheckedRule)[];
  over(bridge: Bridge, manifest: Manifest): Adapter;
  accept(adapter: Adapter): void;
  check(adapter: Adapter, options: CheckOptions): Promise<ConformanceReport>;
  replay(adapter: Adapter, line: string, runner: CheckOptions["runner"]): Promise<ReplayedFailure>;
}

const DISPATCHER: Judged<ReturnType<typeof dispatcherOver>> = { kind: "dispatcher", rules: DISPATCH_RULES, over: dispatcherOver, accept: checkAdapter, check: checkDispatcher, replay: replayDispatcher };
const RECEIPT_LOG: Judged<ReturnType<typeof receiptLogOver>> = { kind: "receipt-log", rules: RECEIPT_LOG_RULES, over: receiptLogOver, accept: checkReceiptAdapter, check: checkReceiptLog, replay: replayReceiptLog };

export const runProgramConformance = (program: Program, options: ConformanceOptions = {}): Promise<ConformanceReport> => run(DISPATCHER, program, options);
export const runReceiptProgramConformance = (program: Program, options: ConformanceOptions = {}): Promise<ConformanceReport> => run(RECEIPT_LOG, program, options);
/** Best effort: what the program does between two lines is not in the line. */
export const replayProgramConformance = (program: Program, line: string): Promise<ReplayedFailure> => replay(DISPATCHER, program, line);
export const replayReceiptProgramConformance = (program: Program, line: string): Promise<ReplayedFailure> => replay(RECEIPT_LOG, program, line);

async function run<Adapter>(judged: Judged<Adapter>, program: Program, options: ConformanceOptions): Promise<ConformanceReport> {
  const { share = PROGRAM_SHARE, seed = 1 } = options;
  const met = await meet(judged, program);
  if (!("bridge" in met)) return neverRun(judged.rules, program, met.reason, met.says, seed, share);
  const { bridge, adapter } = met;
  try {
    return await judged.check(adapter, { ...options, share, runner: bridge.runner, distance: "json-lines" });
  } finally {
    await bridge.close();
  }
}

async function replay<Adapter>(judged: Judged<Adapter>, program: Program, line: string): Promise<ReplayedFailure> {
  const met = await meet(judged, program);
  if (!("bridge" in met)) return { outcome: "not-run", says: met.says };
  try {
    return await judged.replay(met.adapter, line, met.bridge.runner);
  } finally {
    await met.bridge.close();
  }
}

type Met<Adapter> = { readonly bridge: Bridge; readonly adapter: Adapter } | { readonly reason: "missing-dependency" | "setup-failed"; readonly says: string };

async function meet<Adapter>({ kind, over, accept }: Judged<Adapter>, program: Program): Promise<Met<Adapter>> {
  const { command, args } = (program ?? {}) as Partial<Program>;
  if (typeof command !== "string" || command === "" || !Array.isArray(args)) throw new AdapterError(`the program is ${JSON.stringify(program) ?? "undefined"}. Pass { command, args }, such as { command: "python3", args: ["mine.py"] }.`);
  const hello = startConversation(program, { isConcurrent: false, now: () => 0, busy: () => undefined });
  try {
    const manifest = readHello(await hello.hello({ protocol: PROTOCOL }), kind);
    const bridge = createBridge(program, Array.isArray(manifest.capabilities) && manifest.capabilities.includes("concurrent-calls"));
    const adapter = over(bridge, manifest);
    accept(adapter);
    return { bridge, adapter };
  } catch (failure) {
    const isMissing = failure instanceof ChildError && failure.code === "ADAPTER_CHILD_MISSING";
    return { reason: isMissing ? "missing-dependency" : "setup-failed", says: failure instanceof Error ? failure.message : String(failure) };
  } finally {
    hello.stop();
    await hello.gone;
  }
}

function neverRun(all: readonly (PlayedRule | UncheckedRule)[], { command }: Program, reason: "missing-dependency" | "setup-failed", says: string, seed: number, share: number): ConformanceReport {
  const rules = all.map((rule): RuleResult => {
    if (rule.level === "not-checked") return unchecked(rule);
    const { number, level, sentence, from } = rule;
    return { number, level, sentence, from, verdict: "NOT RUN", reason, says };
  });
  return reportOf({ name: command, version: "not known", capabilities: [] }, rules, { distance: "json-lines", seed, share, selected: "all rules" });
}
