/** A value as it may stand in a report: its kind and its clipped text, or the kind alone where the value could be private. */
import { shown, type JsonValue } from "@casebook/registry/judge";

export function seenValue(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return `text "${shown(value)}"`;
  // Such as 1e400, which JSON may hold and no number of a program can.
  if (typeof value === "number" && !Number.isFinite(value)) return "a number beyond 1.8e308";
  if (typeof value === "number" || typeof value === "boolean") return `${typeof value} ${value}`;
  return kindWord(value);
}

/** What moments, cron-like numbers and spans are written with, and one plain word. */
const HARMLESS = /^(?:[\dTZtzPYMWDHSdhms:.,+\-/ ]{0,40}|[A-Za-z]{0,12})$/;

/** For fields that hold a moment, a span or a word: in their place may stand a prompt or a secret, of which only the length is told. */
export function seenField(value: JsonValue | undefined): string {
  return typeof value === "string" && !HARMLESS.test(value) ? `text of ${value.length} characters` : seenValue(value);
}

/** For prompts, payloads, and whatever nobody knows. */
export function kindWord(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return `an object with ${Object.keys(value).length} keys`;
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}
