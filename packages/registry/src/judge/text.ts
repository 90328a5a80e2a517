/** Bytes to text and back, and places in a text. UTF-8 only: what is not UTF-8 is refused before (see encoding.ts). */

// Both exist in browsers and in Node, but neither is in the language's own library, and a judge has no platform types.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Strict: throws on a byte that is not UTF-8. Keeps a byte order mark as U+FEFF, so that encoding gives the same bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A place in a text. Line and column count from 1, the column in UTF-16 code units; the offset counts from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export function positionAt(text: string, offset: number): Position {
  return createPositions(text)(offset);
}

/** Looks up many places in one text. Reads the text once, at the first question. */
export function createPositions(text: string): (offset: number) => Position {
  let lineStarts: number[] | undefined;
  return (offset) => {
    lineStarts ??= findLineStarts(text);
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lineStarts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lineStarts[low] as number) + 1, offset };
  };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const MAX_SHOWN_LENGTH = 60;

/** A foreign text, safe to print on one line: clipped, and everything invisible written as an escape. */
export function shown(text: string): string {
  const clipped = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
  return clipped.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
