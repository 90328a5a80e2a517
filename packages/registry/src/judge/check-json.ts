/**
 * Says whether a text is JSON (RFC 8259), and if not, where it stops being so. Never recurses, so that depth costs
 * no stack; a depth above the limit is refused before anything that does recurse sees it. Builds no value.
 */
import { fail, nameOf, scalarEnd, skipSpace, stringEnd, type JsonFailure, escapePointerToken } from "./json-tokens.ts";

/** Levels of arrays and objects. Real registries have under ten. */
export const MAX_JSON_DEPTH = 512;

/** Values in one text, so that a small file of brackets cannot take all memory. Real registries have under 100,000. */
export const MAX_JSON_VALUES = 1_000_000;

/** How many repeated keys are listed; the count goes on. */
export const MAX_DUPLICATE_KEYS = 100;

export interface DuplicateKey {
  /** JSON pointer of the repeated member. */
  readonly pointer: string;
  /** Where the second key of that name begins. */
  readonly offset: number;
}

export type JsonCheck =
  | {
      readonly outcome: "valid";
      /** At most `MAX_DUPLICATE_KEYS`, in the order of the text. */
      readonly duplicateKeys: readonly DuplicateKey[];
      readonly duplicateKeyCount: number;
    }
  | JsonFailure;

interface Frame {
  /** Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index being read. */
  current: string | number;
}

type Expecting = "value" | "value-or-close" | "key" | "key-or-close" | "colon" | "comma-or-close" | "end";

const QUOTE = 0x22,
  COMMA = 0x2c,
  COLON = 0x3a;
const OPEN_ARRAY = 0x5b,
  CLOSE_ARRAY = 0x5d,
  OPEN_OBJECT = 0x7b,
  CLOSE_OBJECT = 0x7d;

export function checkJson(text: string): JsonCheck {
  const frames: Frame[] = [];
  const duplicateKeys: DuplicateKey[] = [];
  let duplicateKeyCount = 0;
  let values = 0;
  let expecting: Expecting = "value";
  let at = 0;
  const afterValue = (): Expecting => (frames.length === 0 ? "end" : "comma-or-close");

  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) {
      if (expecting === "end") return { outcome: "valid", duplicateKeys, duplicateKeyCount };
      if (frames.length === 0) return fail("EMPTY", 0, "there is nothing in it");
      return fail(
        "TRUNCATED",
        text.length,
        `the text ends where ${WORDS[expecting]} should follow, ${frames.length} level(s) deep`,
      );
    }
    const character = text.charCodeAt(at);
    const frame = frames.at(-1);

    if (closes(character, expecting, frame)) {
      frames.pop();
      expecting = afterValue();
      at += 1;
    } else if (expecting === "value" || expecting === "value-or-close") {
      values += 1;
      if (values > MAX_JSON_VALUES) return fail("TOO_MANY_VALUES", at, `more than ${MAX_JSON_VALUES} values`);
      if (character === OPEN_ARRAY || character === OPEN_OBJECT) {
        if (frames.length === MAX_JSON_DEPTH) return fail("TOO_DEEP", at, `more than ${MAX_JSON_DEPTH} levels deep`);
        const isArray = character === OPEN_ARRAY;
        frames.push({ keys: isArray ? undefined : new Set(), current: 0 });
        expecting = isArray ? "value-or-close" : "key-or-close";
        at += 1;
      } else {
        const end = scalarEnd(text, at);
        if (typeof end !== "number") return end;
        at = end;
        expecting = afterValue();
      }
    } else if (
      (expecting === "key" || expecting === "key-or-close") &&
      character === QUOTE &&
      frame?.keys !== undefined
    ) {
      const end = stringEnd(text, at);
      if (typeof end !== "number") return end;
      const key = readKey(text, at, end);
      frame.current = key;
      if (frame.keys.has(key)) {
        duplicateKeyCount += 1;
        if (duplicateKeys.length < MAX_DUPLICATE_KEYS) duplicateKeys.push({ pointer: pointerOf(frames), offset: at });
      }
      frame.keys.add(key);
      at = end;
      expecting = "colon";
    } else if (expecting === "colon" && character === COLON) {
      expecting = "value";
      at += 1;
    } else if (expecting === "comma-or-close" && character === COMMA && frame !== undefined) {
      if (typeof frame.current === "number") frame.current += 1;
      expecting = frame.keys === undefined ? "value" : "key";
      at += 1;
    } else {
      return fail("SYNTAX", at, `${nameOf(text, at)} where ${WORDS[expecting]} should be`);
    }
  }
}

function closes(character: number, expecting: Expecting, frame: Frame | undefined): boolean {
  if (frame === undefined) return false;
  if (frame.keys === undefined) {
    return character === CLOSE_ARRAY && (expecting === "value-or-close" || expecting === "comma-or-close");
  }
  return character === CLOSE_OBJECT && (expecting === "key-or-close" || expecting === "comma-or-close");
}

const WORDS: Readonly<Record<Expecting, string>> = {
  value: "a value",
  "value-or-close": "a value or the end of the list",
  key: "a key in double quotes",
  "key-or-close": "a key or the end of the object",
  colon: "a colon",
  "comma-or-close": "a comma or the end of the list or object",
  end: "the end of the file",
};

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : raw;
}

function pointerOf(frames: readonly Frame[]): string {
  return frames.map((frame) => `/${escapePointerToken(String(frame.current))}`).join("");
}
