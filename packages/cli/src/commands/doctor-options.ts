/** The words of `casebook doctor`, checked. */
import { UsageError } from "../usage-error.ts";

export interface DoctorWords {
  readonly since?: string;
  readonly now?: string;
  readonly json?: true;
  readonly format?: string;
  readonly only?: string;
  readonly selfTest?: true;
  readonly zone?: string;
  readonly registry?: string;
  readonly records?: string;
  readonly id?: string;
  readonly schedule?: string;
  readonly lastRun?: string;
  readonly enabled?: string;
  readonly receipts?: string;
}

export const FORMATS = ["human", "json", "openmetrics"] as const;
export type Format = (typeof FORMATS)[number];

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A span such as `24h` back from now, or an instant. */
export function readSince(word: string, nowMs: number): number {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(word) ?? [];
  const fromMs = amount === undefined ? readInstant(word, "--since") : nowMs - Number(amount) * UNITS[unit as keyof typeof UNITS];
  if (fromMs >= nowMs) throw new UsageError(`--since ${word} is not before now (${new Date(nowMs).toISOString()}). Give a span such as 24h or 7d, or an earlier instant.`);
  return fromMs;
}

/** ISO-8601 with Z or an offset: a moment without one is another moment on every machine. */
export function readInstant(word: string, option: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.exec(word);
  const atMs = match === null ? Number.NaN : Date.parse(word);
  const day = match === null ? undefined : new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
  if (Number.isNaN(atMs) || day?.getUTCDate() !== Number(match?.[3])) {
    throw new UsageError(`${option} knows an instant such as 2026-11-29T09:00:00Z${option === "--since" ? " and spans such as 24h or 7d" : ""}, not ${JSON.stringify(word)}.`);
  }
  return atMs;
}

export function readFormat({ format, json }: DoctorWords): Format {
  if (json === true && format !== undefined && format !== "json") {
    throw new UsageError(`--json and --format ${format} ask for two answers. Give one of them.`);
  }
  const word = json === true ? "json" : (format ?? "human");
  const known = FORMATS.find((one) => one === word);
  if (known === undefined) throw new UsageError(`--format knows ${FORMATS.join(", ")}, not ${JSON.stringify(word)}.`);
  return known;
}

export function readZone(word: string): string {
  try {
    // Throws for a name that is none; offsets such as +02:00 are no zone, because their clocks never change.
    new Intl.DateTimeFormat("en-US", { timeZone: word }).format(0);
    if (/^[+-]/.test(word)) throw new RangeError("an offset");
    return word;
  } catch {
    throw new UsageError(`--zone knows IANA names such as Europe/Lisbon or UTC, not ${JSON.stringify(word)}.`);
  }
}

export function readOnly(word: string | undefined, known: readonly string[]): string[] {
  if (word === undefined) return [];
  const ids = word.split(",").map((id) => id.trim());
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    const meant = known.find((id) => id.split("/")[1] === unknown.split("/").at(-1)) ?? known.find((id) => id.startsWith(unknown.slice(0, 6)));
    throw new UsageError(`no guard ${JSON.stringify(unknown)}. ${meant === undefined ? "" : `Did you mean ${meant}? `}Known: ${known.join(", ")}.`);
  }
  return ids;
}
