/** Traces that are one file each: session files, and outputs in a folder named by the task. */
import { escapePointerToken, type JsonObject, type JsonValue } from "@casebook/registry/judge";
import type { ArtefactObservation, NotRead } from "../observation.ts";
import type { ArtefactPattern } from "../preset.ts";
import { placesIn, readJsonFile, readMany, refusedRead, valueAt, type JsonFile, type ReadOptions } from "../read/index.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { readInstant } from "./instant-field.ts";
import { isObject } from "./record.ts";
import { renamedField, renamedStart } from "./trace-start.ts";
import { bornAt, type Trace, type TraceReading } from "./traces.ts";

type JsonFilePattern = Extract<ArtefactPattern, { kind: "json-file" }>;
type Damage = ArtefactObservation["damaged"][number];

/** `taskIds`: to recognise a task under a key that the layout does not have. */
export async function readSessionFiles(
  tree: Tree,
  paths: readonly string[],
  pattern: JsonFilePattern,
  taskIds: ReadonlySet<string>,
  options: ReadOptions,
): Promise<TraceReading> {
  const { answers } = await readMany(paths, async (path) => ({ path, file: await readJsonFile(tree, path, options) }));
  const traces: Trace[] = [];
  const damaged: Damage[] = [];
  const missed: NotRead[] = [];
  const writtenAtMs: number[] = [];
  for (const { path, file } of answers) {
    if (file.outcome === "not-read") {
      missed.push(file.notRead);
      continue;
    }
    writtenAtMs.push(file.stat.modifiedAtMs);
    if (file.outcome === "unreadable") {
      const { code, position } = file.problem;
      const place = position === undefined ? { path } : { path, line: position.line, column: position.column };
      damaged.push({ code, place, goodLinesAfter: 0 });
      continue;
    }
    const { trace, damage } = traceOf(path, file, pattern, taskIds);
    if (trace !== undefined) traces.push(trace);
    damaged.push(...damage);
  }
  return { traces, files: paths.length, lines: 0, damaged, notRead: missed, writtenAtMs };
}

function traceOf(
  path: string,
  file: Extract<JsonFile, { outcome: "read" }>,
  pattern: JsonFilePattern,
  taskIds: ReadonlySet<string>,
): { trace: Trace | undefined; damage: readonly Damage[] } {
  const { value, document, stat } = file;
  const damage: Damage[] = [];
  const damaged = (code: string, pointer: string): void =>
    void damage.push({ code, place: placesIn(document, path).placeOf(pointer), goodLinesAfter: 0 });
  if (!isObject(value)) {
    damaged("WRONG_SHAPE", "");
    return { trace: undefined, damage };
  }
  const id = valueAt(value, pattern.taskId) ?? undefined;
  if (id !== undefined && typeof id !== "string") damaged("TASK_ID_INVALID", pattern.taskId);
  const renamed = id === undefined ? keyNamingTask(value, taskIds) : undefined;
  if (renamed !== undefined) damaged("TASK_ID_RENAMED", `/${escapePointerToken(renamed)}`);
  const startedAtMs = startOf(value, stat, pattern, id, damaged);
  const session = sessionOf(value, pattern, typeof id === "string", damaged);
  const trace: Trace = {
    taskId: typeof id === "string" ? id : undefined,
    startedAtMs,
    trigger: "unknown",
    place: placesIn(document, path).placeOf(pattern.taskId),
    source: "json-file",
    session,
  };
  return { trace, damage };
}

function keyNamingTask(value: JsonObject, taskIds: ReadonlySet<string>): string | undefined {
  return Object.keys(value).find((key) => typeof value[key] === "string" && taskIds.has(value[key] as string));
}

/** Without it a transcript of the same run is told by its time alone. */
function sessionOf(value: JsonObject, { session }: JsonFilePattern, isRun: boolean, damaged: (code: string, pointer: string) => void): string | undefined {
  const name = session === undefined ? undefined : valueAt(value, session);
  if (typeof name === "string" || session === undefined || !isRun) return typeof name === "string" ? name : undefined;
  const renamed = renamedField(value, session);
  if (renamed !== undefined) damaged("SESSION_RENAMED", renamed);
  else if (name !== undefined && name !== null) damaged("SESSION_INVALID", session);
  return undefined;
}

/** Of somebody's conversation, which names no task, the start is of no interest. */
function startOf(
  value: JsonObject,
  stat: TreeStat,
  pattern: JsonFilePattern,
  task: JsonValue | undefined,
  damaged: (code: string, pointer: string) => void,
): number {
  for (const source of pattern.startedAt) {
    if (source === "file-birth") continue;
    const reading = readInstant(valueAt(value, source.pointer), source.unit);
    if (reading.outcome === "instant") return reading.atMs;
    if (reading.outcome === "problem") damaged("STARTED_AT_INVALID", source.pointer);
  }
  const fields = pattern.startedAt.flatMap((source) => (source === "file-birth" ? [] : [source]));
  if (task !== undefined && fields.length > 0 && fields.every(({ pointer }) => (valueAt(value, pointer) ?? undefined) === undefined)) {
    const renamed = renamedStart(value, fields);
    damaged(renamed === undefined ? "STARTED_AT_MISSING" : "STARTED_AT_RENAMED", renamed ?? "");
  }
  return bornAt(stat);
}

/** One run a file; nothing in it is read. */
export async function readOutputFiles(
  tree: Tree,
  files: readonly { readonly path: string; readonly taskId: string | undefined }[],
): Promise<TraceReading> {
  const owners = new Map(files.map(({ path, taskId }) => [path, taskId]));
  const { answers } = await readMany([...owners.keys()], async (path) => {
    try {
      return { path, stat: await tree.stat(path) };
    } catch (refusal) {
      return { path, missed: refusedRead(path, refusal) };
    }
  });
  const stats = answers.flatMap((answer) => ("stat" in answer && answer.stat !== undefined ? [{ path: answer.path, stat: answer.stat }] : []));
  const traces = stats.map(({ path, stat }): Trace => {
    return { taskId: owners.get(path), startedAtMs: bornAt(stat), trigger: "unknown", place: { path }, source: "output-file", session: undefined };
  });
  const missed = answers.flatMap((answer) => ("missed" in answer && answer.missed !== undefined ? [answer.missed] : []));
  return { traces, files: files.length, lines: 0, damaged: [], notRead: missed, writtenAtMs: stats.map(({ stat }) => stat.modifiedAtMs) };
}
