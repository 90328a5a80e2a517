/** The state of one prompt and what is wrong with its bytes. */
import type { FieldProblem, NotRead, PromptState } from "../observation.ts";
import { readPrompt } from "../read/index.ts";
import type { Tree } from "../tree.ts";

export interface PromptReading {
  readonly state: PromptState;
  readonly problems: readonly FieldProblem[];
  readonly notRead: NotRead | undefined;
}

/** `id`: the name of the task, for the prompt that has been replaced by it. */
export async function readPromptFile(tree: Tree, path: string, id: string): Promise<PromptReading> {
  const { state, encoding, problems: ofFrontMatter, notRead } = await readPrompt(tree, path, [id]);
  const problem = (code: string, seen: string, wanted: string): FieldProblem => {
    return { code, place: { path, line: 1, column: 1, byteOffset: 0 }, seen, wanted };
  };
  const problems: FieldProblem[] = [];
  if (encoding === "not-utf-8") problems.push(problem("PROMPT_NOT_UTF8", "bytes that are no UTF-8 text", "UTF-8 text"));
  if (encoding === "utf-8-with-mark") {
    problems.push(problem("PROMPT_BYTE_ORDER_MARK", "a UTF-8 byte order mark", "the front matter at the first byte"));
  }
  for (const { code, line, column, pointer, seen, wanted } of ofFrontMatter) {
    problems.push({ code, place: { path, line, column, pointer }, seen, wanted });
  }
  return { state, problems, notRead };
}
