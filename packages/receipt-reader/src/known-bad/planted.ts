/** Logs for the rules: lines as the writer writes them, and what becomes of lines. */
import { encodeUtf8, type Receipt } from "@casebook/receipt-reader/judge";
import type { ReceiptDraft } from "@casebook/receipt-reader";
import type { RulePorts } from "./lab.ts";

export const LOG = "/receipts.jsonl";
export const KEY = "command-1";
export const OTHER = "command-2";

export function draft(key: string, state: Receipt["state"]): ReceiptDraft {
  return { key, state, command: "retry", task: "nightly-digest", revision: "r1", actor: "actor-1", payload: "payload-1", reason: state === "completed" ? "done" : "" };
}

/** Without its line feed. */
export function lineOf(seq: number, key: string, state: Receipt["state"]): string {
  return JSON.stringify({ schema: 1, seq, epoch: 1, ...draft(key, state), atMs: 0 } satisfies Receipt);
}

/** What can become of a line. Each can be read no more, and keeps its place. */
export const DAMAGES: Readonly<Record<string, (line: string) => string>> = {
  "cut in the middle": (line) => line.slice(0, Math.floor(line.length / 2)),
  "overwritten with zeros": (line) => "\0".repeat(line.length),
  "changed in one byte": (line) => line.replace('"schema":', '"schema";'),
  "of another shape": (line) => line.replace('"seq":', '"number":'),
};

export const NEWER = (key: string): string => JSON.stringify({ schema: 2, seq: 9, key, status: "done" });

/** Puts bytes there as an outside hand does. */
export async function plant({ disk }: RulePorts, text: string, path = LOG): Promise<void> {
  const bytes = encodeUtf8(text);
  const file = await disk.open(path, "w");
  for (let written = 0; written < bytes.length; ) written += await file.write(bytes.subarray(written), written);
  await file.sync();
  await file.close();
  await disk.syncDirectory("/");
}

export async function bytesAt({ disk }: RulePorts, path = LOG): Promise<Uint8Array> {
  const file = await disk.open(path, "r");
  try {
    const { size } = await file.stat();
    return size === 0 ? new Uint8Array(0) : await file.read(size, 0);
  } finally {
    await file.close();
  }
}

export function joined(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

export function isPrefix(start: Uint8Array, whole: Uint8Array): boolean {
  return start.length <= whole.length && start.every((byte, index) => byte === whole[index]);
}
