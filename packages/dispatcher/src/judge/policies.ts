/** What a dispatcher does where dispatchers differ. Each word says what happens; a known-bad one is the reference with one changed. */

export interface DispatcherPolicies {
  /** `conflicts`: an id with two places or two texts is nobody's until a person decides. `last-listed`: the last in the listing wins. */
  readonly reader: "conflicts" | "last-listed";
  /**
   * How a record gets its number. `exclusive`: written aside and renamed, so that a number is given once. `last-writer`: over whatever
   * is there. `in-place`: created under its name and then written.
   */
  readonly append: "exclusive" | "last-writer" | "in-place";
  /** Whether a new name survives a power loss before anybody builds on it. */
  readonly directorySync: "before-acknowledging" | "none";
  /** Tries of a rename that the disk refuses. `endless` has no limit; `silent` goes on after the last as if it had been done. */
  readonly retries: "bounded" | "endless" | "silent";
  /** What dead writers left beside the ledger. */
  readonly leftovers: "cleaned" | "kept";
  /** How a task changes its folder. */
  readonly move: "rename" | "copy-then-unlink";
  /** `held-refuses`: nobody takes a lease that another holds. `none`: whoever comes takes it. */
  readonly leaseCheck: "held-refuses" | "none";
  /** What a write under a lease is compared with. */
  readonly fence: "epoch" | "owner" | "none";
  /** Whether two calls for one task in one process go one after the other. */
  readonly turns: "per-task" | "none";
  /** What a second call with the same key finds. */
  readonly keys: "reused" | "fresh-each-call";
  /** How long a runtime that does not answer is waited for. */
  readonly waits: "bounded" | "for-ever";
  /** Which key the runtime is given. */
  readonly startKey: "of-the-attempt" | "fresh-each-start";
  /** What the runtime is asked before a start that may have happened. */
  readonly recovery: "find-by-key" | "start-again" | "assume-running";
  /** Whether the text is read again between intent and start. */
  readonly revisionCheck: "before-start" | "none";
  readonly edits: "detected" | "unnoticed";
  readonly sources: "trusted-only" | "any";
  readonly dependencies: "required" | "ignored";
  readonly gates: "required" | "ignored";
  readonly holds: "respected" | "ignored";
  readonly agents: "one-task-each" | "any-number";
  /** Whether what was not done is written down. */
  readonly blocks: "recorded" | "silent";
  /** What makes a task done. */
  readonly acceptance: "by-review" | "by-report";
  /** Whether who did the work may accept it. */
  readonly selfApproval: "refused" | "accepted";
  readonly moves: "allowed-only" | "any";
  /** Sessions that no attempt explains. */
  readonly orphans: "listed" | "adopted" | "unseen";
  /** What a watcher's event means. `read-again`: look at the facts. `dispatch`: start what it names. */
  readonly events: "read-again" | "dispatch";
  /** How facts get in: events only wake the scan early, or there is one scan at the start and none after it. */
  readonly observation: "events-and-scan" | "events-only";
}

export const REFERENCE_POLICIES: DispatcherPolicies = {
  reader: "conflicts",
  append: "exclusive",
  directorySync: "before-acknowledging",
  retries: "bounded",
  leftovers: "cleaned",
  move: "rename",
  leaseCheck: "held-refuses",
  fence: "epoch",
  turns: "per-task",
  keys: "reused",
  waits: "bounded",
  startKey: "of-the-attempt",
  recovery: "find-by-key",
  revisionCheck: "before-start",
  edits: "detected",
  sources: "trusted-only",
  dependencies: "required",
  gates: "required",
  holds: "respected",
  agents: "one-task-each",
  blocks: "recorded",
  acceptance: "by-review",
  selfApproval: "refused",
  moves: "allowed-only",
  orphans: "listed",
  events: "read-again",
  observation: "events-and-scan",
};
