/** Logs for tests, built line by line. */
import { encodeUtf8, type Receipt } from "@casebook/receipt-reader/judge";

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
