/** A number for what an operation is, the same in every run and on every machine; computed once for each text. */
import { RunningHash } from "../trace.ts";
import type { OperationPlan } from "./operation.ts";
import type { ProcessState } from "./process-state.ts";

const known = new Map<string, number>();

/** More than this many different texts are a model that puts a counter into names; they are computed each time. */
const MAX_KNOWN = 100_000;

export function labelOf(plan: OperationPlan<unknown>, process: ProcessState): number {
  return (textLabel(plan.name) * 31 + textLabel(plan.object) + textLabel(process.name) * 7) | 0;
}

function textLabel(text: string): number {
  const label = known.get(text);
  if (label !== undefined) return label;
  const hash = new RunningHash();
  hash.text(text);
  const fresh = Number.parseInt(hash.digits().slice(0, 8), 16) | 0;
  if (known.size < MAX_KNOWN) known.set(text, fresh);
  return fresh;
}
