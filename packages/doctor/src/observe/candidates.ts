/** Things that look like lists of tasks in files that no layout owns, each with the command that would read it. */
import { escapePointerToken, instantOf, type JsonValue } from "@casebook/registry/judge";
import type { Candidate } from "../observation.ts";
import { readDocumentFile, readMany, syntaxOf, type ReadOptions } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { isObject, membersOfValue } from "./record.ts";

/** Files that are looked into, likely names first, and how large they may be. */
export const MAX_CANDIDATE_FILES = 200;
export const MAX_CANDIDATE_BYTES = 4 * 1024 * 1024;
/** YAML takes a hundred times as long as JSON, and what is larger is no list of tasks: a lock file, or generated. */
export const MAX_YAML_CANDIDATE_BYTES = 128 * 1024;
/** How deep below the top of a document, how many objects of a list, how many candidates of one file. */
const MAX_DEPTH = 3;
const SAMPLE = 20;
const MAX_MEMBERS = 1_000;
const MAX_OF_ONE_FILE = 5;

export interface FoundCandidates {
  readonly candidates: readonly Candidate[];
  readonly capped: readonly string[];
}

export async function findCandidates(tree: Tree, paths: readonly string[], options: ReadOptions): Promise<FoundCandidates> {
  const likely = paths.toSorted((one, other) => likeliness(other) - likeliness(one));
  const asked = likely.slice(0, MAX_CANDIDATE_FILES);
  const { answers } = await readMany(asked, async (path) => ({
    path,
    file: await readDocumentFile(tree, path, { ...options, maxBytes: syntaxOf(path) === "YAML" ? MAX_YAML_CANDIDATE_BYTES : MAX_CANDIDATE_BYTES }),
  }));
  const candidates = answers.flatMap(({ path, file }) => (file.outcome === "read" ? candidatesIn(path, file.value) : []));
  const left = likely.length - asked.length;
  const capped = left > 0 ? [`candidates: ${MAX_CANDIDATE_FILES} JSON and YAML files looked into, ${left} not`] : [];
  return { candidates: candidates.toSorted((one, other) => (one.path < other.path ? -1 : 1)), capped };
}

function likeliness(path: string): number {
  return /sched|cron|task|job|routine|automation|agent|watch/i.test(path.slice(path.lastIndexOf("/"))) ? 1 : 0;
}

export function candidatesIn(path: string, document: JsonValue): Candidate[] {
  const found: Candidate[] = [];
  const queue: { pointer: string; value: JsonValue; depth: number }[] = [{ pointer: "", value: document, depth: 0 }];
  for (const at of queue) {
    if (found.length === MAX_OF_ONE_FILE) break;
    const candidate = candidateAt(path, at.pointer, at.value);
    if (candidate !== undefined) found.push(candidate);
    else if (at.depth < MAX_DEPTH) {
      const members = membersOfValue(at.value, at.pointer).slice(0, isObject(at.value) ? MAX_MEMBERS : SAMPLE);
      for (const { pointer, value } of members) queue.push({ pointer, value, depth: at.depth + 1 });
    }
  }
  return found;
}

function candidateAt(path: string, pointer: string, value: JsonValue): Candidate | undefined {
  const members = membersOfValue(value, pointer).filter((member) => isObject(member.value));
  if (members.length === 0 || (isObject(value) && members.length < Object.keys(value).length)) return undefined;
  const sample = members.slice(0, SAMPLE).map((member) => member.value);
  const id = Array.isArray(value) ? commonKey(sample, ID_LIKE) : (commonKey(sample, ID_LIKE) ?? "key");
  const schedule = commonSchedule(sample);
  if (id === undefined || schedule === undefined) return undefined;
  const lastRun = commonKey(sample, LAST_RUN_LIKE);
  const keys = [id, schedule.pointer, ...(lastRun === undefined ? [] : [lastRun])];
  return { path, pointer, objects: members.length, keys, tryThis: commandFor(path, pointer, id, schedule.word) };
}

const ID_LIKE = /^(_?id|uid|uuid|slug|key|name|(task|job|routine|agent)_?(id|name))$/i;
const SCHEDULE_LIKE = /cron|sched|expr|interval|every|rrule|fire_?at|run_?at|due|next_?run/i;
const LAST_RUN_LIKE = /last_?(run|fired|executed)/i;

/** The first key, as a pointer, that at least half of the objects have. */
function commonKey(sample: readonly JsonValue[], like: RegExp): string | undefined {
  const keys = sample.filter(isObject).flatMap((one) => Object.keys(one).filter((key) => like.test(key)));
  const key = keys.find((one) => keys.filter((other) => other === one).length * 2 >= sample.length);
  return key === undefined ? undefined : `/${escapePointerToken(key)}`;
}

/** `word`: as `--schedule` takes it. Looks one level into an object such as `schedule`. */
function commonSchedule(sample: readonly JsonValue[]): { pointer: string; word: string } | undefined {
  const words: { pointer: string; word: string }[] = [];
  for (const one of sample.filter(isObject)) {
    for (const [key, value] of Object.entries(one)) {
      if (!SCHEDULE_LIKE.test(key) || LAST_RUN_LIKE.test(key)) continue;
      const at = `/${escapePointerToken(key)}`;
      const inner = isObject(value) ? membersOfValue(value, at) : [{ pointer: at, key, value }];
      words.push(...inner.flatMap((member) => scheduleWord(member.pointer, member.key, member.value)));
    }
  }
  // An expression before an instant, and either before `nextRun`, which is only what somebody expects.
  const rank = ({ pointer, word }: { pointer: string; word: string }): number =>
    (/next/i.test(pointer) ? 0 : 2) + (word.includes(":") ? 0 : 1);
  return words.toSorted((one, other) => rank(other) - rank(one))[0];
}

function scheduleWord(pointer: string, key: string, value: JsonValue): { pointer: string; word: string }[] {
  if (typeof value === "string" && value.trim().split(/\s+/).length === 5) return [{ pointer, word: pointer }];
  if (typeof value === "string" && instantOf(value) !== undefined) return [{ pointer, word: `once:${pointer}` }];
  if (typeof value !== "number") return [];
  if (value > 1e11) return [{ pointer, word: `once:${pointer}:epoch-ms` }];
  if (value > 1e9) return [{ pointer, word: `once:${pointer}:epoch-s` }];
  const unit = /min/i.test(key) ? "minutes" : "ms";
  return /every|interval|minutes|ms$/i.test(key) ? [{ pointer, word: `every:${pointer}:${unit}` }] : [];
}

function commandFor(path: string, records: string, id: string, schedule: string): string {
  const words = ["--registry", path, "--records", records === "" ? "/" : records, "--id", id, "--schedule", schedule];
  return `casebook doctor ${[path, ...words].map(quoted).join(" ")}`;
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
