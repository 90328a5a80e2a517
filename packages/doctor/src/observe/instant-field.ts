/** One moment as a layout writes it. Says what is wrong with it and, where there is no doubt, what to write instead. */
import { instantOf, type JsonValue } from "@casebook/registry/judge";
import type { TimeUnit } from "../preset.ts";
import { seenField } from "./seen-value.ts";

/** Schedulers of agents and their runs: 2001 to 2100. Outside of it a number is in another unit, or no moment at all. */
const EARLIEST_MS = Date.parse("2001-01-01T00:00:00.000Z");
const LATEST_MS = Date.parse("2100-01-01T00:00:00.000Z");

export type InstantReading =
  | { readonly outcome: "absent" }
  | { readonly outcome: "instant"; readonly atMs: number }
  | {
      readonly outcome: "problem";
      /** `type`: a reader that checks types refuses it. The others it accepts, and takes for another moment. */
      readonly kind: "type" | "unit" | "implausible";
      readonly seen: string;
      readonly wanted: string;
      readonly instead: string | undefined;
    };

export function readInstant(value: JsonValue | undefined, unit: TimeUnit): InstantReading {
  if (value === undefined || value === null) return { outcome: "absent" };
  if (unit === "iso") return readIso(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return problem("type", value, unit, momentOf(value));
  const atMs = unit === "epoch-ms" ? value : value * 1_000;
  if (isPlausible(atMs)) return { outcome: "instant", atMs: Math.floor(atMs) };
  const meantMs = unit === "epoch-ms" ? [value * 1_000, value / 1_000] : [value, value / 1_000_000];
  const meant = meantMs.find(isPlausible);
  return problem(meant === undefined ? "implausible" : "unit", value, unit, meant);
}

function readIso(value: JsonValue): InstantReading {
  if (typeof value !== "string") return problem("type", value, "iso", momentOf(value));
  const atMs = instantOf(value);
  if (atMs === undefined) return problem("type", value, "iso", undefined);
  return isPlausible(atMs) ? { outcome: "instant", atMs } : problem("implausible", value, "iso", undefined);
}

/** The moment that a value in the wrong form names beyond doubt. A date without an offset names none. */
function momentOf(value: JsonValue): number | undefined {
  if (typeof value === "string" && /^\d{9,17}$/.test(value)) return momentOf(Number(value));
  if (typeof value === "string") return [instantOf(value)].find((ms) => ms !== undefined && isPlausible(ms));
  if (typeof value !== "number") return undefined;
  return [value, value * 1_000].find(isPlausible);
}

function isPlausible(ms: number): boolean {
  return Number.isFinite(ms) && ms >= EARLIEST_MS && ms < LATEST_MS;
}

function problem(
  kind: "type" | "unit" | "implausible",
  value: JsonValue,
  unit: TimeUnit,
  meantMs: number | undefined,
): InstantReading {
  const instead = meantMs === undefined ? undefined : written(Math.floor(meantMs), unit);
  return { outcome: "problem", kind, seen: seenField(value), wanted: WANTED[unit], instead };
}

const WANTED: Readonly<Record<TimeUnit, string>> = {
  iso: "an ISO-8601 date and time with Z or an offset, from 2001 to 2100",
  "epoch-ms": "a whole number of milliseconds since 1970, from 2001 to 2100",
  "epoch-s": "a number of seconds since 1970, from 2001 to 2100",
};

function written(ms: number, unit: TimeUnit): string {
  if (unit === "iso") return JSON.stringify(new Date(ms).toISOString());
  return String(unit === "epoch-ms" ? ms : ms / 1_000);
}
