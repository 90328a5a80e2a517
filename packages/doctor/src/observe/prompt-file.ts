/** The state of one prompt: a front matter between `---` lines, then the prompt. The text goes no further than this file. */
import { decodeUtf8, judgeEncoding } from "@casebook/registry/judge";
import type { FieldProblem, NotRead, PromptState } from "../observation.ts";
import { readStable, type ReadOptions } from "../read/index.ts";
import type { Tree } from "../tree.ts";

/** Prompts are pages, not books. */
const MAX_PROMPT_BYTES = 4 * 1024 * 1024;

export interface PromptReading {
  readonly state: PromptState;
  readonly problems: readonly FieldProblem[];
  readonly notRead?: NotRead;
}

/** `id`: the name of the task, for the prompt that has been replaced by it. */
export async function readPromptFile(tree: Tree, path: string, id: string, options: ReadOptions): Promise<PromptReading> {
  const read = await readStable(tree, path, { ...options, maxBytes: MAX_PROMPT_BYTES });
  if (read.outcome === "not-read") {
    const isAbsent = read.notRead.evidence.firstLines?.some((code) => code === "ENOENT" || code === "ENOTDIR") ?? false;
    return isAbsent ? { state: "missing", problems: [] } : { state: "unreadable", problems: [], notRead: read.notRead };
  }
  if (read.bytes.length === 0) return { state: "empty", problems: [] };
  const encoding = judgeEncoding(read.bytes);
  if (encoding.encoding === "not-utf-8") {
    const place = { path, byteOffset: encoding.offset };
    return { state: "unreadable", problems: [{ code: encoding.code, place, seen: encoding.say, wanted: "UTF-8 text" }] };
  }
  const marked = encoding.byteOrderMark === "utf-8";
  const text = decodeUtf8(marked ? read.bytes.subarray(3) : read.bytes);
  const place = { path, line: 1, column: 1, byteOffset: 0 };
  const mark: FieldProblem = { code: "BYTE_ORDER_MARK", place, seen: "a UTF-8 byte order mark", wanted: "the front matter at the first byte" };
  return { state: stateOf(text, id), problems: marked ? [mark] : [] };
}

const PLACEHOLDER = /^(todo|tbd|placeholder|fixme|lorem ipsum\b.*|\[?(your|the|insert|add|write) (prompt|instructions|task)( goes)?( here)?\]?|<[^<>]*>|\{\{[^{}]*\}\}|\.{3}|…)[.!:]?$/i;

function stateOf(text: string, id: string): PromptState {
  const frontMatter = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
  const body = (frontMatter === null ? text : text.slice(frontMatter[0].length)).trim();
  if (body === "") return "empty";
  const name = /^name:[ \t]*["']?(.*?)["']?[ \t]*$/m.exec(frontMatter?.[1] ?? "")?.[1];
  if (body === id || (name !== undefined && body === name)) return "is-its-name";
  return PLACEHOLDER.test(body) ? "placeholder" : "present";
}
