/**
 * Where things stand in a JSON document. Each container's members are looked up once, so that asking for every field of every
 * entry costs one reading of the text a level.
 */
import { membersOf, rootRange, type JsonDocument, type Member, type Range } from "@casebook/registry/judge";
import { placesFrom, type Places } from "./places.ts";
import { pointerOf } from "./pointer.ts";

export function placesIn(document: JsonDocument, path: string): Places {
  const { text } = document;
  const containers = new Map<string, ReadonlyMap<string, Member>>();
  let root: Range | undefined;

  function membersAt(pointer: string, range: Range): ReadonlyMap<string, Member> {
    const known = containers.get(pointer);
    if (known !== undefined) return known;
    const members = new Map(membersOf(text, range).map((member) => [member.key, member]));
    containers.set(pointer, members);
    return members;
  }

  return placesFrom(text, path, (tokens) => {
    // Finding the end of the document is a reading of all of it.
    root ??= rootRange(text);
    let range = root;
    let depth = 0;
    for (const token of tokens) {
      const member = membersAt(pointerOf(tokens.slice(0, depth)), range).get(token);
      if (member === undefined) break;
      range = member;
      depth += 1;
    }
    return { depth, start: range.start };
  });
}

/** For a single question; see `placesIn` for many. */
export function positionOfPointer(
  document: JsonDocument,
  pointer: string,
): { readonly line: number; readonly column: number } | undefined {
  return placesIn(document, "").positionOf(pointer);
}
