/**
 * Path patterns over whole names: `*` is any part of one name (dots too), `**` any number of names, also none. No other
 * character is special. A pattern is walked one name at a time, so that a folder that cannot lead to a match is never listed.
 */
import type { Glob } from "../preset.ts";

/** How far a pattern has come, and what its stars stood for on the way. */
export interface GlobState {
  readonly at: number;
  readonly captures: readonly string[];
}

export interface CompiledGlob {
  readonly glob: Glob;
  readonly parts: readonly string[];
}

export function compileGlob(glob: Glob): CompiledGlob {
  return { glob, parts: glob.split("/").filter((part) => part !== "") };
}

/** Before the first name. */
export function startOf(glob: CompiledGlob): readonly GlobState[] {
  return withoutDoubleStars(glob, [{ at: 0, captures: [] }]);
}

/** After one more name; empty when nothing below it can match. */
export function advance(glob: CompiledGlob, states: readonly GlobState[], name: string): readonly GlobState[] {
  const next: GlobState[] = [];
  for (const state of states) {
    const part = glob.parts[state.at];
    if (part === undefined) continue;
    if (part === "**") {
      next.push(state);
      continue;
    }
    const captured = matchName(part, name);
    if (captured === undefined) continue;
    next.push({ at: state.at + 1, captures: captured.length === 0 ? state.captures : [...state.captures, ...captured] });
  }
  return next.length === 0 ? next : withoutDoubleStars(glob, next);
}

/** Whether the name stands for a part of the pattern other than `**`, which anything stands for. */
export function isNamedBy(glob: CompiledGlob, states: readonly GlobState[], name: string): boolean {
  return states.some(({ at }) => {
    const part = glob.parts[at];
    return part !== undefined && part !== "**" && matchName(part, name) !== undefined;
  });
}

/** What the single stars stood for, in order, where the names so far match the whole pattern. */
export function matchOf(glob: CompiledGlob, states: readonly GlobState[]): readonly string[] | undefined {
  return states.find(({ at }) => at === glob.parts.length)?.captures;
}

/** Whether these names match, and what the single stars stood for. */
export function matchGlob(glob: Glob, names: readonly string[]): readonly string[] | undefined {
  const compiled = compileGlob(glob);
  let states = startOf(compiled);
  for (const name of names) states = advance(compiled, states, name);
  return matchOf(compiled, states);
}

/** `**` may stand for no name at all: whoever is before one is also behind it. One state for each part of the pattern. */
function withoutDoubleStars(glob: CompiledGlob, states: readonly GlobState[]): readonly GlobState[] {
  const reached: GlobState[] = [];
  const seen = new Set<number>();
  for (const state of states) {
    for (let at = state.at; ; at += 1) {
      if (!seen.has(at)) reached.push({ at, captures: state.captures });
      seen.add(at);
      if (glob.parts[at] !== "**") break;
    }
  }
  return reached;
}

/** Leftmost and shortest for every star but the last; linear, where a regular expression may not be. */
function matchName(part: string, name: string): readonly string[] | undefined {
  if (!part.includes("*")) return part === name ? NOTHING : undefined;
  const [head = "", ...pieces] = part.split("*");
  const tail = pieces.pop() ?? "";
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return undefined;
  const end = name.length - tail.length;
  const captured: string[] = [];
  let at = head.length;
  for (const piece of pieces) {
    const found = name.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return undefined;
    captured.push(name.slice(at, found));
    at = found + piece.length;
  }
  captured.push(name.slice(at, end));
  return captured;
}

const NOTHING: readonly string[] = [];
