/**
 * The rows of the ledger that a run consists of. Every row but those of slots and locks names its run. Times are milliseconds since
 * 1970. A field that is not set yet is null.
 */
import type { Cause, Counter, RunState } from "../rules/index.ts";

export const TABLES = ["runs", "items", "agents", "obligations", "locks", "waits", "slots", "records"] as const;
export type Table = (typeof TABLES)[number];

export interface RunRow {
  readonly id: string;
  readonly state: RunState;
  readonly cause: Cause | null;
  /** The supervision that began it; another one leaves it alone. */
  readonly begunBy: string;
  /** Its process, to whom agents report. */
  readonly supervisor: string;
  readonly startedAtMs: number;
  readonly deadlineAtMs: number;
  readonly itemsTotal: number;
  readonly itemsDone: number;
  readonly itemsFailed: number;
  readonly obligationsOpen: number;
  readonly agents: number;
  readonly tokens: number;
  readonly toolCalls: number;
  readonly maxAgents: number;
  readonly maxTokens: number;
  readonly maxToolCalls: number;
  /** Whether everything that it held was given back after its record was written. */
  readonly isSettled: boolean;
}

/** `dropped`: neither done nor failed when the run ended; what a resumed run does. */
export const ITEM_STATUSES = ["open", "claimed", "done", "failed", "dropped"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];
export const TERMINAL_ITEM_STATUSES: readonly ItemStatus[] = ["done", "failed", "dropped"];

/** With the lease on it: owner, epoch and expiry. The epoch counts its claims. */
export interface ItemRow {
  readonly id: string;
  readonly run: string;
  readonly name: string;
  /** In the order in which they are handed out. */
  readonly position: number;
  readonly status: ItemStatus;
  /** Ids of items that have to be done before. */
  readonly needs: readonly string[];
  /** Held while it is worked on, taken in this order. */
  readonly locks: readonly string[];
  readonly toolMs: number;
  readonly tokens: number;
  readonly owner: string | null;
  readonly epoch: number;
  /** Of the last claim whose work the run was charged for; 0 if none was. */
  readonly chargedEpoch: number;
  readonly claimedAtMs: number;
  readonly expiresAtMs: number;
  readonly uri: string | null;
}

export interface AgentRow {
  readonly id: string;
  readonly run: string;
  readonly name: string;
  readonly parent: string;
  readonly process: string;
  readonly owner: string;
  readonly status: "running" | "ended" | "lost";
}

/** Somebody owes something: an item, or the end of an agent. */
export interface ObligationRow {
  readonly id: string;
  readonly run: string;
  readonly debtor: string;
  readonly creditor: string;
  readonly kind: "item" | "agent";
  readonly status: "open" | "closed";
  readonly why: string | null;
}

export interface LockRow {
  readonly id: string;
  readonly run: string | null;
  /** Owner token. */
  readonly holder: string | null;
}

/** Who waits for what, since when. One for each agent. */
export interface WaitRow {
  readonly id: string;
  readonly run: string;
  readonly owner: string;
  readonly kind: "lock" | "item" | "none";
  readonly target: string;
  readonly sinceMs: number;
}

/** A place in the pool in which an agent's process runs. Its id is the name of the process. */
export interface SlotRow {
  readonly id: string;
  readonly run: string | null;
  readonly agent: string | null;
  readonly owner: string | null;
  /** Its machine did not answer: nobody is placed there again. */
  readonly isLost: boolean;
}

export type { Cause, Counter };
