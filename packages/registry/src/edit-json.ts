/**
 * Changes a JSON text in the places that change and nowhere else, so that unknown keys, repeated keys, the order of
 * keys, spacing and numbers that JavaScript cannot hold stay as they were written. Only for a valid text.
 */
import type { JsonValue } from "./judge/document.ts";
import { membersOf, type Member, type Range } from "./judge/members.ts";

/** Sets members of the object: a member that is there keeps its place, a new one comes last. */
export function setMembers(text: string, object: Range, values: ReadonlyMap<string, JsonValue>): string {
  const members = membersOf(text, object);
  let result = text;
  // From the back, so that the offsets of what is still to do stay true.
  for (const member of members.toReversed()) {
    const value = values.get(member.key);
    if (value !== undefined) result = splice(result, member, JSON.stringify(value));
  }
  for (const [key, value] of values) {
    if (members.some((member) => member.key === key)) continue;
    result = appendMember(result, { start: object.start, end: object.end + result.length - text.length }, key, value);
  }
  return result;
}

/** Adds a last member to an array (`key` undefined) or object, spaced like its neighbours. */
export function appendMember(text: string, container: Range, key: string | undefined, value: JsonValue): string {
  const members = membersOf(text, container);
  const last = members.at(-1);
  const added = `${key === undefined ? "" : `${JSON.stringify(key)}${colonOf(text, members)}`}${JSON.stringify(value)}`;
  if (last === undefined) return splice(text, { start: container.start + 1, end: container.start + 1 }, added);
  return splice(text, { start: last.end, end: last.end }, `,${spaceBefore(text, container, members)}${added}`);
}

/** The white space in front of the last member, which a new one gets too. */
function spaceBefore(text: string, container: Range, members: readonly Member[]): string {
  const last = members.at(-1) as Member;
  const before = text.slice(members.at(-2)?.end ?? container.start + 1, last.from);
  return before.replace(/^\s*,/, "");
}

function colonOf(text: string, members: readonly Member[]): string {
  const [first] = members;
  return first !== undefined && text.slice(first.from, first.start).endsWith(":") ? ":" : ": ";
}

function splice(text: string, range: Range, replacement: string): string {
  return text.slice(0, range.start) + replacement + text.slice(range.end);
}
