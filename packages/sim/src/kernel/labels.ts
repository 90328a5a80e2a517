/** A number for what an operation is, the same in every run and on every machine; computed once for each text. */
import { RunningHash } from "../trace.ts";
import type { OperationPlan } from "./operation.ts";
import type { ProcessState } from "./process-state.ts";

const known = new Map<string, number>();

/** More than this many different texts are a model that puts a counter into names; they are computed each time. */
const MAX_KNOWN = 100_000;

export function labelOf(plan: OperationPlan<unknown>, process: ProcessState): number {
  return ((plan.label ?? callLabel(plan.name, plan.object)) + process.label * 7) | 0;
}

export function callLabel(name: string, object: string): number {
  return (textLabel(name) * 31 + textLabel(object)) | 0;
}

export function textLabel(text: string): number {
  const label = known.get(text);
  if (label !== undefined) return label;
  const hash = new RunningHash();
  hash.text(text);
  const fresh = hash.number() | 0;
  if (known.size < MAX_KNOWN) known.set(text, fresh);
  return fresh;
}
