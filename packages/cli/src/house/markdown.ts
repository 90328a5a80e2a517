/** The little that the checks need to know about Markdown: fenced blocks, marked output, headings, links. */

export interface Fence {
  readonly language: string;
  readonly text: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

export function fences(page: string): Fence[] {
  return [...page.matchAll(FENCE)].map(([, language = "", text = ""]) => ({ language, text }));
}

/** Blocks that promise to be real output, by the id in `<!-- output:ID -->` on the line before the fence. */
export function promisedOutputs(page: string): { id: string; text: string }[] {
  return [...page.matchAll(/<!-- output:([\w-]+) -->\n```\w*\n([\s\S]*?)^```$/gm)].map(([, id = "", text = ""]) => ({ id, text }));
}

export function headings(page: string): string[] {
  return [...page.replace(FENCE, "").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
}

/** Targets of links that lead into the tree: no address, no anchor. */
export function localLinks(page: string): string[] {
  return [...page.replace(FENCE, "").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) =>
    /^[a-z]+:/.test(target) || target.startsWith("#") ? [] : [target.replace(/#.*$/, "")],
  );
}
