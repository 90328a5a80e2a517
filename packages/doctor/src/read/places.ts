/** Where things stand in a document, by JSON pointer (RFC 6901), whatever the document is written in. */
import { createPositions } from "@casebook/registry/judge";
import type { Place } from "../observation.ts";
import { pointerOf, tokensOf } from "./pointer.ts";

export interface Places {
  /** Of the value; of a repeated key the last, which is the one that a parsed value keeps. Undefined: nothing is there. */
  positionOf(pointer: string): { readonly line: number; readonly column: number } | undefined;
  /** Of the value, or of the nearest thing above it that is there. */
  placeOf(pointer: string): Place;
}

/** How far down the tokens something is there, and the offset in the text at which it begins. */
export type Find = (tokens: readonly string[]) => { readonly depth: number; readonly start: number };

export function placesFrom(text: string, path: string, find: Find): Places {
  const positionAt = createPositions(text);
  return {
    positionOf: (pointer) => {
      const tokens = tokensOf(pointer);
      const { depth, start } = find(tokens);
      if (depth < tokens.length) return undefined;
      const { line, column } = positionAt(start);
      return { line, column };
    },
    placeOf: (pointer) => {
      const tokens = tokensOf(pointer);
      const { depth, start } = find(tokens);
      const { line, column } = positionAt(start);
      return { path, line, column, pointer: pointerOf(tokens.slice(0, depth)) };
    },
  };
}
