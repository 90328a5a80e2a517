/** Locks, heartbeats and the like: one file with one moment. */
import { decodeUtf8, judgeEncoding } from "@casebook/registry/judge";
import type { MarkerObservation, NotRead } from "../observation.ts";
import type { MarkerPattern } from "../preset.ts";
import { notRead, readJsonFile, readStable, refusedRead, valueAt } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { readInstant } from "./instant-field.ts";

/** A marker is a line; what is larger is another file. */
const MAX_MARKER_BYTES = 64 * 1024;

export async function readMarker(tree: Tree, path: string, pattern: MarkerPattern): Promise<MarkerObservation | NotRead> {
  const atMs = await momentOf(tree, path, pattern.at);
  if (typeof atMs !== "number") return atMs;
  return { kind: pattern.kind, path, atMs, staleAfterMs: pattern.staleAfterMs };
}

async function momentOf(tree: Tree, path: string, at: MarkerPattern["at"]): Promise<number | NotRead> {
  if (at === "file-time") {
    try {
      return (await tree.stat(path)).modifiedAtMs;
    } catch (refusal) {
      return refusedRead(path, refusal);
    }
  }
  if (at === "text-epoch-s") {
    const read = await readStable(tree, path, { maxBytes: MAX_MARKER_BYTES });
    if (read.outcome === "not-read") return read.notRead;
    const isText = judgeEncoding(read.bytes).encoding === "utf-8";
    const text = isText ? decodeUtf8(read.bytes).trim() : "";
    const reading = /^\d+(\.\d+)?$/.test(text) ? readInstant(Number(text), "epoch-s") : undefined;
    return reading?.outcome === "instant" ? reading.atMs : noMoment(path);
  }
  const file = await readJsonFile(tree, path, { maxBytes: MAX_MARKER_BYTES });
  if (file.outcome === "not-read") return file.notRead;
  const reading = file.outcome === "read" ? readInstant(valueAt(file.value, at.pointer), at.unit) : undefined;
  return reading?.outcome === "instant" ? reading.atMs : noMoment(path);
}

function noMoment(path: string): NotRead {
  return notRead(path, "unsupported", `${path} does not hold a moment in the form that its layout has`);
}
