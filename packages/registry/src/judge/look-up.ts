/**
 * Looks one record up in a document with lists at its top level, the way readers do it, right and wrong.
 * The document is trusted to be JSON; which of its lists is the registry is the question.
 */
import type { JsonObject, JsonValue } from "./document.ts";
import { undeclared } from "./shape.ts";
import { shown } from "./text.ts";

/**
 * `vestigial-key`: reads the list under a key that was once the right one, an absent key being an empty list.
 * `absent-key-fallback`: the same, but an absent key is answered by the document itself, as in `get(key, document)`.
 * `strict-declared`: reads the declared list, and nothing else in its place.
 * `strict-undeclared`: reads the only list there is, and refuses to choose between several.
 */
export type LookupReader =
  | { readonly policy: "vestigial-key" | "absent-key-fallback" | "strict-declared"; readonly key: string }
  | { readonly policy: "strict-undeclared" };

export const REGISTRY_ITSELF = "<the registry object itself>";

export type LookupAnswer =
  | {
      readonly hits: number;
      /** How many records, or keys, were searched. */
      readonly population: number;
      /** Name of the list, or `REGISTRY_ITSELF`. */
      readonly searched: string;
      /** Nothing went wrong that the reader would know of. */
      readonly error: "none";
    }
  | { readonly refused: string };

export function lookUp(document: JsonObject, id: number | string, reader: LookupReader): LookupAnswer {
  switch (reader.policy) {
    case "vestigial-key":
      return search(listAt(document, reader.key) ?? [], id, reader.key);
    case "absent-key-fallback":
      return Object.hasOwn(document, reader.key)
        ? search(listAt(document, reader.key) ?? [], id, reader.key)
        : search(Object.keys(document), id, REGISTRY_ITSELF);
    case "strict-declared": {
      const list = listAt(document, reader.key);
      if (list !== undefined) return search(list, id, reader.key);
      return { refused: `declared list '${shown(reader.key)}' is not there; ${named(listNames(document))}` };
    }
    case "strict-undeclared": {
      const names = listNames(document);
      const [only, another] = names;
      if (only === undefined) return { refused: "no top-level list" };
      const list = listAt(document, only) ?? [];
      // One list without a single record may be a list of words: that it is the registry is a guess too.
      const mayHoldRecords = list.length === 0 || list.some(isObject);
      return another === undefined && mayHoldRecords ? search(list, id, only) : { refused: undeclared(names) };
    }
  }
}

/** Facts for the lookup-shape guard; undefined for a refusal, which claims nothing that would need a guard. */
export function lookupFacts(document: JsonObject, answer: LookupAnswer) {
  if ("refused" in answer) return undefined;
  const { hits, population, searched } = answer;
  const elsewhere = listNames(document).filter((name) => name !== searched);
  const holds = elsewhere.reduce((sum, name) => sum + recordCount(listAt(document, name) ?? []), 0);
  return { hits, population, searched, searchedIsRecordCollection: searched !== REGISTRY_ITSELF, holds };
}

/** A damaged record counts, as it was one. A list of words holds none: a document has tags without anything being lost. */
function recordCount(list: readonly JsonValue[]): number {
  return list.every((item) => typeof item === "string") ? 0 : list.length;
}

function search(records: readonly JsonValue[], id: number | string, searched: string): LookupAnswer {
  const wanted = idText(id);
  const hits = records.filter(
    (record) =>
      wanted !== undefined && isObject(record) && Object.hasOwn(record, "id") && idText(record["id"]) === wanted,
  );
  return { hits: hits.length, population: records.length, searched, error: "none" };
}

/**
 * Ids are compared as text: 82056 and "82056" are the same id to everyone but a type checker. Nothing but numbers and text
 * is an id; as text, a list of one would be its member, and an object may throw.
 */
function idText(id: JsonValue | undefined): string | undefined {
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

function listAt(document: JsonObject, key: string): readonly JsonValue[] | undefined {
  // What every object inherits is no list.
  const value = document[key];
  return Array.isArray(value) ? value : undefined;
}

/** All lists, whatever is in them, sorted: a damaged one passed over would leave the choice to the next. */
function listNames(document: JsonObject): string[] {
  return Object.keys(document)
    .filter((key) => listAt(document, key) !== undefined)
    .sort();
}

function named(names: readonly string[]): string {
  return `top-level lists [${names.map((name) => `'${shown(name)}'`).join(", ")}]`;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
