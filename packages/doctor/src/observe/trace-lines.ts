/** Traces in JSONL: run logs, one line a run; and transcripts, one file a run, whose first lines name the task. */
import type { JsonObject, JsonValue } from "@casebook/registry/judge";
import type { ArtefactObservation, NotRead, Place, UnknownWord } from "../observation.ts";
import type { ArtefactPattern } from "../preset.ts";
import { collectJsonLines, readMany, valueAt, type JsonLine, type ReadOptions } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { baseName } from "../trees/index.ts";
import { fingerprint } from "./fingerprint.ts";
import { readInstant } from "./instant-field.ts";
import { seenField } from "./seen-value.ts";
import { renamedField, renamedStart } from "./trace-start.ts";
import { bornAt, type Trace, type TraceReading } from "./traces.ts";

type LinePattern = Extract<ArtefactPattern, { kind: "json-line" }>;
type TranscriptPattern = Extract<ArtefactPattern, { kind: "transcript" }>;

/** What a transcript says about its origin stands at its beginning; a whole prompt may come before it. */
const TRANSCRIPT_HEAD_BYTES = 256 * 1024;
/** Lines of one file whose wrong field is named; the others are counted. */
const MAX_WRONG_NAMED = 100;

/** How deep in a line the text may stand: message, content, its first part, its text. */
const MAX_TEXT_DEPTH = 4;

interface Line {
  readonly kind: "run" | "other";
  readonly trace: Trace | undefined;
  readonly unknownWord?: UnknownWord;
  /** A start that stands under a name that the layout does not have, or is none; the line could be read all the same. */
  readonly odd?: { readonly code: string; readonly place: Place };
}

/** Why a line is no run although it should be: the field that is not there, or not what it should be. */
interface WrongLine {
  readonly kind: "wrong";
  readonly pointer: string;
}

export async function readRunLogs(
  tree: Tree,
  files: readonly { readonly path: string; readonly taskId: string | undefined }[],
  pattern: LinePattern,
  options: ReadOptions,
): Promise<TraceReading> {
  const owners = new Map(files.map(({ path, taskId }) => [path, taskId]));
  const { answers } = await readMany([...owners.keys()], async (path) => {
    const wrongAt = new Map<number, string>();
    const pick = (line: JsonLine): Line | "wrong-shape" => {
      const read = lineOf(path, line.value, line, pattern, owners.get(path));
      if (read.kind !== "wrong") return read;
      if (wrongAt.size < MAX_WRONG_NAMED) wrongAt.set(line.line, read.pointer);
      return "wrong-shape";
    };
    return { path, wrongAt, ...(await collectJsonLines<Line>(tree, path, pick, options)) };
  });
  const damaged: ArtefactObservation["damaged"][number][] = [];
  const missed: NotRead[] = [];
  const passedOver = { unparseable: 0, otherKind: 0, wrongShape: 0 };
  const writtenAtMs: number[] = [];
  let lines = 0;
  for (const { path, picked, scan, wrongAt } of answers) {
    if (scan.outcome === "not-read") {
      missed.push(scan.notRead);
      continue;
    }
    lines += scan.lines;
    writtenAtMs.push(scan.stat.modifiedAtMs);
    const wrongShape = scan.damageCounts.WRONG_SHAPE ?? 0;
    passedOver.wrongShape += wrongShape;
    passedOver.unparseable += scan.damagedLines - wrongShape;
    passedOver.otherKind += picked.filter(({ kind }) => kind === "other").length;
    for (const { code, line, byteOffset, goodLinesAfter } of scan.damaged) {
      const pointer = code === "WRONG_SHAPE" ? wrongAt.get(line) : undefined;
      damaged.push({ code, place: { path, line, byteOffset, ...(pointer === undefined ? {} : { pointer }) }, goodLinesAfter });
    }
    const more = scan.damagedLines - scan.damaged.length;
    // Where they stand is not known any more, so any run of this file may be one of them.
    if (more > 0) damaged.push({ code: "MORE_DAMAGED_LINES", place: { path }, goodLinesAfter: 0, times: more });
    picked.forEach(({ odd }, index) => {
      if (odd !== undefined) damaged.push({ ...odd, goodLinesAfter: picked.length - 1 - index });
    });
  }
  const traces = answers.flatMap(({ picked }) => picked.flatMap(({ trace }) => (trace === undefined ? [] : [trace])));
  const unknownWords = answers.flatMap(({ picked }) => picked.flatMap(({ unknownWord }) => (unknownWord === undefined ? [] : [unknownWord])));
  return { traces, files: files.length, lines, damaged, passedOver, unknownWords, notRead: missed, writtenAtMs };
}

