/** Things that look like lists of tasks in files that no layout owns, each with the command that would read it. */
import { escapePointerToken, isTaskId, type JsonValue } from "@casebook/registry/judge";
import type { Candidate } from "../observation.ts";
import { readDocumentFile, readMany, syntaxOf, type ReadOptions } from "../read/index.ts";
import { shellWord } from "../report/shell-word.ts";
import type { Tree } from "../tree.ts";
import { enabledOf, lastRunOf, schedulesOf } from "./candidate-fields.ts";
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
  /** Files that were looked into, and in words why nothing could be read from one. */
  readonly asked: readonly { readonly path: string; readonly unread?: string }[];
}

export async function findCandidates(tree: Tree, paths: readonly string[], options: ReadOptions): Promise<FoundCandidates> {
  const likely = paths.toSorted((one, other) => likeliness(other) - likeliness(one));
  const asked = likely.slice(0, MAX_CANDIDATE_FILES);
  const { answers } = await readMany(asked, async (path) => ({
    path,
    file: await readDocumentFile(tree, path, { ...options, maxBytes: syntaxOf(path) === "YAML" ? MAX_YAML_CANDIDATE_BYTES : MAX_CANDIDATE_BYTES }),
  }));
  const candidates = answers.flatMap(({ path, file }) => (file.outcome === "read" ? candidatesIn(path, file.value) : []));
  const into = answers.map(({ path, file }) => {
    if (file.outcome === "read") return { path };
    return { path, unread: file.outcome === "not-read" ? file.notRead.message : `${path} could not be read as ${file.syntax}: ${file.problem.say}` };
  });
  const left = likely.length - asked.length;
  const capped = left > 0 ? [`candidates: ${MAX_CANDIDATE_FILES} JSON and YAML files looked into, ${left} not`] : [];
  return { candidates: candidates.toSorted((one, other) => (one.path < other.path ? -1 : 1)), capped, asked: into };
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
  const id = Array.isArray(value) ? commonKey(sample) : (commonKey(sample) ?? "key");
  const schedules = schedulesOf(sample);
  if (id === undefined || schedules.length === 0) return undefined;
  const lastRun = lastRunOf(sample);
  const enabled = enabledOf(sample);
  const keys = [id, ...schedules.map((one) => one.pointer), ...(lastRun === undefined ? [] : [lastRun.pointer]), ...(enabled === undefined ? [] : [enabled])];
  const read = schedules.filter(({ kind }) => kind !== "seconds").map(({ word }) => word);
  const tryThis = read.length === 0 ? "nothing yet: its cron expressions have six fields, and five are read" : commandFor(path, pointer, id, read, lastRun?.word, enabled);
  return { path, pointer, objects: members.length, keys, tryThis };
}

const ID_LIKE = /^(_?id|uid|uuid|slug|key|name|(task|job|routine|agent)_?(id|name))$/i;

/** The first key, as a pointer, under which at least half of the objects have an id that could be used. */
function commonKey(sample: readonly JsonValue[]): string | undefined {
  const keys = sample.filter(isObject).flatMap((one) => Object.keys(one).filter((key) => ID_LIKE.test(key) && isUsable(one[key])));
  const key = keys.find((one) => keys.filter((other) => other === one).length * 2 >= sample.length);
  return key === undefined ? undefined : `/${escapePointerToken(key)}`;
}

function isUsable(id: JsonValue | undefined): boolean {
  return typeof id === "string" && isTaskId(id);
}

function commandFor(path: string, records: string, id: string, schedules: readonly string[], lastRun: string | undefined, enabled: string | undefined): string {
  const words = ["--registry", path, "--records", records === "" ? "/" : records, "--id", id, "--schedule", schedules.join(",")];
  const last = lastRun === undefined ? [] : ["--last-run", lastRun];
  const on = enabled === undefined ? [] : ["--enabled", enabled];
  return `casebook doctor ${[path, ...words, ...last, ...on].map(shellWord).join(" ")}`;
}
