/** What a writer has to know of a file before it may change it. */
import { parseDocument, type JsonDocument } from "./judge/document.ts";
import type { RawEntry } from "./judge/entry-problem.ts";
import { fileProblem, type FileProblem } from "./judge/file-problem.ts";
import { rootRange, type Range } from "./judge/members.ts";
import { findEntries, type RegistryShape } from "./judge/shape.ts";
import { createPositions, positionAt } from "./judge/text.ts";
import type { StableRead } from "./stable-read.ts";

export interface OpenedRegistry {
  readonly document: JsonDocument;
  /** The list or map that holds the entries; undefined where the file is one task's own. */
  readonly records: Range | undefined;
  readonly entries: readonly RawEntry[];
}

export function openRegistry(
  read: StableRead,
  shape: RegistryShape,
  id: string,
): OpenedRegistry | { problem: FileProblem } {
  if ("problem" in read) return read;
  const document = parseDocument(read.bytes);
  if (document.outcome === "unreadable") {
    return { problem: fileProblem(`REGISTRY_${document.code}`, document.say, document.position) };
  }
  const { text } = document;
  if (shape.kind === "file-per-task") {
    const entry: RawEntry = {
      file: `${id}.json`,
      pointer: "",
      text,
      positionAt: createPositions(text),
      name: id,
      ...rootRange(text),
    };
    return { document, records: undefined, entries: [entry] };
  }
  const found = findEntries(text, shape);
  if (found.outcome === "found") return { document, records: found.records, entries: found.entries };
  return { problem: fileProblem(`REGISTRY_${found.code}`, found.say, positionAt(text, found.offset)) };
}
