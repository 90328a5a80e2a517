/**
 * What state a prompt file is in: there, empty, a placeholder, or only its own name; and what its front matter is. Reads the
 * first 64 KiB and never answers any of the text.
 */
import { decodeUtf8, firstInvalidUtf8, positionAt } from "@casebook/registry/judge";
import type { NotRead, PromptState } from "../observation.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { treeErrorCode } from "../trees/tree-error.ts";
import { frontMatterOf, type FrontMatter, type FrontMatterProblem, type KeyState } from "./front-matter.ts";
import { refusedRead } from "./not-read.ts";
import { promptStateOf } from "./prompt-state.ts";

/** A prompt that says nothing in so many bytes says nothing. */
export const MAX_PROMPT_BYTES = 64 * 1024;

export interface PromptFacts {
  readonly state: PromptState;
  readonly encoding: "utf-8" | "utf-8-with-mark" | "not-utf-8" | undefined;
  /** `unclosed`: begins with `---` and never ends it, so that readers differ on where the prompt begins. */
  readonly frontMatter: FrontMatter["fence"] | undefined;
  readonly name: KeyState;
  readonly description: KeyState;
  /** Of the front matter, in the order of the text. */
  readonly problems: readonly FrontMatterProblem[];
  /** The line on which the body begins, from 1; undefined where there is none. */
  readonly bodyLine: number | undefined;
  readonly stat: TreeStat | undefined;
  /** Set where the state is `unreadable`; a file that is not there is `missing` and was looked for. */
  readonly notRead: NotRead | undefined;
}

/** `names`: the id and the display name, to tell a prompt that one of them has replaced. Never rejects for what a tree refuses. */
export async function readPrompt(tree: Tree, path: string, names: readonly string[]): Promise<PromptFacts> {
  try {
    const stat = await tree.stat(path);
    const bytes = await tree.readRange(path, 0, MAX_PROMPT_BYTES);
    return { ...promptFactsOf(bytes, names, bytes.length < stat.size ? "cut" : "whole"), stat };
  } catch (refusal) {
    const missed = refusedRead(path, refusal);
    const isMissing = ["ENOENT", "ENOTDIR"].includes(treeErrorCode(refusal));
    return isMissing ? nothing("missing") : { ...nothing("unreadable"), notRead: missed };
  }
}

/** `reach`: whether the bytes are all there is. Never throws. */
export function promptFactsOf(bytes: Uint8Array, names: readonly string[], reach: "whole" | "cut" = "whole"): PromptFacts {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const plain = bytes.subarray(marked ? 3 : 0);
  const invalid = firstInvalidUtf8(plain);
  // The cut may have gone through a character of up to four bytes.
  const end = reach === "cut" && invalid >= plain.length - 3 ? invalid : plain.length;
  if ((invalid !== -1 && invalid < end) || plain.includes(0)) return { ...nothing("unreadable"), encoding: "not-utf-8" };
  // A return alone ends a line too; as a line feed it keeps every offset.
  const text = decodeUtf8(plain.subarray(0, end)).replace(/\r(?!\n)/g, "\n");
  const { fence, name, description, problems, bodyAt } = frontMatterOf(text);
  const body = text.slice(bodyAt);
  const said = body.search(/\S/);
  return {
    ...nothing(promptStateOf(body, names)),
    encoding: marked ? "utf-8-with-mark" : "utf-8",
    frontMatter: fence,
    name,
    description,
    problems,
    bodyLine: said === -1 ? undefined : positionAt(text, bodyAt + said).line,
  };
}

function nothing(state: PromptState): PromptFacts {
  return {
    state,
    encoding: undefined,
    frontMatter: undefined,
    name: "missing",
    description: "missing",
    problems: [],
    bodyLine: undefined,
    stat: undefined,
    notRead: undefined,
  };
}
