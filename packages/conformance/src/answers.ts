/** Reads what an adapter answers and throws, which may be anything: nothing here throws, goes on for ever, or hands on what may still change. */
import { errorCode } from "@casebook/ports";

/** `wrong`: what was answered, and what to answer instead, behind the name of the function. */
export type Read<T> = { readonly value: T } | { readonly wrong: string };

export type Fields = Readonly<Record<string, unknown>>;

const LONGEST_SHOWN = 60;
/** More than any rule has of anything, by far; a list without an end is read by nobody. */
export const MOST_LISTED = 1_000;

/** Reads with `read`, which may meet a getter that throws. */
export function readAnswered<T>(value: unknown, read: (value: unknown) => Read<T>): Read<T> {
  try {
    return read(value);
  } catch (failure) {
    const { text } = readThrown(failure);
    return { wrong: `something that cannot be read: ${text.replace(/\.$/, "")}. Answer plain data` };
  }
}

/** Anything can be thrown, and what is thrown may throw when it is asked what it is. */
export function readThrown(failure: unknown): { readonly code: string; readonly text: string } {
  try {
    const code = errorCode(failure);
    if (typeof failure === "string" && failure !== "") return { code, text: failure };
    if (!(failure instanceof Error)) return { code, text: `${shown(failure)}. Throw an Error` };
    const message: unknown = failure.message;
    return { code, text: typeof message === "string" && message !== "" ? message : "an error without a message. Say in it what went wrong" };
  } catch {
    return { code: "", text: "something that cannot be shown. Throw an Error" };
  }
}

/** As JSON, and in words what is none. */
export function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${String(value).slice(0, LONGEST_SHOWN)}n, a bigint`;
  if (typeof value === "number") return String(value);
  try {
    const kind = typeof value === "object" && value !== null ? Object.prototype.toString.call(value).slice("[object ".length, -1) : "Object";
    if (kind !== "Object" && kind !== "Array") return `an object of the kind ${kind}`;
    const text = JSON.stringify(value, shorter) ?? String(value);
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  } catch {
    // Without end, or what throws when it is looked at.
    return "something that cannot be shown";
  }
}

function shorter(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return Array.isArray(value) && value.length > LONGEST_SHOWN ? `a list of ${value.length}` : value;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy, by position: a hole in it is undefined. Undefined: it is no list, longer than MOST_LISTED, or refuses to be read. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  try {
    if (!Array.isArray(value) || value.length > MOST_LISTED) return undefined;
    return Array.from({ length: value.length }, (_, at): unknown => value[at]);
  } catch {
    return undefined;
  }
}

export function textsOf(value: unknown): readonly string[] | undefined {
  const list = listOf(value);
  return list?.every((one) => typeof one === "string") === true ? (list as readonly string[]) : undefined;
}

/** Calls what stands under this name, with the object that it belongs to. */
export function functionOf<T>(owner: Fields, name: string): T {
  const calls = owner as Readonly<Record<string, (...facts: unknown[]) => unknown>>;
  return ((...facts: unknown[]) => calls[name]?.(...facts)) as T;
}
