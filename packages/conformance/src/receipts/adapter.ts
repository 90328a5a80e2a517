/** What a receipt log has to offer to be judged: one factory over ports, and two functions. Its format and its files are its own affair. */
import type { Clock, Disk, Faults, Ids, Log } from "@casebook/ports";

export const RECEIPT_CAPABILITIES = {
  "power-loss": "What it acknowledged survives when the host loses its power and everything that was not synced may be gone.",
  "many-writers": "Several instances in several processes append to one log.",
  numbers: "An acknowledgement comes with a number, which no other receipt of the log has.",
} as const;

export type ReceiptCapability = keyof typeof RECEIPT_CAPABILITIES;

export const RECEIPT_STATES = ["pending", "completed"] as const;

export interface ReceiptToKeep {
  readonly key: string;
  readonly state: (typeof RECEIPT_STATES)[number];
}

/** `refused`: it does not stand in the log. A rejection says that nobody knows. */
export type Appended = { readonly outcome: "acknowledged"; readonly number?: number | undefined } | { readonly outcome: "refused" };

/** `absent`: no receipt of the key, and nothing that was unreadable may be one. `damaged`: something that may be of this key could not be read. */
export const HEALTHS = ["found", "absent", "damaged"] as const;

export interface KeyAnswer {
  readonly health: (typeof HEALTHS)[number];
  /** The newest that could be read. With `damaged` a newer one may be there. */
  readonly state?: ReceiptToKeep["state"] | undefined;
}

export interface ReceiptPorts {
  readonly clock: Clock;
  /** An empty disk at the first; `/` is there. */
  readonly disk: Disk;
  readonly ids: Ids;
  readonly log: Log;
  readonly faults: Faults;
  readonly name: string;
}

export interface ReceiptLogUnderTest {
  append(receipt: ReceiptToKeep): Promise<Appended> | Appended;
  read(key: string): Promise<KeyAnswer> | KeyAnswer;
}

export interface ReceiptLogAdapter {
  readonly name: string;
  readonly version: string;
  readonly capabilities: readonly ReceiptCapability[];
  /** Called for each process, and again after a crash: the same disk, no memory. */
  create(ports: ReceiptPorts): Promise<ReceiptLogUnderTest> | ReceiptLogUnderTest;
}
