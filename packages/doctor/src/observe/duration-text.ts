/** A span of time as people write it: `5m`, `1h30m`, `90 minutes`, `PT15M`. Months and years are no spans. */

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|milliseconds?)$/, 1],
  [/^(s|secs?|seconds?)$/, 1_000],
  [/^(m|mins?|minutes?)$/, 60_000],
  [/^(h|hrs?|hours?)$/, 3_600_000],
  [/^(d|days?)$/, 86_400_000],
  [/^(w|weeks?)$/, 7 * 86_400_000],
];

const MAX_LENGTH = 40;

/** In milliseconds; undefined for what is no span above zero. */
export function durationOf(text: string): number | undefined {
  const plain = text.trim().toLowerCase();
  if (plain.length > MAX_LENGTH) return undefined;
  const iso = /^p(?:(\d+)w)?(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)?$/.exec(plain);
  const totalMs = iso === null ? worded(plain) : [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000].reduce((sum, ms, index) => sum + ms * Number(iso[index + 1] ?? 0), 0);
  return totalMs !== undefined && totalMs > 0 && Number.isSafeInteger(totalMs) ? totalMs : undefined;
}

function worded(plain: string): number | undefined {
  const parts = [...plain.replace(/^every\s+/, "").matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/gy)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join("") !== plain.replace(/^every\s+/, "")) return undefined;
  const sizes = parts.map(([, amount, unit = ""]) => Number(amount) * (UNITS.find(([name]) => name.test(unit))?.[1] ?? Number.NaN));
  return sizes.reduce((sum, ms) => sum + ms, 0);
}
