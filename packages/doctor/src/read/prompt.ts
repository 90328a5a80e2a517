/**
 * What state a prompt file is in: there, empty, a placeholder, or only its own name. Reads the first 64 KiB and never answers
 * any of the text. The front matter is looked at for two keys at its top level, line by line: whether they say something is
 * all that is asked, for which a YAML parser would be a dependency and a second way to fail on somebody's prompt.
 */
import { decodeUtf8, firstInvalidUtf8 } from "@casebook/registry/judge";
import type { NotRead, PromptState } from "../observation.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { treeErrorCode } from "../trees/tree-error.ts";
import { refusedRead } from "./not-read.ts";
import { promptStateOf } from "./prompt-state.ts";

/** A prompt that says nothing in so many bytes says nothing. */
export const MAX_PROMPT_BYTES = 64 * 1024;

export type KeyState = "present" | "empty" | "missing";

export interface PromptFacts {
  readonly state: PromptState;
  readonly encoding: "utf-8" | "utf-8-with-mark" | "not-utf-8" | undefined;
  /** `unclosed`: begins with `---` and never ends it, so that readers differ on where the prompt begins. */
  readonly frontMatter: "present" | "absent" | "unclosed" | undefined;
  readonly name: KeyState;
  readonly description: KeyState;
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
  const lines = decodeUtf8(plain.subarray(0, end)).split(/\r\n|\n|\r/);
  const close = lines[0]?.trimEnd() === "---" ? lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)\s*$/.test(line)) : -1;
  const frontMatter = lines[0]?.trimEnd() !== "---" ? "absent" : close === -1 ? "unclosed" : "present";
  const head = frontMatter === "present" ? lines.slice(1, close) : frontMatter === "unclosed" ? lines.slice(1) : [];
  const body = lines.slice(close + 1);
  const said = body.findIndex((line) => line.trim() !== "");
  return {
    ...nothing(promptStateOf(body.join("\n"), names)),
    encoding: marked ? "utf-8-with-mark" : "utf-8",
    frontMatter,
    name: keyState(head, "name"),
    description: keyState(head, "description"),
    bodyLine: said === -1 ? undefined : close + 2 + said,
  };
}

function nothing(state: PromptState): PromptFacts {
  return {
    state,
    encoding: undefined,
    frontMatter: undefined,
    name: "missing",
    description: "missing",
    bodyLine: undefined,
    stat: undefined,
    notRead: undefined,
  };
}

function keyState(lines: readonly string[], key: string): KeyState {
  const at = lines.findIndex((line) => ["", '"', "'"].some((quote) => line.startsWith(`${quote}${key}${quote}:`)));
  if (at === -1) return "missing";
  const value = (lines[at] as string).slice((lines[at] as string).indexOf(":") + 1).trim();
  if (!/^([|>][-+\d]*)?\s*(#.*)?$/.test(value)) return /^(""|''|~|null)$/.test(value) ? "empty" : "present";
  // The value is what is indented below, if anything is.
  for (const line of lines.slice(at + 1)) {
    if (line.trim() === "") continue;
    return /^\s/.test(line) ? "present" : "empty";
  }
  return "empty";
}
