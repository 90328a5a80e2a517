/** Lines of a screen. Counts characters, so that scripts whose characters are two columns wide come out longer. */

export const COLUMNS = 120;

/** Breaks at blanks; further lines are indented. What has no blank is not broken, so that a path can be copied. */
export function wrapped(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S)(?= )/)) {
    if (line !== "" && lengthOf(line) + lengthOf(word) > COLUMNS) {
      lines.push(line.trimEnd());
      line = " ".repeat(indent) + word.trimStart();
    } else line += word;
  }
  return [...lines, line.trimEnd()];
}

/** At most so many characters, with a mark where the rest was. */
export function clipped(text: string, columns: number): string {
  const characters = [...text];
  return characters.length <= columns ? text : `${characters.slice(0, Math.max(0, columns - 1)).join("").trimEnd()}…`;
}

/** Not in UTF-16 units, of which an emoji has two. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - lengthOf(text)));
}

export function lengthOf(text: string): number {
  return [...text].length;
}
