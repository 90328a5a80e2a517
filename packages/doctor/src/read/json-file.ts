/** One JSON file of a tree, from its bytes to a value, with the place of whatever is in it. */
import { parseDocument, valueOfDocument, type JsonDocument, type JsonValue, type UnreadableDocument } from "@casebook/registry/judge";
import type { NotRead } from "../observation.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { readStable, type ReadOptions } from "./read-stable.ts";

export type JsonFile =
  | { readonly outcome: "read"; readonly document: JsonDocument; readonly value: JsonValue; readonly stat: TreeStat }
  /** Read well, but no JSON: `problem` says why and where. */
  | { readonly outcome: "unreadable"; readonly problem: UnreadableDocument; readonly stat: TreeStat }
  | { readonly outcome: "not-read"; readonly notRead: NotRead };

/** Never rejects for what a tree refuses, and never throws for any bytes. */
export async function readJsonFile(tree: Tree, path: string, options: ReadOptions = {}): Promise<JsonFile> {
  const read = await readStable(tree, path, options);
  if (read.outcome === "not-read") return read;
  const { bytes, stat } = read;
  const document = parseDocument(bytes);
  if (document.outcome === "unreadable") return { outcome: "unreadable", problem: document, stat };
  return { outcome: "read", document, value: valueOfDocument(document), stat };
}
