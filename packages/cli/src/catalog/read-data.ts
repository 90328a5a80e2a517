/** Reads one of our JSON files and says of everything that is wrong with it: file, pointer, what, why, what now. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkJson } from "@casebook/registry/judge";
import type { z } from "zod";
import { nearest } from "../nearest.ts";

/** Adds to `problems` and answers undefined when the file cannot be used. */
export function readData<T>(root: string, path: string, schema: z.ZodType<T>, problems: string[]): T | undefined {
  let text: string;
  try {
    text = readFileSync(join(root, path), "utf8");
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? String(thrown);
    problems.push(`${path}: the file cannot be read (${code}). Every case needs it: put it there, see CONTRIBUTING.md.`);
    return undefined;
  }
  if (text.startsWith("\ufeff")) {
    problems.push(`${path}: a byte order mark stands before the JSON, and JSON has none. Save it as UTF-8 without one.`);
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    problems.push(`${path}: no JSON from ${placeOf(thrown, text)} on. Mend the file; see CONTRIBUTING.md.`);
    return undefined;
  }
  const repeated = repeatedKeys(text);
  if (repeated.length > 0) {
    problems.push(...repeated.map(({ pointer, line, column }) => `${path}: ${pointer}: the key stands twice in one object, the second time at line ${line}, column ${column}, and readers keep the last. Leave one.`));
    return undefined;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  for (const issue of issues) problems.push(...complaints(issue, issues, value).map((one) => `${path}: ${one}`));
  return undefined;
}

function repeatedKeys(text: string): { pointer: string; line: number; column: number }[] {
  const check = checkJson(text);
  if (check.outcome !== "valid") return [];
  return check.duplicateKeys.map(({ pointer, offset }) => {
    const before = text.slice(0, offset).split("\n");
    return { pointer, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  });
}

/** `line 3, column 5`. The engines word their messages differently, and some name no position. */
function placeOf(thrown: unknown, text: string): string {
  const position = /at position (\d+)/.exec(messageOf(thrown))?.[1];
  const before = text.slice(0, position === undefined ? firstRefused(text) : Number(position)).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Where the character stands with which a text stops being the beginning of a JSON text; its end when one is only missing. */
function firstRefused(text: string): number {
  let accepted = 0;
  let refused = text.length + 1;
  while (refused - accepted > 1) {
    const length = Math.floor((accepted + refused) / 2);
    if (isRefused(text.slice(0, length))) refused = length;
    else accepted = length;
  }
  return accepted;
}

/** A text that only ends too early has no unexpected token. */
function isRefused(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (thrown) {
    return messageOf(thrown).startsWith("Unexpected token");
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : "";
}

const VOCABULARY = "the vocabulary is in CONTRIBUTING.md.";

function complaints(issue: z.core.$ZodIssue, all: readonly z.core.$ZodIssue[], value: unknown): string[] {
  const pointer = `/${issue.path.join("/")}`;
  const found = valueAt(value, issue.path);
  const shown = JSON.stringify(found);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const missing = all.filter(({ path }) => path.length === issue.path.length + 1 && valueAt(value, path) === undefined);
      const meant = nearest(key, elsewhere(key)) ?? (missing.length === 1 ? String(missing[0]?.path.at(-1)) : undefined);
      const help = meant === undefined ? `Remove it; ${VOCABULARY}` : `Did you mean ${JSON.stringify(meant)}?`;
      return `${pointer === "/" ? "" : pointer}/${key}: unknown field, perhaps a misspelt known one. ${help}`;
    });
  }
  if (found === undefined) return [`${pointer}: the field is missing. Add it; ${VOCABULARY}`];
  if (issue.code === "invalid_value") return [`${pointer}: ${shown} is not one of ${issue.values.join(", ")}. Take one of them.`];
  if (pointer === "/status") return [`${pointer}: ${shown} is not one of reproduced, deprecated. Planned cases stand in incidents/reserved.json.`];
  if (pointer === "/doctor") return [`${pointer}: ${shown} says neither which layout nor why none. Write { "layout": "…" } or { "none": "why" }.`];
  if (issue.code === "invalid_format" && issue.format === "date") {
    return [`${pointer}: ${shown} is no day of the calendar. Write it as 2026-11-29.`];
  }
  return [`${pointer}: ${shown}: ${issue.message}. Mend the field; ${VOCABULARY}`];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

/** A word that is a field in another place is not what it was meant to be here. */
function elsewhere(key: string): string[] {
  return FIELDS.filter((field) => field !== key);
}

/** What a misspelt field was probably meant to be. */
const FIELDS = [
  ...["title", "status", "reason", "layer", "evidence", "occurred", "versions", "platform", "upstream", "doctor", "reproductions"],
  ...["url", "state", "checkedOn", "relation", "layout", "none"],
  ...["by", "outcome", "caseVersion", "os", "runtime", "counters", "link", "on"],
  ...["number", "slug", "source"],
];
