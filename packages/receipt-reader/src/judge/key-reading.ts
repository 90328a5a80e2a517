/** What a reader answers about one key: which record it found, and how healthy the reading was. */
import type { DamageReport } from "./damage-tally.ts";
import type { Receipt } from "./receipt.ts";

/**
 * `found`, `absent`: nothing that may be newer stands unread. `corrupt`: something does, because it is damaged. `unsupported`: something
 * does, because it is of a newer version. With the last two a record may have been found all the same, and another may be newer.
 */
export type KeyHealth = "found" | "absent" | "corrupt" | "unsupported";

export interface FoundReceipt {
  readonly receipt: Receipt;
  /** Of its line. */
  readonly byteOffset: number;
  /** Good lines behind it, and those that were passed over. */
  readonly goodLinesAfter: number;
}

/** Lines that were not understood. The three add up to all of them. */
export interface Unread {
  /** The key can be made out. */
  readonly ofThisKey: number;
  /** Only cut, or whole and of another version, and of other keys only: no doubt about this key. */
  readonly ofOtherKeys: number;
  /** May be anyone's. */
  readonly ofNoKnownKey: number;
}

/** What a reader looked at. A zero is worth nothing without it. */
export interface Searched {
  readonly bytes: number;
  /** `good`, `blank`, `passedOver`, `damaged`, `unsupported` and `tombstones` add up to it. */
  readonly lines: number;
  readonly good: number;
  readonly blank: number;
  /** Have not the key in them and were judged by their first and last byte only. */
  readonly passedOver: number;
  readonly damaged: number;
  readonly unsupported: number;
  /** Lines that a repair left in the place of what could not be read. */
  readonly tombstones: number;
  /** `to-found`: a reading from the end stops at the record that it looks for. */
  readonly reach: "whole" | "to-found";
}

export interface KeyReading {
  readonly key: string;
  readonly health: KeyHealth;
  readonly found: FoundReceipt | undefined;
  /** Behind the found record, or anywhere where none was found. */
  readonly newer: { readonly unreadable: Unread; readonly unsupported: Unread; /** Of the first of them in the file. */ readonly byteOffset: number | undefined };
  /** A record was found, and one that may be newer could not be read: the state may have moved back. */
  readonly isStateRegression: boolean;
  /** Pending records of the key behind the completed one that was found: from writers whose time was over. */
  readonly pendingBehindCompleted: number;
  readonly damage: DamageReport;
  /** Undefined: the reader does not say. */
  readonly searched: Searched | undefined;
  /** `growing`: the file went on while it was read, and its last line was not there yet. `empty`: zero bytes, or no file. */
  readonly tail: "ended" | "no-line-feed" | "torn" | "growing" | "empty";
}

export const NONE_UNREAD: Unread = { ofThisKey: 0, ofOtherKeys: 0, ofNoKnownKey: 0 };

/** How many of them may be about the key. */
export function mayHide({ ofThisKey, ofNoKnownKey }: Unread): number {
  return ofThisKey + ofNoKnownKey;
}
