/**
 * The first-round rows of case 008 as scenes over ports: a command is handled, its receipts are damaged, and a new kernel is given the same
 * command. Each row is one change. Parameters: the policies, and how a record is damaged. Counts callbacks and effects, which are two layers.
 */
import { type DiskFile, DiskError } from "@casebook/ports";
import { decodeUtf8, encodeUtf8 } from "../judge/text.ts";
import { type ReceiptPolicies, REFERENCE_POLICIES } from "../policies.ts";
import { readFully } from "../pieces.ts";
import { readReceipts } from "../read-log.ts";
import type { WriterPorts } from "../receipt-writer.ts";
import { actorFingerprint, type Command, createCommandKernel, type Executor, type KernelAnswer } from "./command-kernel.ts";
import { REASONS } from "./reason-codes.ts";

/** `cut`: half of it and a line feed. `zeros`: as many zeros as it had bytes. `changed`: one byte, so that it is no JSON. */
export type RowDamage = "cut" | "zeros" | "changed";

type Edit = (lines: readonly string[], damaged: (line: string) => string) => readonly string[];

interface ReceiptRow {
  readonly change: string;
  /** Of the two lines of the log. */
  readonly edit: Edit;
  readonly revision?: "advanced";
  readonly reader?: "throws";
  readonly executor?: "deduplicates";
  readonly actor?: "another";
}

const [INTACT, COMPLETION, BOTH]: readonly Edit[] = [
  (lines) => lines,
  ([pending = "", completed = ""], damaged) => [pending, damaged(completed)],
  (lines, damaged) => lines.map(damaged),
] as const satisfies readonly Edit[];

export const RECEIPT_ROWS = {
  R0: { change: "intact completion", edit: INTACT as Edit },
  R1: { change: "unrelated malformed line only", edit: (lines) => [...lines, "this is no record"] },
  R2: { change: "completion damaged, pending intact", edit: COMPLETION as Edit },
  R3: { change: "both target receipts damaged", edit: BOTH as Edit },
  R4: { change: "both damaged, current task revision advanced", edit: BOTH as Edit, revision: "advanced" },
  R5: { change: "reader explicitly throws", edit: INTACT as Edit, reader: "throws" },
  R6: { change: "completion carries an unsupported schema version", edit: ([pending = "", completed = ""]) => [pending, completed.replace('"schema":1', '"schema":2')] },
  R7: { change: "completion damaged, pending intact, revision advanced", edit: COMPLETION as Edit, revision: "advanced" },
  R8: { change: "completion damaged, executor deduplicates by key", edit: COMPLETION as Edit, executor: "deduplicates" },
  A4: { change: "same command key, another actor", edit: INTACT as Edit, actor: "another" },
} as const satisfies Readonly<Record<string, ReceiptRow>>;

export type ReceiptRowId = keyof typeof RECEIPT_ROWS;

export interface ReceiptRowFacts {
  /** By a reader that was not made to throw. */
  readonly loadedState: KernelAnswer["loadedState"];
  readonly secondReason: string;
  readonly secondActionTaken: boolean;
  /** Calls of the executor, and what it did: cumulative, with the first command's. */
  readonly callbacks: number;
  readonly effects: number;
  /** Whether the bytes that were there before the second command are there after it. */
  readonly bytesPreserved: boolean;
  readonly actorFingerprintEqual: boolean;
}

export interface RowOptions {
  readonly policies?: ReceiptPolicies;
  readonly damage?: RowDamage;
  /** Of the log; its directory has to be there. */
  readonly path?: string;
  /** Is called when the damage is done and nobody has retried yet. */
  readonly beforeSecond?: () => Promise<void>;
}

