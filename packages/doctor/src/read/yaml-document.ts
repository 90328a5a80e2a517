/** One YAML file, from bytes to its value, with the place of every value and of the first thing that is wrong (YAML 1.2, core schema). */
import { createPositions, decodeUtf8, judgeEncoding, type JsonValue, type Position } from "@casebook/registry/judge";
import { placesFrom, type Places } from "./places.ts";
import { composeYaml, type YamlFault } from "./yaml-tokens.ts";
import { treeOf, type YamlNode } from "./yaml-nodes.ts";

/** 1 MiB, for which the parser takes seconds at worst. Real registries have under 100 KiB. */
export const MAX_YAML_BYTES = 1024 * 1024;

/** How many repeated keys are listed; the count goes on. */
export const MAX_REPEATED_KEYS = 100;

export interface YamlDocument {
  readonly outcome: "parsed";
  /** Without the byte order mark. */
  readonly text: string;
  readonly byteOrderMark: "none" | "utf-8";
  readonly duplicateKeys: readonly { readonly pointer: string; readonly position: Position }[];
  readonly duplicateKeyCount: number;
  /** The value in it is as JSON would give it: the last of a repeated key, and a key that is a number as it is written. */
  readonly root: YamlNode;
}

export interface DocumentProblem {
  readonly outcome: "unreadable";
  readonly code: string;
  /** Undefined when the bytes are not text; `byteOffset` then says where. */
  readonly position: Position | undefined;
  readonly byteOffset: number | undefined;
  /** One clause, without a stop. */
  readonly say: string;
}

/** Never throws for any bytes. */
export function parseYaml(bytes: Uint8Array): YamlDocument | DocumentProblem {
  if (bytes.length > MAX_YAML_BYTES) {
    const say = `it has ${bytes.length} bytes, more than the ${MAX_YAML_BYTES} of YAML that may be read`;
    return { outcome: "unreadable", code: "TOO_LARGE", position: undefined, byteOffset: MAX_YAML_BYTES, say };
  }
  const encoding = judgeEncoding(bytes);
  if (encoding.encoding === "not-utf-8") {
    return { outcome: "unreadable", code: encoding.code, position: undefined, byteOffset: encoding.offset, say: encoding.say };
  }
  const { byteOrderMark } = encoding;
  const text = decodeUtf8(byteOrderMark === "none" ? bytes : bytes.subarray(3));
  const { root, repeated, fault } = readYamlText(text);
  const positionAt = createPositions(text);
  if (fault !== undefined || root === undefined) {
    const { code, offset, say } = fault ?? NOTHING;
    return { outcome: "unreadable", code, position: positionAt(offset), byteOffset: undefined, say };
  }
  const duplicateKeys = repeated.slice(0, MAX_REPEATED_KEYS).map(({ pointer, offset }) => ({ pointer, position: positionAt(offset) }));
  return { outcome: "parsed", text, byteOrderMark, duplicateKeys, duplicateKeyCount: repeated.length, root };
}

const NOTHING: YamlFault = { code: "EMPTY", offset: 0, say: "there is nothing in it" };

export interface YamlText {
  /** Undefined where nothing is in it. Where there is a fault, what was made of the text in spite of it, if anything was. */
  readonly root: YamlNode | undefined;
  readonly repeated: readonly { readonly pointer: string; readonly offset: number }[];
  /** The first; `EMPTY` too. */
  readonly fault: YamlFault | undefined;
}

export function readYamlText(text: string): YamlText {
  const { document, fault } = composeYaml(text);
  const contents = document?.contents;
  if (contents === undefined || contents === null || contents.range[0] === contents.range[1]) return { root: undefined, repeated: [], fault: fault ?? NOTHING };
  const tree = treeOf(contents);
  if (!("root" in tree)) return { root: undefined, repeated: [], fault: fault ?? tree };
  return { ...tree, fault };
}

export function valueOfYaml(document: YamlDocument): JsonValue {
  return document.root.value;
}

/** The places inside what an alias stands for are where that is written. */
export function yamlPlaces({ text, root }: YamlDocument, path: string): Places {
  return placesFrom(text, path, (tokens) => {
    let node = root;
    let depth = 0;
    for (const token of tokens) {
      const member = node.members.get(token);
      if (member === undefined) break;
      node = member;
      depth += 1;
    }
    return { depth, start: node.start };
  });
}
