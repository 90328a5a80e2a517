/** Supervisors that are the reference with one or two policies changed, and the rules that each of them breaks by it. */
import { REFERENCE_POLICIES, type SupervisorPolicies } from "../policies.ts";
import type { SupervisorRule } from "../rules/index.ts";

export { SUPERVISOR_RULES, type SupervisorRule } from "../rules/index.ts";

export interface KnownBadSupervisor {
  readonly name: string;
  readonly policies: SupervisorPolicies;
  readonly breaks: readonly SupervisorRule[];
}

const but = (policies: Partial<SupervisorPolicies>): SupervisorPolicies => ({ ...REFERENCE_POLICIES, ...policies });

export const knownBad: readonly KnownBadSupervisor[] = [
  { name: "diagnoses before it tells anybody", policies: but({ cancelOrder: "classify-first", classification: "unbounded" }), breaks: ["supervision/tells-agents-first", "supervision/diagnosis-has-a-limit"] },
  { name: "writes completion without the predicate", policies: but({ recordWrite: "completion-without-predicate" }), breaks: ["supervision/one-terminal-record"] },
  { name: "goes by the name of an owner", policies: but({ fence: "owner-name" }), breaks: ["supervision/items-terminal", "supervision/finishes-what-can-be-finished", "supervision/refuses-late-writes"] },
  { name: "calls an item done before its artefact is there", policies: but({ finishOrder: "done-first" }), breaks: ["supervision/items-terminal", "supervision/refuses-late-writes"] },
  { name: "tells its own children only", policies: but({ propagation: "own-children", agentStops: "when-told" }), breaks: ["supervision/no-descendant-executing"] },
  { name: "accepts a result whenever it comes", policies: but({ fence: "none" }), breaks: ["supervision/refuses-late-writes"] },
  { name: "takes silence for life", policies: but({ lossEvidence: "close-only" }), breaks: ["supervision/finishes-what-can-be-finished"] },
  { name: "classifies without a limit", policies: but({ classification: "unbounded" }), breaks: ["supervision/diagnosis-has-a-limit"] },
  { name: "cancels at once and calls everything unclassified", policies: but({ patience: "none", classification: "never" }), breaks: ["supervision/finishes-what-can-be-finished", "supervision/says-why"] },
  { name: "checks a budget before it spends", policies: but({ spending: "check-then-spend" }), breaks: ["supervision/within-budget"] },
  { name: "forgets slots and locks", policies: but({ settling: "slots-and-locks-kept" }), breaks: ["supervision/nothing-held"] },
  { name: "forgets what is owed", policies: but({ settling: "obligations-kept" }), breaks: ["supervision/no-open-obligation"] },
  { name: "has no successor", policies: but({ succession: "none" }), breaks: ["supervision/one-terminal-record"] },
];
