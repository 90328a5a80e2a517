/**
 * The systems of the suite by their names, which stand in every line that replays an execution: a scenario, or the floor, with a
 * dispatcher. F12 has none: its subject is a reporter.
 */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import type { AnySystem } from "@casebook/explore";
import { FLOORS, floorSystem } from "./floor.ts";
import { type Subject, systemOf } from "./play-suite.ts";
import { SCENARIOS } from "./scenarios.ts";

export const REFERENCE: Subject = { name: "reference", policies: {} };

/** `dispatch/F09/reference`, `dispatch/floor/takes-any-lease`. Undefined: there is no such scenario, or no such dispatcher. */
export function systemNamed(name: string): AnySystem | undefined {
  const [suite, place, of, ...more] = name.split("/");
  const subject = [REFERENCE, ...KNOWN_BAD_DISPATCHERS].find((one) => one.name === of);
  if (suite !== "dispatch" || subject === undefined || more.length > 0) return undefined;
  const floor = FLOORS.find((one) => one.place === place);
  if (floor !== undefined) return floorSystem(subject, floor.keys);
  const scenario = SCENARIOS.find(({ id }) => id === place);
  return scenario === undefined ? undefined : systemOf(scenario, subject);
}

/** What `casebook explore dispatch` searches. An execution is some 2,000 steps, so a search of all their orders would not end. */
export const SEARCHABLE: { readonly systems: () => readonly AnySystem[]; readonly budget: number; readonly strategy: "sampled" } = { systems: () => [floorSystem(REFERENCE)], budget: 3, strategy: "sampled" };
