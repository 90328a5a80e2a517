/**
 * Where things stand in a JSON document, by JSON pointer (RFC 6901), and what stands there. Each container's members are
 * looked up once, so that asking for every field of every entry costs one reading of the text a level.
 */
import {
  createPositions,
  escapePointerToken,
  membersOf,
  rootRange,
  unescapePointerToken,
  type JsonDocument,
  type JsonValue,
  type Member,
  type Range,
} from "@casebook/registry/judge";
import type { Place } from "../observation.ts";

export interface JsonPlaces {
  /** Of the value; of a repeated key the last, which is the one that a parsed value keeps. Undefined: nothing is there. */
  positionOf(pointer: string): { readonly line: number; readonly column: number } | undefined;
  /** Of the value, or of the nearest thing above it that is there. */
  placeOf(pointer: string): Place;
}

export function placesIn(document: JsonDocument, path: string): JsonPlaces {
  const { text } = document;
  const positionAt = createPositions(text);
  const containers = new Map<string, ReadonlyMap<string, Member>>();
  let root: Range | undefined;

  function membersAt(pointer: string, range: Range): ReadonlyMap<string, Member> {
    const known = containers.get(pointer);
    if (known !== undefined) return known;
    const members = new Map(membersOf(text, range).map((member) => [member.key, member]));
    containers.set(pointer, members);
    return members;
  }

  function rangeOf(pointer: string): { readonly found: string; readonly range: Range } {
    // Finding the end of the document is a reading of all of it.
    root ??= rootRange(text);
    let range = root;
    let found = "";
    for (const token of tokensOf(pointer)) {
      const member = membersAt(found, range).get(token);
      if (member === undefined) break;
      range = member;
      found += `/${escapePointerToken(token)}`;
    }
    return { found, range };
  }

  function positionOf(pointer: string): { line: number; column: number } | undefined {
    const { found, range } = rangeOf(pointer);
    if (found !== spelled(pointer)) return undefined;
    const { line, column } = positionAt(range.start);
    return { line, column };
  }

  return {
    positionOf,
    placeOf: (pointer) => {
      const { found, range } = rangeOf(pointer);
      const { line, column } = positionAt(range.start);
      return { path, line, column, pointer: found };
    },
  };
}

/** For a single question; see `placesIn` for many. */
export function positionOfPointer(
  document: JsonDocument,
  pointer: string,
): { readonly line: number; readonly column: number } | undefined {
  return placesIn(document, "").positionOf(pointer);
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

/** A pointer that does not begin with `/` is read as if it did, so that `custom` takes `jobs` and `/jobs`. */
function tokensOf(pointer: string): string[] {
  if (pointer === "") return [];
  return (pointer.startsWith("/") ? pointer.slice(1) : pointer).split("/").map(unescapePointerToken);
}

function spelled(pointer: string): string {
  return tokensOf(pointer)
    .map((token) => `/${escapePointerToken(token)}`)
    .join("");
}
