/** The moments of a registry as the time-unit guard wants them: those that read well, and those that do not. */
import type { MomentUnit, RegistryTimeUnitFacts } from "@casebook/guards";
import type { FieldProblem, TaskObservation } from "../observation.ts";

/** Problems about how a moment is written; their entries load all the same. */
export const TIME_CODES: ReadonlySet<string> = new Set(["TIME_UNIT", "TIME_IMPLAUSIBLE"]);

export function momentFacts(tasks: readonly TaskObservation[]): RegistryTimeUnitFacts["moments"] {
  return tasks.flatMap((task) => [
    ...readMoments(task).map(([field, atMs]) => ({ entry: task.id, field, written: "epoch-ms" as const, wanted: "epoch-ms" as const, atMs })),
    ...task.problems.filter(({ code }) => TIME_CODES.has(code)).map((problem) => ({ entry: task.id, ...oddMoment(problem) })),
  ]);
}

/** What was read well has the unit of its field; which one that is does not matter any more. */
function readMoments({ schedule, lastRun, createdAtMs }: TaskObservation): [string, number][] {
  return [
    ...(schedule?.kind === "once" ? [["schedule", schedule.atMs] as [string, number]] : []),
    ...(lastRun === undefined ? [] : [["lastRun", lastRun.atMs] as [string, number]]),
    ...(createdAtMs === undefined ? [] : [["created", createdAtMs] as [string, number]]),
  ];
}

function oddMoment({ code, place, seen, wanted }: FieldProblem) {
  const field = place.pointer?.split("/").at(-1) ?? "a moment";
  const unit = unitOf(wanted);
  if (code === "TIME_UNIT") {
    const written: MomentUnit = unit === "epoch-ms" ? "epoch-s" : "epoch-ms";
    return { field, written, wanted: unit, atMs: undefined };
  }
  return { field, written: unit, wanted: unit, atMs: momentIn(seen, unit) };
}

/** Of `number 12` or `text "0001-01-01T00:00:00Z"`, in milliseconds; a number that is no instant stays a number. */
function momentIn(seen: string, unit: MomentUnit): number {
  if (unit === "iso") return Date.parse(/"(.*)"/.exec(seen)?.[1] ?? "");
  return Number(/-?[\d.]+(?:e[+-]?\d+)?/.exec(seen)?.[0]) * (unit === "epoch-s" ? 1_000 : 1);
}

function unitOf(wanted: string): MomentUnit {
  if (wanted.includes("milliseconds")) return "epoch-ms";
  return wanted.includes("seconds") ? "epoch-s" : "iso";
}
