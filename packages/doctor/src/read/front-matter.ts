/**
 * The head of a prompt file between two lines of `---`: where it ends, what its `name` and `description` are, and what is wrong
 * with it. Answers kinds and places, never any of its values.
 */
import { createPositions, type JsonValue } from "@casebook/registry/judge";
import { readYamlText, type YamlText } from "./yaml-document.ts";
import { tokensOf } from "./pointer.ts";

/** `unknown`: what there is of the head could not be read so far. */
export type KeyState = "present" | "empty" | "missing" | "unknown";

export interface FrontMatterProblem {
  readonly code: "FRONT_MATTER_NOT_YAML" | "FRONT_MATTER_NOT_MAP" | "FRONT_MATTER_DUPLICATE_KEY" | "FRONT_MATTER_NOT_TEXT";
  /** In the file, from 1. */
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly seen: string;
  readonly wanted: string;
}

export interface FrontMatter {
  readonly fence: "present" | "absent" | "unclosed";
  readonly name: KeyState;
  readonly description: KeyState;
  readonly problems: readonly FrontMatterProblem[];
  /** Where the body begins, from 0. */
  readonly bodyAt: number;
}

const OPEN = /^---[^\S\n]*(\n|$)/;
const CLOSE = /(?<![^\n])(---|\.\.\.)[^\S\n]*(\n|$)/;
const HEAD_LINE = 2;

/** `text`: lines end in a line feed, with or without a return before it. */
export function frontMatterOf(text: string): FrontMatter {
  const open = OPEN.exec(text)?.[0];
  if (open === undefined) return { fence: "absent", name: "missing", description: "missing", problems: [], bodyAt: 0 };
  const rest = text.slice(open.length);
  const close = CLOSE.exec(rest);
  const head = close === null ? rest : rest.slice(0, close.index);
  const yaml = readYamlText(head);
  const keys = { name: keyState(yaml, "name"), description: keyState(yaml, "description") };
  // Where the head never ends, nobody can say what of it is YAML.
  if (close === null) return { fence: "unclosed", ...keys, problems: [], bodyAt: 0 };
  return { fence: "present", ...keys, problems: problemsOf(head, yaml), bodyAt: open.length + close.index + close[0].length };
}

function keyState({ root, fault }: YamlText, key: string): KeyState {
  const node = root?.members.get(key);
  if (node === undefined) return fault === undefined || fault.code === "EMPTY" ? "missing" : "unknown";
  return node.value === null || node.value === "" ? "empty" : "present";
}

function problemsOf(head: string, { root, repeated, fault }: YamlText): FrontMatterProblem[] {
  const positionAt = createPositions(head);
  const problem = (code: FrontMatterProblem["code"], offset: number, pointer: string, seen: string, wanted: string): FrontMatterProblem => {
    const { line, column } = positionAt(offset);
    return { code, line: line + HEAD_LINE - 1, column, pointer, seen, wanted };
  };
  if (fault?.code === "EMPTY") return [];
  if (fault !== undefined) return [problem("FRONT_MATTER_NOT_YAML", fault.offset, "", `no YAML in its front matter (${fault.say})`, "YAML between the two lines of ---")];
  if (root === undefined) return [];
  if (!isMap(root.value)) return [problem("FRONT_MATTER_NOT_MAP", root.start, "", `no keys in its front matter but ${kindOf(root.value)}`, "keys and their values")];
  const [first] = repeated;
  const texts = ["name", "description"].flatMap((key) => {
    const node = root.members.get(key);
    if (node === undefined || node.value === null || typeof node.value === "string") return [];
    return [problem("FRONT_MATTER_NOT_TEXT", node.start, `/${key}`, `/${key} of its front matter is ${kindOf(node.value)}`, "text (in quotes, if it looks like something else)")];
  });
  // The first of them shows where to look; each has the same cause.
  const twice = first === undefined ? [] : [problem("FRONT_MATTER_DUPLICATE_KEY", first.offset, pointerShown(first.pointer), "another key of the same name in its front matter", "each key once")];
  return [...twice, ...texts].toSorted((one, other) => one.line - other.line || one.column - other.column);
}

/** A key that looks like one; a sentence with a colon in it could be of the prompt. */
function pointerShown(pointer: string): string {
  return tokensOf(pointer).every((token) => /^[A-Za-z][\w-]{0,40}$/.test(token)) ? pointer : "";
}

function isMap(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return "a list";
  if (isMap(value)) return "a map";
  if (value === null) return "null";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}
