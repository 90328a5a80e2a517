/** Logs for tests, built line by line. */
import type { Disk, DiskFile, Ports } from "@casebook/ports";
import type { ReceiptDraft } from "@casebook/receipt-reader";
import { encodeUtf8, type Receipt } from "@casebook/receipt-reader/judge";
import { looselyDecoded } from "./judge/text.ts";

export const AT_MS = Date.parse("2026-03-01T00:00:00Z");

export function receiptOf(some: Partial<Receipt> = {}): Receipt {
  return {
    schema: 1,
    seq: 1,
    epoch: 1,
    key: "k1",
    state: "pending",
    command: "retry",
    task: "digest",
    revision: "r1",
    actor: "a1",
    payload: "p1",
    reason: "",
    atMs: AT_MS,
    ...some,
  };
}

/** With its line feed. */
export function line(some: Partial<Receipt> = {}): string {
  return `${JSON.stringify(receiptOf(some))}\n`;
}

export const pending = (key: string, seq: number): string => line({ key, seq });
export const completed = (key: string, seq: number): string => line({ key, seq, state: "completed", reason: "done" });

/** The first part of a line, and a line feed: a record that ends too early. */
export function cut(text: string, at = 60): string {
  return `${text.slice(0, at)}\n`;
}

export function bytesOf(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const all = parts.map((part) => (typeof part === "string" ? encodeUtf8(part) : part));
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export const LOG = "/receipts.jsonl";

export function draftOf(key: string, state: Receipt["state"] = "pending"): ReceiptDraft {
  return { key, state, command: "retry", task: "digest", revision: "r1", actor: "a1", payload: "p1", reason: "" };
}

/** Puts bytes there as an outside hand does. */
export async function plant({ disk }: Pick<Ports, "disk">, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(path, "w");
  await file.write(bytes);
  await file.close();
}

export async function textAt({ disk }: Pick<Ports, "disk">, path: string): Promise<string> {
  const file = await disk.open(path, "r");
  const bytes = await file.read(10_000_000, 0);
  await file.close();
  return looselyDecoded(bytes);
}

/** Ports whose disk answers differently in one thing. */
export function withDisk<P extends Pick<Ports, "disk">>(ports: P, replaced: Partial<Disk>): P {
  return { ...ports, disk: { ...ports.disk, ...replaced } };
}

/** And whose files at one path do. */
export function withFile<P extends Pick<Ports, "disk">>(ports: P, path: string, replace: (file: DiskFile) => Partial<DiskFile>): P {
  return withDisk(ports, {
    open: async (at, flags) => {
      const file = await ports.disk.open(at, flags);
      return at === path ? { ...file, ...replace(file) } : file;
    },
  });
}
