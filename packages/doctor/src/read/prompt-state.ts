/** Whether a text tells an agent anything. Compares words only; knows no language. */
import type { PromptState } from "../observation.ts";

/** `names`: those of the task; a prompt that says only one of them was overwritten by it. */
export function promptStateOf(
  text: string,
  names: readonly string[],
): Extract<PromptState, "present" | "empty" | "is-its-name" | "placeholder"> {
  const said = withoutComments(text).trim();
  if (said === "") return "empty";
  // Nothing longer is a name or one of the phrases below.
  if (said.length > MAX_EMPTY_TALK) return "present";
  const words = wordsOf(said);
  if (words !== "" && names.some((name) => wordsOf(name) === words)) return "is-its-name";
  return words === "" || PLACEHOLDERS.has(words) ? "placeholder" : "present";
}

const MAX_EMPTY_TALK = 400;

const PLACEHOLDERS: ReadonlySet<string> = new Set(
  [
    "todo", "to do", "tbd", "fixme", "wip", "placeholder", "example", "sample", "test", "testing", "untitled", "new task", "task",
    "prompt", "the prompt", "your prompt", "prompt here", "prompt goes here", "your prompt here", "your prompt goes here",
    "enter prompt", "enter your prompt", "enter your prompt here", "insert prompt", "insert prompt here", "add prompt here",
    "add your prompt here", "write your prompt here", "instructions", "instructions here", "your instructions here",
    "description", "none", "null", "undefined", "nan", "n a", "na", "empty", "object object", "x", "xx", "xxx", "foo", "bar",
    "lorem ipsum", "lorem ipsum dolor sit amet", "hello", "hello world", "asdf",
  ],
);

/** Letters and digits of any script, in lower case, one space between words. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ");
}

/** Without HTML comments; one that never ends is no comment. */
function withoutComments(text: string): string {
  let kept = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("<!--", at);
    const close = open === -1 ? -1 : text.indexOf("-->", open + 4);
    if (close === -1) return kept + text.slice(at);
    kept += text.slice(at, open);
    at = close + 3;
  }
}
