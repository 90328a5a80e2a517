/**
 * Takes commands, keeps receipts of them, and does each once as far as its receipts tell. Holds nothing between two commands but what is on
 * the disk, so that a new kernel answers as the old one would. Leaves out dispatch: two kernels that are given one key at the same time
 * both act, and whoever carries it out has to know the key.
 */
import { diagnose, type Diagnosis } from "../judge/diagnosis.ts";
import { fingerprint } from "../judge/fingerprint.ts";
import type { KeyReading } from "../judge/key-reading.ts";
import type { Receipt, ReceiptState } from "../judge/receipt.ts";
import { type ReceiptPolicies, REFERENCE_POLICIES } from "../policies.ts";
import { readReceipts } from "../read-log.ts";
import { createReceiptWriter, type ReceiptDraft, type WriterPorts } from "../receipt-writer.ts";
import { type CommandKind, type Decision, DECISION_TABLE } from "./decision-table.ts";
import { REASONS } from "./reason-codes.ts";

export interface Actor {
  readonly id: string;
  readonly role: string;
}

export interface Command {
  readonly key: string;
  readonly kind: CommandKind;
  readonly task: string;
  /** Of the task, as the sender saw it. */
  readonly revision: string;
  readonly actor: Actor;
  /** What is asked, a JSON value. */
  readonly payload: unknown;
}

/** Whoever carries commands out. */
export interface Executor {
  execute(command: Command): Promise<{ readonly reason: string }>;
  /** What became of a key. Left out: nobody can be asked. */
  lookUp?(key: string): Promise<"finished" | "never-started" | "unknown">;
}

export interface KernelOptions {
  /** Of the log. */
  readonly path: string;
  readonly executor: Executor;
  /** The revision that a task has now, by whoever decides that. */
  readonly revisionOf: (task: string) => string;
  readonly policies?: ReceiptPolicies;
}

export interface KernelAnswer {
  readonly reason: string;
  /** Whether the executor was called for it. */
  readonly actionTaken: boolean;
  readonly diagnosis: Diagnosis;
  readonly decision: Decision;
  /** `null`: no record was found. */
  readonly loadedState: ReceiptState | null;
  /** Whether the end of the action is on record for good. Undefined: there was no action. */
  readonly recorded: boolean | undefined;
}

export interface CommandKernel {
  handle(command: Command): Promise<KernelAnswer>;
}

/** Of an actor: who asks, not from which session. */
export function actorFingerprint({ id, role }: Actor): string {
  return fingerprint({ id, role });
}

export function createCommandKernel(ports: WriterPorts, options: KernelOptions): CommandKernel {
  const { path, executor, revisionOf, policies = REFERENCE_POLICIES } = options;
  const writer = createReceiptWriter(ports, path, policies);

  async function handle(command: Command): Promise<KernelAnswer> {
    const read = await readReceipts(ports, path, command.key, policies);
    const reading = read.outcome === "read" ? read.value : undefined;
    const diagnosis = diagnose(reading);
    const { decision } = policies.decide === "table" ? DECISION_TABLE[diagnosis][command.kind] : stateAlone(diagnosis);
    const loadedState = reading?.found?.receipt.state ?? null;
    const stays = (reason: string, decided: Decision = "explain"): KernelAnswer => ({ reason, actionTaken: false, diagnosis, decision: decided, loadedState, recorded: undefined });

    if (reading === undefined) return stays(REASONS.storeUnavailable);
    const found = reading.found?.receipt;
    if (found !== undefined && !isSame(found, command)) return stays(REASONS.keyConflict);
    if (diagnosis === "completed") return stays(REASONS.replay);
    if (command.kind === "status") return stays(found === undefined ? REASONS.nothingOnRecord : REASONS.stillPending);
    const moved = revisionProblem(found, command);
    if (moved !== undefined) return stays(moved);
    if (decision === "explain") return stays(diagnosis === "unsupported" ? REASONS.versionUnsupported : REASONS.nothingOnRecord);

    const became = decision === "reconcile" ? ((await executor.lookUp?.(command.key)) ?? "unknown") : "never-started";
    if (became === "unknown") return stays(REASONS.needsReconciliation, "reconcile");
    if (became === "finished") {
      const settled = await writer.append(draftOf(command, "completed", REASONS.reconciled));
      return stays(settled.outcome === "acknowledged" ? REASONS.reconciled : REASONS.storeUnavailable, "reconcile");
    }
    return act(command, reading, stays);
  }

  async function act(command: Command, reading: KeyReading, stays: (reason: string) => KernelAnswer): Promise<KernelAnswer> {
    if (reading.found === undefined) {
      const begun = await writer.append(draftOf(command, "pending", ""));
      // What is not on record for good is not begun.
      if (begun.outcome !== "acknowledged") return stays(REASONS.storeUnavailable);
    }
    let reason: string;
    try {
      ({ reason } = await executor.execute(command));
    } catch {
      // It may have happened: its receipt stays pending, and the next command of the key decides.
      return { ...stays(REASONS.outcomeUnknown), actionTaken: true, decision: "act", recorded: false };
    }
    const ended = await writer.append(draftOf(command, "completed", reason));
    return { ...stays(reason), actionTaken: true, decision: "act", recorded: ended.outcome === "acknowledged" };
  }

  /** Looked at before the health of the reading: a task that moved on needs no repeat, whatever cannot be read. */
  function revisionProblem(found: Receipt | undefined, { task, revision }: Command): string | undefined {
    const now = revisionOf(task);
    if (found !== undefined) return found.revision === now ? undefined : REASONS.stateAdvanced;
    return revision === now ? undefined : REASONS.staleRevision;
  }

  function isSame(found: Receipt, command: Command): boolean {
    if (policies.sameCommand === "key-only") return true;
    return found.actor === actorFingerprint(command.actor) && found.payload === payloadOf(command);
  }

  return { handle };
}

/** What a kernel does that looks at the found record only. */
function stateAlone(diagnosis: Diagnosis): { readonly decision: Decision } {
  return { decision: diagnosis === "completed" || diagnosis === "unreadable" ? "explain" : "act" };
}

/** A retry repeats a start: what it is called is no part of what was asked. */
function payloadOf({ task, payload }: Command): string {
  return fingerprint({ task, payload });
}

function draftOf(command: Command, state: ReceiptState, reason: string): ReceiptDraft {
  const { key, kind, task, revision, actor } = command;
  return { key, state, command: kind, task, revision, actor: actorFingerprint(actor), payload: payloadOf(command), reason };
}
