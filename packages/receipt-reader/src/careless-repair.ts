/** Repairs that are known to be wrong, kept to show what they cost. */
import { commitFile, type CommitPorts } from "@casebook/file-commit";
import type { Generation } from "./generation.ts";
import { judgeLine } from "./judge/judge-line.ts";
import { RECEIPT_SCHEMA } from "./judge/receipt.ts";
import { splitForward } from "./judge/split-lines.ts";
import type { RepairResult } from "./repair-log.ts";

/** The file ends before its first bad line from now on: that line is gone, and every good one behind it. */
export async function truncateAtDamage(ports: CommitPorts, generation: Generation, bytes: Uint8Array): Promise<RepairResult> {
  let end = bytes.length;
  let records = 0;
  const lines = splitForward((line, { byteOffset, isEnded }) => {
    const judged = line === undefined ? undefined : judgeLine(line, isEnded);
    if (judged !== undefined && judged.damage === undefined) {
      records += judged.records.length;
      return "more";
    }
    end = byteOffset;
    return "enough";
  });
  if (lines.push(bytes) === "more") lines.end();
  if (end === bytes.length) return { outcome: "nothing-to-repair", generation };
  await commitFile(ports, generation.path, bytes.subarray(0, end));
  return { outcome: "repaired", generation, kept: generation, records, tombstones: 0 };
}

/** Says of a cut record what it most likely said: the completion that nobody has seen. */
export function carelessLine([key]: readonly string[]): string | undefined {
  if (key === undefined) return undefined;
  return JSON.stringify({ schema: RECEIPT_SCHEMA, seq: 1, epoch: 1, key, state: "completed", command: "", task: "", revision: "", actor: "", payload: "", reason: "repaired", atMs: 0 });
}
