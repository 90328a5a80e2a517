/**
 * The moves that an object's own file has on record: `transitions` in its header, each with `at`, `from` (null at the first), `to`. Reads
 * words for folders and moments and nothing else; whoever moved it, and with which note, stays where it is.
 */
import { decodeText } from "@casebook/dispatcher/judge";
import { instantOf, type JsonValue } from "@casebook/registry/judge";
import type { MoveOnRecord } from "../observation.ts";
import { readYamlText } from "../read/yaml-document.ts";

export type Moves =
  | { readonly outcome: "moves"; readonly moves: readonly MoveOnRecord[] }
  /** The file keeps no history. */
  | { readonly outcome: "none" }
  | { readonly outcome: "problem"; readonly code: "MOVES_NOT_YAML" | "MOVES_NOT_A_LIST" | "MOVE_INVALID" | "MOVE_CORRECTED"; readonly says: string };

/** More in one file are no history of a task. */
const MAX_MOVES = 1_000;
/** What FCoP 3 writes into the files that were there before it. */
const MIGRATION = "fcop_migrate_v3";
const HEADER = /^---[^\S\n]*\r?\n([\s\S]*?)^---[^\S\n]*\r?$/m;

export function movesOf(bytes: Uint8Array): Moves {
  const header = HEADER.exec(decodeText(bytes) ?? "")?.[1];
  if (header === undefined || !/^transitions:/m.test(header)) return { outcome: "none" };
  const { root, fault } = readYamlText(header);
  if (fault !== undefined || root === undefined) return { outcome: "problem", code: "MOVES_NOT_YAML", says: "its header is no YAML" };
  const value = root.members.get("transitions")?.value;
  if (value === null || value === undefined) return { outcome: "none" };
  if (!Array.isArray(value)) return { outcome: "problem", code: "MOVES_NOT_A_LIST", says: "`transitions` is no list" };
  if (value.length > MAX_MOVES) return { outcome: "problem", code: "MOVES_NOT_A_LIST", says: `${value.length} moves, more than ${MAX_MOVES}` };
  const moves: MoveOnRecord[] = [];
  for (const [index, one] of value.entries()) {
    const move = moveOf(one);
    if (isObject(one) && one["supersedes"] !== undefined && one["supersedes"] !== null) return { outcome: "problem", code: "MOVE_CORRECTED", says: `move ${index + 1} corrects another, and which of them count is not known here` };
    if (move === undefined) return { outcome: "problem", code: "MOVE_INVALID", says: `move ${index + 1} of ${value.length} has no folders in \`from\` and \`to\`, or no moment in \`at\`` };
    moves.push(move);
  }
  return { outcome: "moves", moves };
}

const WORD = /^[a-z][a-z_-]{0,30}$/;

function moveOf(value: JsonValue): MoveOnRecord | undefined {
  if (!isObject(value)) return undefined;
  const { at, from = null, to, tool } = value;
  if (typeof to !== "string" || !WORD.test(to) || (from !== null && (typeof from !== "string" || !WORD.test(from)))) return undefined;
  // A moment without an offset is one in nobody's zone.
  const atMs = typeof at === "string" ? instantOf(at.replace(" ", "T")) : undefined;
  if (at !== undefined && at !== null && atMs === undefined) return undefined;
  return { from: from ?? undefined, to, atMs, isMigrated: from === null && tool === MIGRATION };
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
