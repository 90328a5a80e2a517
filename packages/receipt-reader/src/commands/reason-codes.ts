/** How a command ends, as words that never change. The first six are those that the published observations of case 008 use. */
export const REASONS = {
  replay: "idempotent_replay",
  callback: "synthetic_callback",
  staleRevision: "stale_task_revision",
  storeUnavailable: "task_command_receipt_store_unavailable",
  stateAdvanced: "pending_command_observed_state_advance",
  keyConflict: "idempotency_key_conflict",
  needsReconciliation: "receipt_damage_needs_reconciliation",
  versionUnsupported: "receipt_version_unsupported",
  nothingOnRecord: "no_receipt_on_record",
  stillPending: "receipt_pending",
  reconciled: "reconciled_as_finished",
  outcomeUnknown: "execution_outcome_unknown",
} as const;

export type Reason = (typeof REASONS)[keyof typeof REASONS];
