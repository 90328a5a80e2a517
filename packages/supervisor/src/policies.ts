/** What a supervisor and its agents do at each fork, as words. The reference is what the rules demand; the rest is known to be bad. */
export interface SupervisorPolicies {
  /** What a cancellation does first: tell the agents, or find out why the run stands still. */
  readonly cancelOrder: "propagate-first" | "classify-first";
  /** How long finding out may take: two seconds, as long as it takes, or it is not tried. */
  readonly classification: "bounded" | "unbounded" | "never";
  /** Who is told: everybody below the run, or whom the supervisor began itself. */
  readonly propagation: "every-descendant" | "own-children";
  /** When an agent stops by itself: when its lease or the run's time is over, or only when it is told. */
  readonly agentStops: "by-itself" | "when-told";
  /** How long a run may go on: to its deadline, or not at all, which is the safest way to end cleanly. */
  readonly patience: "until-deadline" | "none";
  /** How the end is written: if the run is still running, or, on completion, whatever it is. */
  readonly recordWrite: "conditional" | "completion-without-predicate";
  /** What is given back behind the record. */
  readonly settling: "everything" | "slots-and-locks-kept" | "obligations-kept";
  /** What a write of an agent has to match. */
  readonly fence: "owner-and-epoch" | "owner-name" | "none";
  /** What comes first at the end of an item. */
  readonly finishOrder: "artefact-first" | "done-first";
  /** What counts as the loss of an agent. */
  readonly lossEvidence: "close-or-expiry" | "close-only";
  /** How a budget is spent: in one step with its check, or checked before. */
  readonly spending: "conditional" | "check-then-spend";
  /** What the successor does with a run whose supervisor is gone. */
  readonly succession: "finishes" | "none";
}

export const REFERENCE_POLICIES: SupervisorPolicies = {
  cancelOrder: "propagate-first",
  classification: "bounded",
  propagation: "every-descendant",
  agentStops: "by-itself",
  patience: "until-deadline",
  recordWrite: "conditional",
  settling: "everything",
  fence: "owner-and-epoch",
  finishOrder: "artefact-first",
  lossEvidence: "close-or-expiry",
  spending: "conditional",
  succession: "finishes",
};
