/**
 * Publishes the readable records of a damaged log as its next generation, and keeps the old file as it is, byte for byte. In the place of
 * each line that could not be read stands a tombstone that says so: a repair makes a log readable, and no damage undone. Holds the whole
 * log in memory, which bounds what can be repaired.
 */
import { CommitError, commitFile } from "@casebook/file-commit";
import { errorCode, type Ports } from "@casebook/ports";
import { startsWithMark, withoutMark } from "./judge/byte-order-mark.ts";
import { judgeLine, LONG_LINE } from "./judge/judge-line.ts";
import { RECEIPT_SCHEMA, type Tombstone } from "./judge/receipt.ts";
import { type LinePlace, splitForward } from "./judge/split-lines.ts";
import { encodeUtf8 } from "./judge/text.ts";
import { carelessLine, truncateAtDamage } from "./careless-repair.ts";
import { currentGeneration, type Generation, generationOf, placeOf } from "./generation.ts";
import { holdLock, type HeldLock } from "./log-lock.ts";
import { type LogProblem, logProblem, refusedBy } from "./log-problem.ts";
import { readFully } from "./pieces.ts";
import { type ReceiptPolicies, REFERENCE_POLICIES } from "./policies.ts";
import { lockOf, newerVersion } from "./receipt-writer.ts";

/** 64 MiB. Decided by the file's size, before reading. */
export const MAX_REPAIR_BYTES = 64 * 1024 * 1024;

export type RepairResult =
  | { readonly outcome: "nothing-to-repair"; readonly generation: Generation }
  | {
      readonly outcome: "repaired";
      /** The new file, and the old one, which stays. */
      readonly generation: Generation;
      readonly kept: Generation;
      readonly records: number;
      readonly tombstones: number;
    }
  /** The log is as it was. */
  | ({ readonly outcome: "refused" } & LogProblem)
  /** The new generation is there, or may be, and a power loss can take it back: the old file stays either way. */
  | ({ readonly outcome: "unknown" } & LogProblem);

export type RepairPorts = Pick<Ports, "disk" | "clock" | "ids" | "faults">;

export async function repairLog(ports: RepairPorts, path: string, policies: ReceiptPolicies = REFERENCE_POLICIES): Promise<RepairResult> {
  try {
    const held = await holdLock(ports, lockOf(path), (lock) => repairUnder(ports, path, policies, lock));
    return "problem" in held ? { outcome: "refused", ...held.problem } : held.value;
  } catch (refusal) {
    if (refusal instanceof CommitError) return { outcome: refusal.target === "old" ? "refused" : "unknown", ...logProblem("LOG_WRITE_FAILED", refusal.message) };
    // It took part of the bytes and then none, which is how a full disk answers.
    return { outcome: "refused", ...refusedBy(errorCode(refusal) === "SHORT_WRITE" ? { code: "ENOSPC" } : refusal, path, "write") };
  }
}

async function repairUnder(ports: RepairPorts, path: string, policies: ReceiptPolicies, lock: HeldLock): Promise<RepairResult> {
  const kept = await currentGeneration(ports.disk, path);
  const bytes = await readWhole(ports, kept.path);
  if (!(bytes instanceof Uint8Array)) return { outcome: "refused", ...bytes };
  if (policies.repair === "truncate-at-damage") return truncateAtDamage(ports, kept, bytes);
  const plan = planRepair(bytes, placeOf(kept.path).name, policies);
  if (plan.newestSchema !== undefined) return { outcome: "refused", ...newerVersion(kept.path, plan.newestSchema) };
  if (plan.damaged === 0) return { outcome: "nothing-to-repair", generation: kept };
  if (!(await lock.isMine())) return { outcome: "refused", ...logProblem("LOG_LOCK_LOST", `the lock of ${path} was taken over meanwhile. Nothing was published. Repair again`) };
  const generation = generationOf(path, kept.number + 1);
  await commitFile(ports, generation.path, encodeUtf8(plan.lines.map((line) => `${line}\n`).join("")));
  return { outcome: "repaired", generation, kept, records: plan.lines.length - plan.tombstones, tombstones: plan.tombstones };
}

interface RepairPlan {
  readonly lines: readonly string[];
  readonly tombstones: number;
  readonly damaged: number;
  readonly newestSchema: number | undefined;
}

function planRepair(bytes: Uint8Array, of: string, { repair }: ReceiptPolicies): RepairPlan {
  const lines: string[] = [];
  const counts = { tombstones: 0, damaged: 0 };
  let newestSchema: number | undefined;

  function line(given: Uint8Array | undefined, place: LinePlace): "more" {
    const isMarked = place.byteOffset === 0 && startsWithMark(given);
    const own = isMarked ? withoutMark(given) : given;
    const { records, texts, damage } = own === undefined ? LONG_LINE : judgeLine(own, place.isEnded);
    if (damage !== undefined || isMarked) counts.damaged += 1;
    for (const record of records) if (record.kind === "unsupported") newestSchema = Math.max(newestSchema ?? 0, record.schema);
    // As they stand there: written anew, a number that is too long for one would come out as another.
    lines.push(...texts.map((text) => text.trim()));
    if (damage?.isUnreadable !== true) return "more";
    const { code, mentions, isOnlyCut } = damage;
    const guessed = repair === "complete-torn" ? carelessLine(mentions) : undefined;
    const tombstone: Tombstone = { schema: RECEIPT_SCHEMA, tombstone: { damage: code, of, byteOffset: place.byteOffset, bytes: place.bytes, mentions, isOnlyCut } };
    lines.push(guessed ?? JSON.stringify(tombstone));
    if (guessed === undefined) counts.tombstones += 1;
    return "more";
  }

  const split = splitForward(line);
  split.push(bytes);
  split.end();
  return { lines, ...counts, newestSchema };
}

async function readWhole({ disk }: RepairPorts, path: string): Promise<Uint8Array | LogProblem> {
  const file = await disk.open(path, "r");
  try {
    const { kind, size } = await file.stat();
    if (kind === "directory") return logProblem("LOG_IS_DIRECTORY", `${path} is a directory, where a log should be. Give the path of a file`);
    if (size > MAX_REPAIR_BYTES) return logProblem("LOG_TOO_LARGE", `${path} has ${size} bytes, and a repair holds at most ${MAX_REPAIR_BYTES}. It can be read as it is. Start a new log and keep this one`);
    return size === 0 ? new Uint8Array(0) : ((await readFully(file, size, 0)) ?? logProblem("LOG_UNSTABLE", `${path} was shortened while it was read. Nothing was published. Repair again`));
  } finally {
    await file.close();
  }
}
