/** One file of a tree that is JSON or, by the ending of its name, YAML: the same answer for both. */
import type { JsonDocument, JsonValue } from "@casebook/registry/judge";
import type { NotRead } from "../observation.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { readJsonFile } from "./json-file.ts";
import { placesIn } from "./json-places.ts";
import type { Places } from "./places.ts";
import { MAX_FILE_BYTES, readStable, type ReadOptions } from "./read-stable.ts";
import { MAX_YAML_BYTES, parseYaml, valueOfYaml, yamlPlaces, type DocumentProblem, type YamlDocument } from "./yaml-document.ts";

export type TextDocument = JsonDocument | YamlDocument;
export type Syntax = "JSON" | "YAML";

export type DocumentFile =
  | { readonly outcome: "read"; readonly syntax: Syntax; readonly document: TextDocument; readonly value: JsonValue; readonly stat: TreeStat }
  /** Read well, but not what its name says: `problem` says why and where. */
  | { readonly outcome: "unreadable"; readonly syntax: Syntax; readonly problem: DocumentProblem; readonly stat: TreeStat }
  | { readonly outcome: "not-read"; readonly notRead: NotRead };

/** Never rejects for what a tree refuses, and never throws for any bytes. */
export async function readDocumentFile(tree: Tree, path: string, options: ReadOptions = {}): Promise<DocumentFile> {
  if (syntaxOf(path) === "YAML") return readYamlFile(tree, path, options);
  const file = await readJsonFile(tree, path, options);
  return file.outcome === "not-read" ? file : { ...file, syntax: "JSON" };
}

export function syntaxOf(path: string): Syntax {
  return /\.ya?ml$/i.test(path) ? "YAML" : "JSON";
}

async function readYamlFile(tree: Tree, path: string, options: ReadOptions): Promise<DocumentFile> {
  const read = await readStable(tree, path, { ...options, maxBytes: Math.min(options.maxBytes ?? MAX_FILE_BYTES, MAX_YAML_BYTES) });
  if (read.outcome === "not-read") return read;
  const { bytes, stat } = read;
  const document = parseYaml(bytes);
  if (document.outcome === "unreadable") return { outcome: "unreadable", syntax: "YAML", problem: document, stat };
  return { outcome: "read", syntax: "YAML", document, value: valueOfYaml(document), stat };
}

export function documentPlaces(document: TextDocument, path: string): Places {
  return "root" in document ? yamlPlaces(document, path) : placesIn(document, path);
}
