/**
 * Appends receipts to a log. Acknowledged is what survives a power loss: the record is whole on a line of its own, its bytes and the name
 * of its file are synced, and nobody had taken over by then. Models writers of one host; leaves out rotation and hosts that share a disk.
 */
import { type Committed, syncDirectory } from "@casebook/file-commit";
import type { DiskFile, Ports } from "@casebook/ports";
import { errorCode } from "@casebook/ports";
import { isKey, parseRecord, type Receipt, RECEIPT_SCHEMA } from "./judge/receipt.ts";
import { MAX_LINE_BYTES } from "./judge/split-lines.ts";
import { encodeUtf8 } from "./judge/text.ts";
import { currentGeneration, placeOf } from "./generation.ts";
import { holdLock, type HeldLock } from "./log-lock.ts";
import { type LogProblem, logProblem, refusedBy } from "./log-problem.ts";
import { type LogTail, readTail } from "./log-tail.ts";
import { type ReceiptPolicies, REFERENCE_POLICIES } from "./policies.ts";

/** What a receipt says, without what its writer adds. */
export type ReceiptDraft = Omit<Receipt, "schema" | "seq" | "epoch" | "atMs">;

export type AppendResult =
  | {
      readonly outcome: "acknowledged";
      readonly receipt: Receipt;
      readonly path: string;
      /** `unsupported`: this disk syncs no directories, so that the name of a new log is durable when the disk likes. */
      readonly directorySync: Committed["directorySync"];
    }
  /** No record of it stands in the log. Of a disk that was full a torn line may. */
  | ({ readonly outcome: "refused" } & LogProblem)
  /** It may stand there, or may not after a power loss: only reading the log tells. */
  | ({ readonly outcome: "unknown" } & LogProblem);

export type WriterPorts = Pick<Ports, "disk" | "clock" | "faults">;

/** Named moments of an append. */
export const RECEIPT_FAULT_POINTS = ["receipt-reader.before-write", "receipt-reader.after-write", "receipt-reader.after-sync"] as const;

export interface ReceiptWriter {
  append(draft: ReceiptDraft): Promise<AppendResult>;
}

/** `path`: of the log; its directory has to be there. */
export function createReceiptWriter(ports: WriterPorts, path: string, policies: ReceiptPolicies = REFERENCE_POLICIES): ReceiptWriter {
  /** Of the careless writer only. */
  let remembered: number | undefined;

  async function append(draft: ReceiptDraft): Promise<AppendResult> {
    const invalid = draftProblem(draft);
    if (invalid !== undefined) return { outcome: "refused", ...invalid };
    try {
      const held = await holdLock(ports, lockOf(path), (lock) => appendUnder(lock, draft));
      return "problem" in held ? { outcome: "refused", ...held.problem } : held.value;
    } catch (refusal) {
      return { outcome: "refused", ...refusedBy(refusal, path, "write") };
    }
  }

  async function appendUnder(lock: HeldLock, draft: ReceiptDraft): Promise<AppendResult> {
    const { path: file } = await currentGeneration(ports.disk, path);
    // In this mode a writer whose time is over can add a line, and never write over one.
    const opened = await ports.disk.open(file, "a+");
    try {
      const tail = await readTail(opened);
      if (tail === undefined) return { outcome: "refused", ...logProblem("LOG_UNSTABLE", `${file} was shortened while its end was read. Nothing was written. Repeat the command`) };
      if (tail.newestSchema !== undefined && policies.unknownVersion === "report") return { outcome: "refused", ...newerVersion(file, tail.newestSchema) };
      const receipt = numbered(draft, tail, lock);
      const unread = unreadProblem(receipt, tail, file);
      if (unread !== undefined) return { outcome: "refused", ...unread };
      await ports.faults.reach("receipt-reader.before-write");
      if (!(await lock.isMine())) return { outcome: "refused", ...lockLost(file, "Nothing was written.") };
      return await write(opened, file, receipt, tail, lock);
    } finally {
      await opened.close().catch(() => undefined);
    }
  }

  function numbered(draft: ReceiptDraft, { highestSeq, highestEpoch, unreadable }: LogTail, { epoch }: HeldLock): Receipt {
    // A line that cannot be read may have had a number that was acknowledged: it is not given again.
    const next = highestSeq + unreadable + 1;
    const seq = policies.sequence === "under-lock" ? next : (remembered ?? next - 1) + 1;
    remembered = seq;
    // A power loss can take the lock's files and leave the log: an epoch never goes back in it.
    return { schema: RECEIPT_SCHEMA, seq, epoch: Math.max(epoch, highestEpoch), ...draft, atMs: ports.clock.now() };
  }

  async function write(opened: DiskFile, file: string, receipt: Receipt, tail: LogTail, lock: HeldLock): Promise<AppendResult> {
    const isFresh = tail.isOpen && policies.append === "fresh-line";
    const bytes = encodeUtf8(`${isFresh ? "\n" : ""}${JSON.stringify(receipt)}\n`);
    const written = await writeAll(opened, bytes);
    if ("refusal" in written) {
      // All but its line feed is a whole record.
      const outcome = written.bytes >= bytes.length - 1 ? "unknown" : "refused";
      return { outcome, ...refusedBy(written.refusal, file, "write") };
    }
    if (policies.acknowledge === "before-sync") return { outcome: "acknowledged", receipt, path: file, directorySync: "done" };
    let directorySync: Committed["directorySync"];
    try {
      await ports.faults.reach("receipt-reader.after-write");
      await opened.sync();
      // Always: whoever made the file may have died before its name was durable.
      directorySync = await syncDirectory(ports.disk, placeOf(file).directory);
      await ports.faults.reach("receipt-reader.after-sync");
      if (!(await lock.isMine())) return { outcome: "unknown", ...lockLost(file, "The record was written, and may stand behind those of the next owner.") };
    } catch (refusal) {
      return { outcome: "unknown", ...refusedBy(refusal, file, "write") };
    }
    return { outcome: "acknowledged", receipt, path: file, directorySync };
  }

  return { append };
}

