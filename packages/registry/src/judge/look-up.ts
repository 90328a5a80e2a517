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
      if (another !== undefined) return { refused: undeclared(names) };
      return search(listAt(document, only) ?? [], id, only);
    }
  }
}

/** Facts for the lookup-shape guard; undefined for a refusal, which claims nothing that would need a guard. */
export function lookupFacts(document: JsonObject, answer: LookupAnswer) {
  if ("refused" in answer) return undefined;
  const { hits, population, searched } = answer;
  const elsewhere = listNames(document).filter((name) => name !== searched);
  const holds = elsewhere.reduce((sum, name) => sum + (listAt(document, name)?.length ?? 0), 0);
  return { hits, population, searched, searchedIsRecordCollection: searched !== REGISTRY_ITSELF, holds };
}

/** Ids are compared as text: 82056 and "82056" are the same id to everyone but a type checker. */
function search(records: readonly JsonValue[], id: number | string, searched: string): LookupAnswer {
  const hits = records.filter((record) => isObject(record) && Object.hasOwn(record, "id") && String(record["id"]) === String(id));
  return { hits: hits.length, population: records.length, searched, error: "none" };
}

function listAt(document: JsonObject, key: string): readonly JsonValue[] | undefined {
  // What every object inherits is no list.
  const value = document[key];
  return Array.isArray(value) ? value : undefined;
}

/** Lists of objects, and empty ones, sorted: a list of words is no candidate. */
function listNames(document: JsonObject): string[] {
  const isCandidate = (list: readonly JsonValue[] | undefined): boolean => list !== undefined && (list.length === 0 || list.some(isObject));
  return Object.keys(document).filter((key) => isCandidate(listAt(document, key))).sort();
}

function named(names: readonly string[]): string {
  return `top-level lists [${names.map((name) => `'${shown(name)}'`).join(", ")}]`;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