export async function playReceiptRow(ports: WriterPorts, id: ReceiptRowId, options: RowOptions = {}): Promise<ReceiptRowFacts> {
  const { policies = REFERENCE_POLICIES, damage = "cut", path = "/receipts.jsonl" } = options;
  const row: ReceiptRow = RECEIPT_ROWS[id];
  const executor = countingExecutor(row.executor === "deduplicates");
  let revision = "r1";
  const kernel = (over: WriterPorts) => createCommandKernel(over, { path, executor, revisionOf: () => revision, policies });
  const command: Command = { key: "command-1", kind: "retry", task: "nightly-digest", revision, actor: { id: "ADMIN", role: "ADMIN" }, payload: { retry: true } };

  await kernel(ports).handle(command);
  const lines = textOf(await bytesAt(ports, path)).split("\n").slice(0, -1);
  const before = encodeUtf8(row.edit(lines, (line) => damageLine(line, damage)).map((line) => `${line}\n`).join(""));
  await plant(ports, path, before);
  await options.beforeSecond?.();

  if (row.revision === "advanced") revision = "r2";
  const loaded = await readReceipts(ports, path, command.key, policies);
  const actor = row.actor === "another" ? { id: "OPS", role: "ADMIN" } : command.actor;
  const second = await kernel(row.reader === "throws" ? withThrowingReads(ports, path) : ports).handle({ ...command, actor });
  const after = await bytesAt(ports, path);
  return {
    loadedState: loaded.outcome === "read" ? (loaded.value.found?.receipt.state ?? null) : null,
    secondReason: second.reason,
    secondActionTaken: second.actionTaken,
    ...executor.counts(),
    bytesPreserved: before.every((byte, index) => byte === after[index]),
    actorFingerprintEqual: actorFingerprint(actor) === actorFingerprint(command.actor),
  };
}

function countingExecutor(deduplicates: boolean): Executor & { counts(): { callbacks: number; effects: number } } {
  let callbacks = 0;
  let effects = 0;
  const known = new Set<string>();
  return {
    async execute({ key }) {
      callbacks += 1;
      if (!deduplicates || !known.has(key)) effects += 1;
      known.add(key);
      return { reason: REASONS.callback };
    },
    counts: () => ({ callbacks, effects }),
  };
}

function damageLine(line: string, damage: RowDamage): string {
  if (damage === "cut") return line.slice(0, Math.floor(line.length / 2));
  return damage === "zeros" ? "\0".repeat(line.length) : line.replace('"schema":', '"schema";');
}

/** As an outside hand does it, and not as the model writes. */
async function plant({ disk }: WriterPorts, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(path, "w");
  for (let written = 0; written < bytes.length; ) written += await file.write(bytes.subarray(written), written);
  await file.close();
}

async function bytesAt({ disk }: WriterPorts, path: string): Promise<Uint8Array> {
  const file = await disk.open(path, "r");
  try {
    const { size } = await file.stat();
    return (await readFully(file, size, 0)) ?? new Uint8Array(0);
  } finally {
    await file.close();
  }
}

function textOf(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? "";
}

/** The reads of one file fail, as a broken disk makes them. */
function withThrowingReads(ports: WriterPorts, path: string): WriterPorts {
  const broken = (file: DiskFile): DiskFile => ({
    read: () => Promise.reject(new DiskError("EIO", "read", path)),
    write: (bytes, position) => file.write(bytes, position),
    truncate: (size) => file.truncate(size),
    sync: () => file.sync(),
    stat: () => file.stat(),
    close: () => file.close(),
  });
  const { disk } = ports;
  return {
    // Named, because the ports of a process are made when they are asked for and a spread of them has none.
    clock: ports.clock,
    faults: ports.faults,
    disk: {
      open: async (at, flags) => (at === path ? broken(await disk.open(at, flags)) : disk.open(at, flags)),
      rename: (from, to) => disk.rename(from, to),
      unlink: (at) => disk.unlink(at),
      mkdir: (at) => disk.mkdir(at),
      rmdir: (at) => disk.rmdir(at),
      readdir: (at) => disk.readdir(at),
      stat: (at) => disk.stat(at),
      syncDirectory: (at) => disk.syncDirectory(at),
    },
  };
}
