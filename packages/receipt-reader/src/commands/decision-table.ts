/**
 * What each diagnosis lets each command do. A table, because no diagnosis blocks everything: a line that cannot be read stops what it may
 * be about, and nothing else. Models commands of one task; who may give them is another question.
 */
import type { Diagnosis } from "../judge/diagnosis.ts";

/**
 * `act`: do it. `explain`: answer with what is on record, and do nothing. `reconcile`: ask whoever carries it out what became of the key,
 * and do nothing before that is known.
 */
export type Decision = "act" | "explain" | "reconcile";

/**
 * `start`: with a key that was made for it, so that nothing on record can be of it. `retry`: the same command again. `cancel`: twice is
 * as good as once. `status`: looks only.
 */
export const COMMANDS = ["start", "retry", "cancel", "status"] as const;

export type CommandKind = (typeof COMMANDS)[number];

export interface Cell {
  readonly decision: Decision;
  readonly because: string;
}

const REPLAYED: Cell = { decision: "explain", because: "its end is on record, and is the answer" };
const LOOKS: Cell = { decision: "explain", because: "it only looks, and says how healthy the look was" };
const NEWER: Cell = { decision: "explain", because: "a newer program wrote what is newest, and only that one may go on" };
const NO_STORE: Cell = { decision: "explain", because: "what cannot be read cannot be recorded either" };
const FIRST: Cell = { decision: "act", because: "nothing is on record and nothing is unread" };
const AGAIN: Cell = { decision: "act", because: "it was begun, and whoever carries it out knows the key" };
const HIDDEN: Cell = { decision: "reconcile", because: "what cannot be read may be its end" };
const HARMLESS: Cell = { decision: "act", because: "cancelling twice is as good as once, and not cancelling is not" };

export const DECISION_TABLE: Readonly<Record<Diagnosis, Readonly<Record<CommandKind, Cell>>>> = {
  absent: { start: FIRST, retry: FIRST, cancel: { decision: "explain", because: "there is nothing to cancel" }, status: LOOKS },
  "absent-behind-damage": {
    start: { decision: "act", because: "its key is new, so what cannot be read is about others" },
    retry: { decision: "reconcile", because: "what cannot be read may be its beginning, and its end" },
    cancel: HARMLESS,
    status: LOOKS,
  },
  pending: { start: AGAIN, retry: AGAIN, cancel: HARMLESS, status: LOOKS },
  "pending-behind-damage": { start: HIDDEN, retry: HIDDEN, cancel: HARMLESS, status: LOOKS },
  completed: { start: REPLAYED, retry: REPLAYED, cancel: { decision: "explain", because: "it is over" }, status: LOOKS },
  unsupported: { start: NEWER, retry: NEWER, cancel: NEWER, status: LOOKS },
  unreadable: { start: NO_STORE, retry: NO_STORE, cancel: NO_STORE, status: LOOKS },
};
