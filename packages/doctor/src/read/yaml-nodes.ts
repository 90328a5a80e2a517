/**
 * What a composed YAML document holds, with the offset of every value. Aliases share what they mean; what all of them together
 * would write out is counted, so that a few lines cannot stand for a billion values. No tag makes anything but JSON has.
 */
import { isAlias, isScalar, isSeq, type Alias, type ParsedNode, type Scalar, type YAMLMap } from "yaml";
import { escapePointerToken, type JsonValue } from "@casebook/registry/judge";
import { MAX_YAML_DEPTH, type YamlFault } from "./yaml-tokens.ts";

export const MAX_YAML_ALIASES = 1_000;

/** Values that aliases stand for, all of them together. */
export const MAX_ALIASED_VALUES = 100_000;

export interface YamlNode {
  readonly start: number;
  readonly value: JsonValue;
  /** By key, or by index in decimal; of a repeated key the last. */
  readonly members: ReadonlyMap<string, YamlNode>;
  /** Values in it, itself included, and levels of them. */
  readonly values: number;
  readonly levels: number;
}

export interface YamlTree {
  readonly root: YamlNode;
  /** Each second key of a name, in the order of the text. */
  readonly repeated: readonly { readonly pointer: string; readonly offset: number }[];
}

export function treeOf(contents: ParsedNode): YamlTree | YamlFault {
  const anchors = new Map<string, YamlNode | "open">();
  const repeated: { pointer: string; offset: number }[] = [];
  let aliases = 0;
  let aliasedValues = 0;

  function nodeOf(node: ParsedNode | null, pointer: string, from: number): YamlNode {
    if (node === null) return leaf(from, null);
    if (isAlias(node)) return behind(node);
    const anchor = node.anchor;
    if (anchor !== undefined) anchors.set(anchor, "open");
    const made = isScalar(node) ? leaf(node.range[0], node.value as JsonValue) : containerOf(node, pointer);
    if (anchor !== undefined) anchors.set(anchor, made);
    return made;
  }

  function containerOf(node: Exclude<ParsedNode, Scalar | Alias>, pointer: string): YamlNode {
    const start = node.range[0];
    const members = new Map<string, YamlNode>();
    if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        members.set(String(index), nodeOf(item as ParsedNode | null, `${pointer}/${index}`, start));
      }
      return container(start, [...members.values()].map(({ value }) => value), members);
    }
    for (const { key, value } of (node as YAMLMap.Parsed).items) {
      const name = keyOf(key, start);
      const at = `${pointer}/${escapePointerToken(name)}`;
      const keyStart = key?.range[0] ?? start;
      if (members.has(name)) repeated.push({ pointer: at, offset: keyStart });
      members.set(name, nodeOf(value, at, key?.range[1] ?? start));
    }
    // Not by assignment: `__proto__` is a key like any other.
    return container(start, Object.fromEntries([...members].map(([name, { value }]) => [name, value])), members);
  }

  function container(start: number, value: JsonValue, members: ReadonlyMap<string, YamlNode>): YamlNode {
    let values = 1;
    let levels = 1;
    for (const member of members.values()) {
      values += member.values;
      levels = Math.max(levels, member.levels + 1);
    }
    if (levels > MAX_YAML_DEPTH) throw new Refusal({ code: "TOO_DEEP", offset: start, say: `lists and maps are nested more than ${MAX_YAML_DEPTH} deep` });
    return { start, value, members, values, levels };
  }

  function keyOf(key: ParsedNode | null, start: number): string {
    const offset = key?.range[0] ?? start;
    const node = isAlias(key) ? undefined : key;
    const value: unknown = isAlias(key) ? behind(key).value : isScalar(node) ? node.value : node;
    if (isScalar(node) && node.anchor !== undefined) anchors.set(node.anchor, leaf(offset, node.value as JsonValue));
    if (typeof value === "string") {
      // Some readers put a whole map in its place, others see a key of this name: nobody can say what the entry is.
      if (value === "<<" && isScalar(node) && node.type === "PLAIN") throw new Refusal({ code: "MERGE_KEY", offset, say: "a merge key (<<) is not part of YAML 1.2, and readers differ on it" });
      return value;
    }
    if (isScalar(node) && (typeof value === "number" || typeof value === "boolean")) return node.source ?? String(value);
    throw new Refusal({ code: "KEY_NOT_TEXT", offset, say: "a key is no text" });
  }

  function behind(alias: Alias.Parsed): YamlNode {
    const offset = alias.range[0];
    const meant = anchors.get(alias.source);
    if (meant === undefined) throw new Refusal({ code: "ALIAS", offset, say: "an alias stands for nothing that comes before it" });
    if (meant === "open") throw new Refusal({ code: "ALIAS", offset, say: "an alias stands for something that it is itself part of" });
    aliases += 1;
    aliasedValues += meant.values;
    if (aliases > MAX_YAML_ALIASES || aliasedValues > MAX_ALIASED_VALUES) {
      const say = `aliases stand for more than may be read: at most ${MAX_YAML_ALIASES} of them for ${MAX_ALIASED_VALUES} values`;
      throw new Refusal({ code: "ALIAS_BOMB", offset, say });
    }
    return { ...meant, start: offset };
  }

  try {
    return { root: nodeOf(contents, "", contents.range[0]), repeated };
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal.fault;
    throw refusal;
  }
}

const NO_MEMBERS: ReadonlyMap<string, YamlNode> = new Map();

function leaf(start: number, value: JsonValue): YamlNode {
  return { start, value, members: NO_MEMBERS, values: 1, levels: 0 };
}

class Refusal extends Error {
  readonly fault: YamlFault;
  constructor(fault: YamlFault) {
    super(fault.say);
    this.fault = fault;
  }
}