/** Beside the log, and the same for all its generations. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<{ readonly bytes: number } | { readonly bytes: number; readonly refusal: unknown }> {
  let written = 0;
  try {
    while (written < bytes.length) {
      const taken = await file.write(bytes.subarray(written));
      // It will not get better by asking again, and it is how a full disk answers.
      if (taken <= 0) return { bytes: written, refusal: { code: "ENOSPC" } };
      written += taken;
    }
    return { bytes: written };
  } catch (refusal) {
    if (!/^E[A-Z0-9]+$/.test(errorCode(refusal))) throw refusal;
    return { bytes: written, refusal };
  }
}

export function newerVersion(path: string, schema: number): LogProblem {
  const text = `${path} has records of version ${schema}, and this writer knows ${RECEIPT_SCHEMA}. It is read and not written. Use the newer program`;
  return logProblem("LOG_NEWER_VERSION", text);
}

function lockLost(path: string, what: string): LogProblem {
  return logProblem("LOG_LOCK_LOST", `the lock of ${path} was taken over meanwhile. ${what} It is not acknowledged. Read the log before the command is repeated`);
}

/** What a reader would not take is not acknowledged. */
function unreadProblem(receipt: Receipt, { highestSeq }: LogTail, path: string): LogProblem | undefined {
  if (!Number.isSafeInteger(receipt.seq)) {
    const text = `the highest number in ${path} is ${highestSeq}, and readers take none above it. Nothing was written. Look where that number comes from, and start a new log`;
    return logProblem("LOG_NUMBERS_EXHAUSTED", text);
  }
  if (parseRecord(JSON.parse(JSON.stringify(receipt)))?.kind === "receipt") return undefined;
  return logProblem("RECEIPT_INVALID", "a receipt needs a state, and texts for all that it says. Nothing was written. Fill in what is missing, if only with an empty text");
}

function draftProblem(draft: ReceiptDraft): LogProblem | undefined {
  if (!isKey(draft.key)) return logProblem("RECEIPT_INVALID", "a receipt needs a key of 1 to 200 characters. Nothing was written. Give the command a key");
  const bytes = encodeUtf8(JSON.stringify(draft)).length;
  // A line that no reader would hold.
  if (bytes <= MAX_LINE_BYTES / 2) return undefined;
  return logProblem("RECEIPT_INVALID", `a receipt of ${bytes} bytes is longer than readers take. Nothing was written. Put the content elsewhere and its fingerprint here`);
}
