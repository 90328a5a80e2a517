/** Whether a trace has its start under another name: only then is a time taken from elsewhere not what its writer meant. */
import { escapePointerToken, type JsonObject, type JsonValue } from "@casebook/registry/judge";
import type { TimeUnit } from "../preset.ts";
import { readInstant } from "./instant-field.ts";

export interface StartField {
  readonly pointer: string;
  readonly unit: TimeUnit;
}

/** Names that people give to the moment at which something began. */
const START_LIKE = /creat|born|start|began|begun/i;

/** A key with a moment in it whose name extends an absent field's or is like one, and that the layout does not have. */
export function renamedStart(value: JsonObject, fields: readonly StartField[]): string | undefined {
  const own = new Set(fields.map(({ pointer }) => pointer));
  const absent = fields.filter(({ pointer }) => isUnset(value[pointer.slice(1)]));
  const hasNone = absent.length === fields.length;
  const key = Object.keys(value).find((one) => {
    if (own.has(`/${escapePointerToken(one)}`)) return false;
    return absent.some(({ pointer, unit }) => {
      const isLike = sharesName(one, pointer.slice(1)) || (hasNone && START_LIKE.test(one));
      return isLike && readInstant(value[one], unit).outcome === "instant";
    });
  });
  return key === undefined ? undefined : `/${escapePointerToken(key)}`;
}

/** The key that a top-level field stands under now, where its name extends the field's; undefined where the field is there. */
export function renamedField(value: JsonObject, pointer: string): string | undefined {
  const name = pointer.slice(1);
  if (name === "" || !isUnset(value[name])) return undefined;
  const key = Object.keys(value).find((one) => one !== name && sharesName(one, name));
  return key === undefined ? undefined : `/${escapePointerToken(key)}`;
}

function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

/** `runAtMsX` or `run_at_ms` for `runAtMs`, `tsX` for `ts`. */
export function sharesName(key: string, name: string): boolean {
  const plain = (text: string): string => text.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  return plain(key).startsWith(plain(name));
}
