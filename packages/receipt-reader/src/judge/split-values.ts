/**
 * Takes apart a line on which several JSON values stand without a line feed between them. Looks at brackets and quotes only;
 * whether a piece is JSON is for `JSON.parse` to say.
 */

export interface SplitValues {
  /** Pieces that begin with a bracket and end with its partner. */
  readonly pieces: readonly string[];
  /** What is behind the last of them. */
  readonly rest: string;
  /** `cut`: the rest is a value that ends before its last bracket. */
  readonly end: "clean" | "cut" | "other";
}

/** Values on one line that are told apart; more is no accident of two writers. */
export const MAX_GLUED = 16;

export function splitValues(line: string): SplitValues {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < line.length && pieces.length < MAX_GLUED; at += 1) {
    const sign = line[at];
    if (isInText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") {
      depth -= 1;
      if (depth < 0) break;
      if (depth === 0) {
        pieces.push(line.slice(start, at + 1));
        start = at + 1;
      }
    }
  }
  const rest = line.slice(start);
  const isClean = rest.trim() === "";
  return { pieces, rest: isClean ? "" : rest, end: isClean ? "clean" : depth > 0 ? "cut" : "other" };
}
