/** The guards over dispatched work, each root and each store for itself. */
import type { LayoutObservation } from "../observation.ts";
import { lifecycleAlarms } from "./lifecycle-alarms.ts";
import type { Raised } from "./raised.ts";
import { runAlarms } from "./run-alarms.ts";
import { storeAlarms } from "./store-alarms.ts";

export function dispatchAlarms({ dispatch = [] }: LayoutObservation, nowMs: number): Raised[] {
  return dispatch.flatMap((one) => {
    if (one.kind === "run-ledger") return runAlarms(one, nowMs);
    return one.kind === "lifecycle" ? lifecycleAlarms(one, nowMs) : storeAlarms(one, nowMs);
  });
}

export function isDispatchGuard(id: string): boolean {
  return id.startsWith("dispatch/") || id.startsWith("supervision/");
}
