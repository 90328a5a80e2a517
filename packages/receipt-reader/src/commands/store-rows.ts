/** The rows S0 to S2 and O1 of case 008: a store of one record that is missing, is no JSON, or is empty. */
import type { Disk } from "@casebook/ports";
import { encodeUtf8 } from "../judge/text.ts";
import { readFully } from "../pieces.ts";
import { readSingleRecord, storeAnswer, type StoreAnswer, type StoreKind } from "./single-record.ts";

interface StoreRow {
  readonly change: string;
  readonly store: StoreKind;
  /** Undefined: no file. */
  readonly content: string | undefined;
}

export const STORE_ROWS = {
  S0: { change: "single-record session file missing", store: "session", content: undefined },
  S1: { change: "single-record session file is invalid JSON", store: "session", content: '{"session":' },
  S2: { change: "single-record session file is empty", store: "session", content: "" },
  O1: { change: "operation approval file damaged", store: "approval", content: '{"id":"approval-1","digest' },
} as const satisfies Readonly<Record<string, StoreRow>>;

export type StoreRowId = keyof typeof STORE_ROWS;

export interface StoreRowFacts extends StoreAnswer {
  readonly bytesPreserved: boolean;
}

export async function playStoreRow(ports: { readonly disk: Disk }, id: StoreRowId, path = "/record.json"): Promise<StoreRowFacts> {
  const { store, content }: StoreRow = STORE_ROWS[id];
  const bytes = content === undefined ? undefined : encodeUtf8(content);
  if (bytes !== undefined) {
    const file = await ports.disk.open(path, "w");
    await file.write(bytes);
    await file.close();
  }
  const read = await readSingleRecord(ports, path, (value) => (typeof value === "object" && value !== null ? value : undefined));
  return { ...storeAnswer(store, read), bytesPreserved: await stillThere(ports.disk, path, bytes) };
}

async function stillThere(disk: Disk, path: string, bytes: Uint8Array | undefined): Promise<boolean> {
  if (bytes === undefined) return !(await disk.readdir("/")).some(({ name }) => `/${name}` === path);
  const file = await disk.open(path, "r");
  try {
    const { size } = await file.stat();
    const now = size === 0 ? new Uint8Array(0) : await readFully(file, size, 0);
    return now !== undefined && now.length === bytes.length && now.every((byte, index) => byte === bytes[index]);
  } finally {
    await file.close();
  }
}
