/** JSON pointers (RFC 6901), whatever the document is written in. */
import { escapePointerToken, unescapePointerToken, type JsonValue } from "@casebook/registry/judge";

/** A pointer that does not begin with `/` is read as if it did, so that `custom` takes `jobs` and `/jobs`. */
export function tokensOf(pointer: string): string[] {
  if (pointer === "") return [];
  return (pointer.startsWith("/") ? pointer.slice(1) : pointer).split("/").map(unescapePointerToken);
}

export function pointerOf(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapePointerToken(token)}`).join("");
}

/**
 * The value that a pointer leads to, or undefined. Own members only: `/constructor` and `/__proto__` of an ordinary record
 * lead nowhere. An index of a list is written without leading zeros.
 */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let at: JsonValue = value;
  for (const token of tokensOf(pointer)) {
    if (typeof at !== "object" || at === null) return undefined;
    if (Array.isArray(at) && !/^(0|[1-9]\d*)$/.test(token)) return undefined;
    if (!Object.hasOwn(at, token)) return undefined;
    at = (at as { readonly [key: string]: JsonValue })[token] as JsonValue;
  }
  return at;
}
