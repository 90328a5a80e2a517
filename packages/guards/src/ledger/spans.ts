/** Stretches of time: put in order and merged once, then asked by bisection. */
import type { AwakeSpan } from "./input.ts";

/** Sorted, without overlaps. A span that ends before it begins, or is no time at all, is left out. */
export function mergedSpans(spans: readonly AwakeSpan[] | undefined): readonly AwakeSpan[] {
  const merged: AwakeSpan[] = [];
  const real = (spans ?? []).filter(({ fromMs, toMs }) => fromMs <= toMs);
  for (const span of real.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last === undefined || span.fromMs > last.toMs) merged.push(span);
    else merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
  }
  return merged;
}

/** Of merged spans, the one that holds this instant, both ends included. */
export function spanAt(merged: readonly AwakeSpan[] = [], atMs: number): AwakeSpan | undefined {
  let low = 0;
  let high = merged.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((merged[middle] as AwakeSpan).fromMs <= atMs) low = middle + 1;
    else high = middle;
  }
  const span = merged[low - 1];
  return span !== undefined && atMs <= span.toMs ? span : undefined;
}