function lineOf(
  path: string,
  value: JsonObject,
  where: { readonly line: number; readonly byteOffset: number },
  pattern: LinePattern,
  owner: string | undefined,
): Line | WrongLine {
  const { only, status } = pattern;
  const wrong = (pointer: string): WrongLine => ({ kind: "wrong", pointer: renamedField(value, pointer) ?? pointer });
  const word = only === undefined ? undefined : valueAt(value, only.pointer);
  if (only !== undefined && typeof word !== "string") return wrong(only.pointer);
  const isOther = only !== undefined && !only.values.includes(word as string);
  const id = pattern.taskId === "path" ? owner : valueAt(value, pattern.taskId);
  const started = pattern.startedAt.map(({ pointer, unit }) => readInstant(valueAt(value, pointer), unit));
  const at = started.find(({ outcome }) => outcome !== "absent");
  const result = status === undefined ? undefined : valueAt(value, status.pointer);
  const place = { path, line: where.line, byteOffset: where.byteOffset };
  const nobodys = (atMs: number): Trace => ({ taskId: undefined, startedAtMs: atMs, trigger: "unknown", place, source: "json-line", session: undefined });
  const unknown = (pointer: string, atMs: number): Pick<Line, "trace" | "unknownWord"> => ({
    trace: nobodys(atMs),
    unknownWord: { taskId: id as string, atMs, place: { ...place, pointer }, seen: seenField(valueAt(value, pointer)) },
  });
  if (isOther && (typeof id !== "string" || at?.outcome !== "instant")) return { kind: "other", trace: undefined };
  if (isOther && at?.outcome === "instant") return { kind: "other", ...unknown(only.pointer, at.atMs) };
  if (typeof id !== "string") return wrong(pattern.taskId === "path" ? "" : pattern.taskId);
  if (at?.outcome !== "instant") return wrong(pattern.startedAt[started.findIndex((one) => one === at)]?.pointer ?? pattern.startedAt[0]?.pointer ?? "");
  if (status !== undefined && typeof result !== "string") return wrong(status.pointer);
  const ran = status === undefined || status.ran.includes(result as string);
  if (!ran && !status.didNot.includes(result as string)) return { kind: "run", ...unknown(status.pointer, at.atMs) };
  // Written twice, a line is still one run: two runs would not end and last alike to the millisecond.
  const trace: Trace = { ...nobodys(at.atMs), taskId: ran ? id : undefined, opening: fingerprint(JSON.stringify(value)) };
  const renamed = renamedStart(value, pattern.startedAt);
  const invalid = pattern.startedAt[started.findIndex(({ outcome }) => outcome === "problem")]?.pointer;
  if (renamed !== undefined) return { kind: "run", trace, odd: { code: "STARTED_AT_RENAMED", place: { ...place, pointer: renamed } } };
  return { kind: "run", trace, ...(invalid === undefined ? {} : { odd: { code: "STARTED_AT_INVALID", place: { ...place, pointer: invalid } } }) };
}

export async function readTranscripts(
  tree: Tree,
  paths: readonly string[],
  pattern: TranscriptPattern,
  options: ReadOptions,
): Promise<TraceReading> {
  const pick = ({ value, line, byteOffset }: JsonLine) => {
    const at = readInstant(valueAt(value, pattern.startedAt.pointer), pattern.startedAt.unit);
    const taskId = taskNamedIn(value, pattern.taskMarker, 0);
    const odd = taskId === undefined || at.outcome === "instant" ? undefined : oddStart(value, pattern, at.outcome === "problem");
    const opening = taskId === undefined ? undefined : fingerprint(JSON.stringify(value));
    return { taskId, atMs: at.outcome === "instant" ? at.atMs : undefined, odd, opening, line, byteOffset };
  };
  const { answers } = await readMany(paths, async (path) => ({
    path,
    ...(await collectJsonLines(tree, path, pick, { ...options, firstBytes: TRANSCRIPT_HEAD_BYTES })),
  }));
  const traces: Trace[] = [];
  const damaged: ArtefactObservation["damaged"][number][] = [];
  const missed: NotRead[] = [];
  const writtenAtMs: number[] = [];
  let lines = 0;
  for (const { path, picked, scan } of answers) {
    if (scan.outcome === "not-read") {
      missed.push(scan.notRead);
      continue;
    }
    lines += scan.lines;
    writtenAtMs.push(scan.stat.modifiedAtMs);
    // Damage further down is the transcript's own affair; a beginning that nobody can read hides whose run it was.
    const first = scan.damaged[0];
    if (picked.length === 0 && first !== undefined) {
      const place = { path, line: first.line, byteOffset: first.byteOffset };
      damaged.push({ code: first.code, place, goodLinesAfter: first.goodLinesAfter });
    }
    const atMs = picked.find((one) => one.atMs !== undefined)?.atMs;
    const named = picked.find(({ taskId }) => taskId !== undefined);
    // A start that is only missing is on another line as often as not.
    if (named?.odd !== undefined && (named.odd.code !== "STARTED_AT_MISSING" || atMs === undefined)) {
      const { line, byteOffset, odd } = named;
      damaged.push({ code: odd.code, place: { path, line, byteOffset, pointer: odd.pointer }, goodLinesAfter: 0 });
    }
    traces.push({
      taskId: named?.taskId,
      startedAtMs: atMs ?? bornAt(scan.stat),
      trigger: "unknown",
      place: { path, line: 1 },
      source: "transcript",
      session: baseName(path).replace(/\.jsonl$/, ""),
      opening: named?.opening,
    });
  }
  return { traces, files: paths.length, lines, damaged, notRead: missed, writtenAtMs };
}

function oddStart(value: JsonObject, { startedAt }: TranscriptPattern, isInvalid: boolean): { readonly code: string; readonly pointer: string } {
  if (isInvalid) return { code: "STARTED_AT_INVALID", pointer: startedAt.pointer };
  const renamed = renamedStart(value, [startedAt]);
  return renamed === undefined ? { code: "STARTED_AT_MISSING", pointer: startedAt.pointer } : { code: "STARTED_AT_RENAMED", pointer: renamed };
}

/** A text that begins with the marker; one that only quotes it somewhere is a conversation about it. */
function taskNamedIn(value: JsonValue, marker: string, depth: number): string | undefined {
  if (typeof value === "string") {
    if (!value.startsWith(marker)) return undefined;
    const id = /^[^"<\n]+/.exec(value.slice(marker.length, marker.length + 300))?.[0];
    return id;
  }
  if (typeof value !== "object" || value === null || depth === MAX_TEXT_DEPTH) return undefined;
  const members: readonly JsonValue[] = Array.isArray(value) ? value.slice(0, 1) : Object.values(value);
  for (const member of members) {
    const id = taskNamedIn(member, marker, depth + 1);
    if (id !== undefined) return id;
  }
  return undefined;
}
