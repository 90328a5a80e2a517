/** What a dispatcher is made from: doors, places, limits, and who is trusted. Checked where it enters. */
import type { Ports, Sessions } from "@casebook/ports";
import { type DispatcherPolicies, REFERENCE_POLICIES, type Trust } from "./judge/index.ts";

export type DispatcherPorts = Pick<Ports, "clock" | "disk" | "ids" | "log" | "faults"> & { readonly sessions: Sessions };

export interface DispatcherOptions {
  /** Absolute; holds the lifecycle folders and the ledger, on one mount. */
  readonly root: string;
  /** Stands in every record and lease. A name fences nothing: two may have one by mistake. */
  readonly name: string;
  readonly trust: Trust;
  readonly leaseMs?: number | undefined;
  /** A runtime that has said nothing for so long is silent, and what it was asked is not known. Default: a minute, and at most a third of the lease. */
  readonly answerMs?: number | undefined;
  /** A file that changed less long ago may still be written; it is read at the next look. */
  readonly settleMs?: number | undefined;
  readonly policies?: Partial<DispatcherPolicies> | undefined;
}

export interface DispatcherConfig {
  readonly root: string;
  readonly name: string;
  readonly trust: Trust;
  readonly leaseMs: number;
  readonly answerMs: number;
  readonly settleMs: number;
  readonly policies: DispatcherPolicies;
}

/** Long enough for a pause of the host, short enough that a dead dispatcher's work is taken up the same hour. */
export const DEFAULT_LEASE_MS = 30 * 60_000;
export const DEFAULT_ANSWER_MS = 60_000;
export const DEFAULT_SETTLE_MS = 1_000;
/** Tries of a rename that a sharing reader or a scanner refuses; with the waits below, a second and a half. */
export const MAX_RENAME_TRIES = 5;
export const RENAME_WAIT_MS = 100;
/** Times that another writer may take the next number before a write gives up. */
export const MAX_RACES = 50;
/** Looks at folders that change while they are read. */
export const MAX_LOOKS = 5;
/** Files in the lifecycle folders; more are another kind of store. */
export const MAX_FILES = 10_000;

export function readOptions({ root, name, trust, leaseMs = DEFAULT_LEASE_MS, answerMs = Math.min(DEFAULT_ANSWER_MS, Math.ceil(leaseMs / 3)), settleMs = DEFAULT_SETTLE_MS, policies }: DispatcherOptions): DispatcherConfig {
  if (!/^\/.*[^/]$/.test(root)) throw invalid(`root is ${JSON.stringify(root)}; it is an absolute path without a slash at its end`);
  if (name === "") throw invalid("name is empty; records and leases carry it");
  if (!Number.isInteger(leaseMs) || leaseMs < 1) throw invalid(`leaseMs is ${leaseMs}; such a lease would have expired before it starts`);
  if (!Number.isInteger(answerMs) || answerMs < 1 || answerMs > leaseMs) throw invalid(`answerMs is ${answerMs}; it is whole milliseconds from 1 up to leaseMs, ${leaseMs}: nobody waits beyond his lease`);
  if (!Number.isInteger(settleMs) || settleMs < 0) throw invalid(`settleMs is ${settleMs}; it is whole milliseconds from 0 up`);
  return { root, name, trust, leaseMs, answerMs, settleMs, policies: { ...REFERENCE_POLICIES, ...policies } };
}

function invalid(text: string): Error {
  return Object.assign(new RangeError(`DISPATCHER_OPTIONS_INVALID: ${text}.`), { code: "DISPATCHER_OPTIONS_INVALID" });
}
