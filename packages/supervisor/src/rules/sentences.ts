/** What a supervisor is held to: by our own scenarios, and by the kit where the supervisor is a stranger's. */

/** The six invariants by the ids of their guards, and what a run looks like beside them. */
export const SUPERVISOR_RULES = {
  "supervision/one-terminal-record": "A run whose time is over has one terminal record.",
  "supervision/no-descendant-executing": "Nobody executes for a run that is over.",
  "supervision/nothing-held": "A run that is over holds no lease, lock or slot.",
  "supervision/no-open-obligation": "Nothing is owed within a run that is over.",
  "supervision/items-terminal": "Every item is terminal, and what is done has an artefact.",
  "supervision/within-budget": "A run uses no more than its budget.",
  "supervision/finishes-what-can-be-finished": "A run with which nothing is wrong completes, and one that lost an agent does too.",
  "supervision/says-why": "The cause on the record is what happened: a wait cycle is a deadlock with its participants.",
  "supervision/tells-agents-first": "Agents are told within a second of the deadline, whatever the ledger does.",
  "supervision/diagnosis-has-a-limit": "Finding out why a run stands still takes two seconds at most; then the end is written without a reason.",
  "supervision/refuses-late-writes": "What an agent writes under an earlier claim changes nothing.",
} as const;

export type SupervisorRule = keyof typeof SUPERVISOR_RULES;
