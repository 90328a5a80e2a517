/**
 * The smallest check of an approval: it is of one input, by the fingerprint of that input, and of no other. The input has who acts and what
 * is done; it has neither the session nor the person who sits there, so that those cannot be told apart here. Leaves out who may approve.
 */
import { fingerprint } from "../judge/fingerprint.ts";
import type { Actor } from "./command-kernel.ts";

export const APPROVAL_STALE = "APPROVAL_STALE";

export interface Operation {
  readonly actor: Actor;
  readonly operation: string;
  readonly payload: unknown;
}

export interface Approval {
  readonly id: string;
  readonly digest: string;
}

export interface ApprovedRun {
  /** Whether the approval is of this input. */
  readonly digestEqual: boolean;
  readonly calls: number;
  readonly error: typeof APPROVAL_STALE | null;
  readonly status: "succeeded" | null;
}

export function approve(id: string, operation: Operation): Approval {
  return { id, digest: digestOf(operation) };
}

/** Calls `execute` once if the approval is of this input, and not at all if it is of another. */
export async function runApproved(approval: Approval, operation: Operation, execute: () => Promise<void>): Promise<ApprovedRun> {
  if (digestOf(operation) !== approval.digest) return { digestEqual: false, calls: 0, error: APPROVAL_STALE, status: null };
  await execute();
  return { digestEqual: true, calls: 1, error: null, status: "succeeded" };
}

function digestOf({ actor: { id, role }, operation, payload }: Operation): string {
  return fingerprint({ actor: { id, role }, operation, payload });
}
