/** The little that the checks need to know about Markdown: which pages there are, fenced blocks, marked output, headings, links. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

const NOT_OURS: readonly string[] = ["node_modules", ".git", "dist", "coverage", ".casebook"];

/** Every page of the tree, from its root and with `/`, sorted. */
export function markdownPages(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.includes(name))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return markdownPages(root, path);
      return entry.name.endsWith(".md") ? [path] : [];
    })
    .toSorted();
}

export interface Fence {
  readonly language: string;
  /** The second word behind the three ticks, which a reader does not see; "" without one. */
  readonly name: string;
  readonly text: string;
}

const FENCE = /^```(\w*)(?: ([\w-]+))?\n([\s\S]*?)^```$/gm;

export function fences(page: string): Fence[] {
  return [...page.matchAll(FENCE)].map(([, language = "", name = "", text = ""]) => ({ language, name, text }));
}

/** Blocks that promise to be real output, by the id in `<!-- output:ID -->` on the line before the fence. */
export function promisedOutputs(page: string): { id: string; text: string }[] {
  return [...page.matchAll(/<!-- output:([\w-]+) -->\n```\w*\n([\s\S]*?)^```$/gm)].map(([, id = "", text = ""]) => ({ id, text }));
}

export function headings(page: string): string[] {
  return [...page.replace(FENCE, "").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
}

/** What a link to a heading is called: lower case, no punctuation, a dash for each space. */
export function anchorsOf(page: string): string[] {
  const all = [...page.replace(FENCE, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return all.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}

export interface LocalLink {
  /** Relative to the page; "" is the page itself. */
  readonly path: string;
  /** Without `#`; "" when the link leads to the whole file. */
  readonly anchor: string;
}

/** Targets of links that lead into the tree and to no address. */
export function localLinks(page: string): LocalLink[] {
  return [...page.replace(FENCE, "").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    const [path = "", anchor = ""] = target.split("#");
    return /^[a-z]+:/.test(target) ? [] : [{ path, anchor }];
  });
}

/** Targets of links that lead to an address. */
export function addresses(page: string): string[] {
  return [...page.replace(FENCE, "").matchAll(/\]\(([a-z]+:[^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** The first lines of blocks that are set off by four spaces instead of ticks, where no check would find them. */
export function indentedBlocks(page: string): string[] {
  return [...page.replace(FENCE, "").matchAll(/^\n {4}(?! *[-*\d])(\S.*)$/gm)].map(([, line = ""]) => line);
}
