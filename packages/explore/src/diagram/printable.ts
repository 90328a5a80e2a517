/** Text for a terminal or a picture: what would move the cursor, turn the line round or be no character at all is spelled out. */

/** Joiners stay: several scripts cannot be written without them. */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffe\uffff\p{Zl}\p{Zp}]/gu;
const ZERO_WIDTH = /\p{Mn}|\p{Me}|\u200c|\u200d/u;
/** East Asian wide and full-width blocks, and pictures; written out, because what a property holds depends on the version of the engine. */
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`);
}

/** Cells in a terminal, as most of them count. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** At most so many cells; what is cut off ends in `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** `60,000`, in every locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
