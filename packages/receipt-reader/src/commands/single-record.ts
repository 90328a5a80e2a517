/**
 * Stores that keep one record in one file, and tell a file that is not there from one that cannot be read. Models reading; leaves out what
 * the records mean.
 */
import { type Disk, errorCode } from "@casebook/ports";
import { decodeUtf8 } from "../judge/text.ts";
import { splitValues } from "../judge/split-values.ts";
import { readFully } from "../pieces.ts";

/** 1 MiB: a single record is small, or is none. */
export const MAX_RECORD_BYTES = 1024 * 1024;

export type RecordDamage = "EMPTY" | "NUL_RUN" | "INVALID_UTF8" | "TRUNCATED" | "UNPARSEABLE" | "WRONG_SHAPE" | "TOO_LONG";

export type SingleRecord<T> =
  | { readonly outcome: "missing" }
  | { readonly outcome: "record"; readonly value: T }
  | { readonly outcome: "corrupt"; readonly damage: RecordDamage; readonly bytes: number }
  /** A POSIX code. */
  | { readonly outcome: "not-read"; readonly code: string };

/** `parse` answers undefined for JSON that is none of its records. */
export async function readSingleRecord<T>({ disk }: { readonly disk: Disk }, path: string, parse: (value: unknown) => T | undefined): Promise<SingleRecord<T>> {
  try {
    const file = await disk.open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > MAX_RECORD_BYTES) return { outcome: "corrupt", damage: "TOO_LONG", bytes: size };
      const bytes = size === 0 ? new Uint8Array(0) : await readFully(file, size, 0);
      return bytes === undefined ? { outcome: "not-read", code: "EAGAIN" } : judged(bytes, parse);
    } finally {
      await file.close();
    }
  } catch (refusal) {
    const code = errorCode(refusal);
    if (code === "ENOENT") return { outcome: "missing" };
    if (!/^E[A-Z0-9]+$/.test(code)) throw refusal;
    return { outcome: "not-read", code };
  }
}

function judged<T>(bytes: Uint8Array, parse: (value: unknown) => T | undefined): SingleRecord<T> {
  const corrupt = (damage: RecordDamage): SingleRecord<T> => ({ outcome: "corrupt", damage, bytes: bytes.length });
  if (bytes.length === 0) return corrupt("EMPTY");
  if (bytes.includes(0)) return corrupt("NUL_RUN");
  const text = decodeUtf8(bytes);
  if (text === undefined) return corrupt("INVALID_UTF8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return corrupt(splitValues(text).end === "cut" ? "TRUNCATED" : "UNPARSEABLE");
  }
  const record = parse(value);
  return record === undefined ? corrupt("WRONG_SHAPE") : { outcome: "record", value: record };
}

/** The stores of case 008, and what each of them calls a record that it cannot read. */
export const SINGLE_RECORD_STORES = {
  session: { corrupt: "RegistryWriteError" },
  approval: { corrupt: "APPROVAL_STORE_CORRUPT" },
} as const;

export type StoreKind = keyof typeof SINGLE_RECORD_STORES;

/** What a caller of the store sees. */
export interface StoreAnswer {
  readonly missing: boolean;
  /** Null where there is none: nothing there is no error. */
  readonly error: string | null;
}

export function storeAnswer(store: StoreKind, { outcome }: SingleRecord<unknown>): StoreAnswer {
  return { missing: outcome === "missing", error: outcome === "corrupt" || outcome === "not-read" ? SINGLE_RECORD_STORES[store].corrupt : null };
}
