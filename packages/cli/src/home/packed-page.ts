/** A case page as a packed copy carries it: says what works there, and leads nowhere that is not there. Pure: text in, text out. */

export interface PackedAs {
  readonly number: string;
  /** Of the case in a clone: `incidents/001-slug`. */
  readonly folder: string;
  /** What the text calls the repository. */
  readonly repository: string;
}

export function packedPage(page: string, { number, folder, repository }: PackedAs): string {
  const [heading = "", ...rest] = page.split("\n");
  const note =
    `> From a packed copy: \`npx casebook run ${number}\` plays this case here, and with \`--all\` its further scenes. ` +
    `What this page says of \`npx tsx incidents/…\`, \`casebook test\` and files of the tree needs a clone of ${repository}.`;
  return [heading, "", note, ...withoutTreeLinks(rest, folder)].join("\n");
}

/** `[text](../../docs/x.md)` becomes `text (docs/x.md in a clone)`; blocks of code are left as they are. */
function withoutTreeLinks(lines: readonly string[], folder: string): string[] {
  let inFence = false;
  return lines.map((line) => {
    if (line.startsWith("```")) inFence = !inFence;
    if (inFence) return line;
    return line.replace(/!?\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g, (whole, text: string, target: string) =>
      /^(?:[a-z][a-z+.-]*:|#)/i.test(target) ? whole : `${text} (${fromRoot(folder, target)} in a clone)`,
    );
  });
}

/** A path as it reads from the root of the clone. */
function fromRoot(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${target}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
