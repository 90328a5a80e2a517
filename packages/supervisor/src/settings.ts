/** The limits of a supervisor and its agents. Every wait has one; all in milliseconds. */
import type { SupervisorPolicies } from "./policies.ts";

export interface SupervisorSettings {
  readonly policies: SupervisorPolicies;
  readonly leaseMs: number;
  /** An agent renews its lease so often. */
  readonly heartbeatMs: number;
  /** For one call at the ledger, the artefact store, or a message that is to be answered. */
  readonly callMs: number;
  /** An agent's question for work stays open so long, then it asks again. */
  readonly askMs: number;
  /** For finding out why a run stands still. */
  readonly classifyMs: number;
  /** For telling all agents. */
  readonly propagateMs: number;
  /** For the first attempt at writing the end of a run; doubles up to `longestRecordMs`, because an attempt that is given up has still to be served. */
  readonly recordMs: number;
  readonly longestRecordMs: number;
  /** From the deadline: by then the supervisor has written the end, or its successor does. */
  readonly graceMs: number;
  /** So long somebody who is to write the end of a run tries to. From when it begins, and not from the deadline: a clock that jumps must not take it away. */
  readonly patienceMs: number;
  /** For one call of a tool. */
  readonly toolMs: number;
  /** Attempts at an item before it has failed for good. */
  readonly maxAttempts: number;
  /** What beginning an agent costs. */
  readonly spawnTokens: number;
}

export const DEFAULT_SETTINGS: Omit<SupervisorSettings, "policies"> = {
  leaseMs: 90_000,
  heartbeatMs: 30_000,
  callMs: 5_000,
  askMs: 60_000,
  classifyMs: 2_000,
  propagateMs: 1_000,
  recordMs: 2_000,
  longestRecordMs: 60_000,
  graceMs: 20_000,
  patienceMs: 3_600_000,
  // Longer than any run: by default a tool ends with its run.
  toolMs: 86_400_000,
  maxAttempts: 3,
  spawnTokens: 100,
};
