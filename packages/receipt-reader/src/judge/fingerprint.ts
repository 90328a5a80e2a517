/**
 * A short name for a value: 64 bits of FNV-1a over its JSON, keys sorted. Tells apart what accidents make differ. It is no seal: whoever
 * wants two values with one fingerprint finds them.
 */
import { encodeUtf8 } from "./text.ts";

/** Sixteen hexadecimal digits. Values are JSON values; what JSON leaves out is left out here. */
export function fingerprint(value: unknown): string {
  const bytes = encodeUtf8(JSON.stringify(sorted(value)) ?? "");
  return [0x811c9dc5, 0xcbf29ce4].map((seed) => hash(bytes, seed).toString(16).padStart(8, "0")).join("");
}

function hash(bytes: Uint8Array, seed: number): number {
  let state = seed;
  for (const byte of bytes) state = Math.imul(state ^ byte, 0x01000193);
  // FNV leaves the last bytes in the low bits only; this spreads them.
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  return (state ^ (state >>> 13)) >>> 0;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}
