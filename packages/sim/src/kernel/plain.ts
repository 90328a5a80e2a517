/**
 * Values that leave a process, by message or into a shared cell: copied, so that no two processes hold one object. What would
 * not survive being written down is refused, because on the real way it would not arrive either.
 */
import { WorldError } from "../world-options.ts";

/** Deeper values are most likely ones that contain themselves. */
const MAX_DEPTH = 100;

/** Throws VALUE_NOT_PLAIN. A value without parts is answered as it is. */
export function plainCopy<T>(value: T): T {
  return typeof value === "object" && value !== null ? (copyOf(value, 0) as T) : leafOf(value);
}

function copyOf(value: object, depth: number): unknown {
  if (depth > MAX_DEPTH) throw notPlain(`is nested more than ${MAX_DEPTH} deep, or contains itself`);
  const inner = (part: unknown): unknown => (typeof part === "object" && part !== null ? copyOf(part, depth + 1) : leafOf(part));
  if (Array.isArray(value)) return value.map(inner);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notPlain(`is a ${value.constructor?.name || "thing with a class of its own"}`);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part)]));
}

function leafOf<T>(value: T): T {
  if (typeof value === "function" || typeof value === "symbol") throw notPlain(`is a ${typeof value}`);
  return value;
}

function notPlain(why: string): WorldError {
  return new WorldError(
    "VALUE_NOT_PLAIN",
    `a value given to another process ${why}; processes share no JavaScript state. Give objects, lists, texts, numbers, true, false and null.`,
  );
}

/** For traces: short and the same everywhere. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? "";
}
