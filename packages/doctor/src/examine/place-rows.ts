/**
 * Rows for places that could not be read whole. What was to be looked at and was not is planned and has no verdict: a folder
 * that refuses may hold everything.
 */
import type { DoctorRow } from "../doctor-report.ts";
import type { NotRead, Observation } from "../observation.ts";
import { NO_COUNTS } from "./rows.ts";

/** Folders that are left out on purpose are no limit. */
const ON_PURPOSE = "folders:";

function limitsHit(capped: readonly string[]): readonly string[] {
  return capped.filter((cap) => !cap.startsWith(ON_PURPOSE));
}

/** Not of the candidates: those are files that no layout owns. */
export function searchLimitsHit(capped: readonly string[]): readonly string[] {
  return limitsHit(capped).filter((cap) => !cap.startsWith("candidates:"));
}

export function placeRows({ looked, notRead, capped }: Observation): DoctorRow[] {
  const byPlace = new Map<string, NotRead[]>();
  for (const one of notRead) {
    const place = placeOf(one.what, looked.map(({ path }) => path));
    byPlace.set(place, [...(byPlace.get(place) ?? []), one]);
  }
  for (const { path, found, message = "could not be read" } of looked) {
    if (found === "unreadable" && !byPlace.has(path)) byPlace.set(path, [{ what: path, reason: "missing-input", message, evidence: {} }]);
  }
  const limits = limitsHit(capped);
  return [
    ...[...byPlace].map(([place, missed]) => rowOf(place, missed[0] as NotRead, missed.length)),
    ...(limits.length === 0 ? [] : [{ ...base("limits"), reason: "timed-out" as const, because: `a limit was reached: ${limits.join("; ")}` }]),
  ];
}

/** The narrowest place that holds it. */
function placeOf(what: string, places: readonly string[]): string {
  const holding = places.filter((place) => what === place || what.startsWith(place === "/" ? "/" : `${place}/`));
  return holding.reduce((narrowest, place) => (place.length > narrowest.length ? place : narrowest), holding[0] ?? what);
}

function rowOf(place: string, first: NotRead, times: number): DoctorRow {
  return { ...base(place), reason: first.reason, because: times === 1 ? first.message : `${times} things could not be read, such as: ${first.message}` };
}

function base(place: string) {
  return { subject: place, kind: "place" as const, layout: "", place, verdict: "NOT RUN" as const, ...NO_COUNTS };
}
