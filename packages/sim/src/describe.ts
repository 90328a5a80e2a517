/** The short texts in a trace. */
import type { FileStat } from "@casebook/ports";
import { hashOfBytes, RunningHash } from "./hash.ts";

export function describeBytes(position: number, bytes: Uint8Array): string {
  return `${bytes.length} at ${position}: ${hashOfBytes(bytes)}`;
}

export function describeStat(stat: FileStat): string {
  return `${stat.kind} ${stat.size} ${stat.modifiedAtMs}`;
}

/** A list in its order, as a count and a digest: a directory may hold a hundred thousand names. */
export function describeTexts(texts: readonly string[]): string {
  const hash = new RunningHash();
  for (const text of texts) hash.text(text);
  return `${texts.length}: ${hash.digits()}`;
}
