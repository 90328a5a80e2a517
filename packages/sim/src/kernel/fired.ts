/** Whether what was armed happened: a fault at a point with a spelling mistake tests nothing. */
import { WorldError } from "../world-options.ts";
import { type FaultState, faultText } from "./armed-fault.ts";
import type { Execution } from "./execution.ts";

/** Throws FAULT_NEVER_FIRED for the first armed fault that did not fire. Call it after the end. */
export function assertFired(execution: Execution): void {
  for (const state of execution.faults) {
    if (state.fired === 0) throw new WorldError("FAULT_NEVER_FIRED", neverFiredText(execution, state));
  }
}

function neverFiredText({ faults, seen: { reached } }: Execution, { fault, reaches }: FaultState): string {
  const points = [...reached].map(([point, count]) => `${point} (${times(count)})`).sort();
  const list = points.length === 0 ? "No point was reached." : `Points reached: ${points.join(", ")}.`;
  const [why, what] = reasonOf();
  return `the fault \`${faultText(fault)}\` never fired: ${why}. ${list} ${what}`;

  function reasonOf(): readonly [string, string] {
    const { after, at, process } = fault;
    if (after !== undefined && faults[after]?.fired === 0) return [`fault ${after + 1} did not fire`, `Make fault ${after + 1} fire first.`];
    if (!reached.has(at)) return ["nothing came to that point", "Check the spelling."];
    const whose = `${process === undefined ? "" : ` by ${process}`}${after === undefined ? "" : ` after fault ${after + 1} had fired`}`;
    return [`that point was reached ${times(reaches)}${whose}`, "Arm an earlier reach."];
  }
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
