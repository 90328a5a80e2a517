/** Stretches of time in which the machine was awake, because something was written then. */
import type { AwakeSpan } from "@casebook/guards";

/** How far around a proof the machine counts as awake: laptops doze off after some minutes without anyone. */
export const AWAKE_AROUND_MS = 5 * 60_000;

/** Sorted and apart. A moment after `nowMs` proves nothing but a wrong clock, and is left out. */
export function awakeSpans(provenAtMs: readonly number[], nowMs: number): AwakeSpan[] {
  const moments = provenAtMs.filter((ms) => Number.isFinite(ms) && ms <= nowMs).sort((one, other) => one - other);
  const spans: { fromMs: number; toMs: number }[] = [];
  for (const ms of moments) {
    const last = spans.at(-1);
    const toMs = Math.min(ms + AWAKE_AROUND_MS, nowMs);
    if (last !== undefined && ms - AWAKE_AROUND_MS <= last.toMs) last.toMs = toMs;
    else spans.push({ fromMs: ms - AWAKE_AROUND_MS, toMs });
  }
  return spans;
}
