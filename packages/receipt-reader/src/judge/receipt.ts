/**
 * What a line of a receipt log holds. Models three kinds: a receipt, a tombstone that a repair left where a line could not be read,
 * and a record of a newer version, of which no more is taken than its key. Leaves out what an execution said at length.
 */

/** The newest version that this reader understands and the only one that it writes. */
export const RECEIPT_SCHEMA = 1;

/** Longer names are no keys but payloads. */
export const MAX_KEY_LENGTH = 200;

export type ReceiptState = "pending" | "completed";

export interface Receipt {
  readonly schema: typeof RECEIPT_SCHEMA;
  /** From 1, in the order of the log. */
  readonly seq: number;
  /** Of the lock under which it was appended; a lower one behind a higher one was written by an owner whose time was over. */
  readonly epoch: number;
  /** Names one intent: the same command sent again has the same key. */
  readonly key: string;
  readonly state: ReceiptState;
  /** What the command does, such as `retry`. */
  readonly command: string;
  readonly task: string;
  /** Of the task, as the command saw it. */
  readonly revision: string;
  /** Fingerprint of who asked. */
  readonly actor: string;
  /** Fingerprint of what was asked. */
  readonly payload: string;
  /** How a completed command ended; empty while it is pending. */
  readonly reason: string;
  /** By the clock of the writer, milliseconds since 1970: it may go back between two lines. */
  readonly atMs: number;
}

/** Stands in a repaired log where the line before it could not be read, so that a repair does not turn damage into health. */
export interface Tombstone {
  readonly schema: typeof RECEIPT_SCHEMA;
  readonly tombstone: {
    readonly damage: string;
    /** Name of the file that still holds the line. */
    readonly of: string;
    readonly byteOffset: number;
    readonly bytes: number;
    /** Keys that could still be made out in it. */
    readonly mentions: readonly string[];
    /** Whether the line was only cut, so that what it mentions is all that it was about. */
    readonly isOnlyCut: boolean;
  };
}

export type LogRecord =
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  | { readonly kind: "tombstone"; readonly tombstone: Tombstone["tombstone"] }
  /** `key`: undefined where the newer version has it elsewhere. */
  | { readonly kind: "unsupported"; readonly schema: number; readonly key: string | undefined };

/** Undefined: JSON, and no record of a receipt log. */
export function parseRecord(value: unknown): LogRecord | undefined {
  if (!isObject(value)) return undefined;
  const { schema, key } = value;
  if (!isCount(schema) || schema < 1) return undefined;
  if (schema > RECEIPT_SCHEMA) return { kind: "unsupported", schema, key: isKey(key) ? key : undefined };
  if (isTombstone(value)) return { kind: "tombstone", tombstone: value.tombstone };
  return isReceipt(value) ? { kind: "receipt", receipt: value } : undefined;
}

/** What may name one intent. */
export function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_KEY_LENGTH;
}

function isReceipt(value: object): value is Receipt {
  const one = value as Partial<Record<keyof Receipt, unknown>>;
  const texts = [one.command, one.task, one.revision, one.actor, one.payload, one.reason];
  return (
    isCount(one.seq) &&
    one.seq > 0 &&
    isCount(one.epoch) &&
    isKey(one.key) &&
    (one.state === "pending" || one.state === "completed") &&
    texts.every((text) => typeof text === "string") &&
    Number.isSafeInteger(one.atMs)
  );
}

function isTombstone(value: object): value is Tombstone {
  const { tombstone } = value as { readonly tombstone?: unknown };
  if (!isObject(tombstone)) return false;
  const { damage, of, byteOffset, bytes, mentions, isOnlyCut } = tombstone;
  return (
    typeof damage === "string" &&
    typeof of === "string" &&
    isCount(byteOffset) &&
    isCount(bytes) &&
    Array.isArray(mentions) &&
    mentions.every(isKey) &&
    typeof isOnlyCut === "boolean"
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
