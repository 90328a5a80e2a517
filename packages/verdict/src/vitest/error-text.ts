/** Errors as vitest hands them over (already serialised), turned into plain text and places. */

import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

import type { Location } from "../result-document.ts";

/** The part of vitest's serialised error that is read here. */
export interface ErrorLike {
  readonly name?: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly diff?: unknown;
  readonly stacks?: unknown;
}

const MAX_LINES = 20;
/** A chain of causes may be a ring. */
const MAX_CAUSES = 5;

/** `AssertionError: expected 1 to be 2`, without colours and without the machine's own paths. */
export function errorTitle(error: ErrorLike, root: string): string {
  return plain(`${error.name ?? "Error"}: ${error.message ?? "no message"}`, root);
}

/** Title, diff, place and causes; at most MAX_LINES lines. */
export function errorLines(error: ErrorLike, root: string): string[] {
  const place = errorLocation(error, root);
  const lines = [
    ...errorTitle(error, root).split("\n"),
    ...diffLines(error),
    ...(place === undefined ? [] : [`at ${locationText(place)}`]),
    ...causes(error).map((cause) => `caused by ${errorTitle(cause, root)}`),
  ];
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), "..."] : lines;
}

function diffLines({ diff }: ErrorLike): string[] {
  return typeof diff === "string" ? stripVTControlCharacters(diff).trim().split("\n") : [];
}

function causes(error: ErrorLike): ErrorLike[] {
  const found: ErrorLike[] = [];
  let cause = error.cause;
  while (typeof cause === "object" && cause !== null && found.length < MAX_CAUSES) {
    found.push(cause);
    cause = (cause as ErrorLike).cause;
  }
  return found;
}

/** The first stack frame inside the project: not in node_modules, not in Node. */
export function errorLocation(error: ErrorLike, root: string): Location | undefined {
  const frames: readonly unknown[] = Array.isArray(error.stacks) ? error.stacks : [];
  for (const frame of frames) {
    if (typeof frame !== "object" || frame === null || !("file" in frame)) continue;
    const { file, line, column } = frame as { file: unknown; line?: unknown; column?: unknown };
    if (typeof file !== "string" || file.includes("/node_modules/")) continue;
    if (typeof line !== "number" || line < 1) continue;
    const path = relativePath(root, file);
    return typeof column === "number" && column >= 1 ? { file: path, line, column } : { file: path, line };
  }
  return undefined;
}

export function locationText({ file, line, column }: Location): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** Relative to the root, with forward slashes, so that a document reads the same on every machine. */
export function relativePath(root: string, file: string): string {
  return relative(root, file).replaceAll("\\", "/");
}

function plain(text: string, root: string): string {
  return stripVTControlCharacters(text).replaceAll(`${root}/`, "").replaceAll(`${root}\\`, "");
}
