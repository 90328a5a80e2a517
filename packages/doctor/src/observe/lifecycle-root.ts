/**
 * Reads the lifecycle folders below one root, and the ledger beside them: list, read, list again, until both lists are equal, so that a
 * task that is moved meanwhile is not seen twice or not at all. A file that is not finished and changed a moment ago may still be
 * written. Says of a header that could not be read where it is and of what kind the fault is, and nothing of what stands in it.
 */
import { FOLDERS, LEDGER, LIFECYCLE, type LifecycleReading, MAX_OBJECT_BYTES, readLedger, readLifecycle, RECORD_FILE, type TreeFile } from "@casebook/dispatcher/judge";
import type { LifecycleObservation, MoveOnRecord, NotRead } from "../observation.ts";
import { MAX_READ_ATTEMPTS, notRead, readMany, readStable, type ReadOptions, refusedRead } from "../read/index.ts";
import { treeErrorCode } from "../trees/tree-error.ts";
import type { Tree, TreeKind } from "../tree.ts";
import { movesOf } from "./moves.ts";

/** Objects and records of one root; more are another kind of store, and what is beyond is named. */
export const MAX_LIFECYCLE_FILES = 20_000;
const MAX_RECORD_BYTES = 64 * 1024;
/** Objects of one kind of fault that are named. */
const MAX_NAMED = 20;
const OLD_LAYOUT = ["tasks", "log"];
/** What people put into empty folders, or beside work. */
const BESIDE = /^(?:\..*|README\.md|.*\.(?:json|jsonl|txt|ya?ml))$/i;

export interface LifecycleRootReading {
  readonly observation: LifecycleObservation | undefined;
  readonly notRead: readonly NotRead[];
  readonly residue: readonly string[];
}

/** `places`: nothing outside of them is asked for, so that of folders that are named alone no ledger is read. */
export async function readLifecycleRoot(whole: Tree, root: string, graceMs: number, nowMs: number, places: readonly string[], options: ReadOptions): Promise<LifecycleRootReading> {
  const isInside = (path: string) => places.some((place) => path === place || path.startsWith(place.endsWith("/") ? place : `${place}/`) || place.includes("*"));
  const tree: Tree = { ...whole, list: async (path) => (isInside(path) ? whole.list(path) : []) };
  try {
    for (let attempt = 1; attempt <= MAX_READ_ATTEMPTS; attempt += 1) {
      if (attempt > 1) await options.pause?.();
      const listed = await listRoot(tree, root);
      const read = await readFiles(tree, root, listed.paths.slice(0, MAX_LIFECYCLE_FILES), options);
      const again = await listRoot(tree, root);
      if (again.paths.join("\n") !== listed.paths.join("\n")) continue;
      const beyond = listed.paths.length - MAX_LIFECYCLE_FILES;
      const limit = beyond > 0 ? [notRead(`${root}/${LIFECYCLE}`, "unsupported", `${beyond} files of ${root} beyond the first ${MAX_LIFECYCLE_FILES} were not read`)] : [];
      return readingOf(root, graceMs, nowMs, { ...read, notRead: [...listed.notRead, ...limit, ...read.notRead] });
    }
    const moved = `the folders of ${root} changed during each of ${MAX_READ_ATTEMPTS} looks; run again when their writers are quiet`;
    return { observation: undefined, notRead: [notRead(`${root}/${LIFECYCLE}`, "unstable-input", moved)], residue: [] };
  } catch (refusal) {
    return { observation: undefined, notRead: [refusedRead(`${root}/${LIFECYCLE}`, refusal)], residue: [] };
  }
}

interface Listed {
  /** Below the root, sorted. */
  readonly paths: readonly string[];
  readonly notRead: readonly NotRead[];
}

async function listRoot(tree: Tree, root: string): Promise<Listed> {
  const paths: string[] = [];
  const missed: NotRead[] = [];
  const closed = (path: string, kind: TreeKind) => missed.push(notRead(path, "unsupported", `${path} is ${kind === "link" ? "a link, and links are not followed: one mount has all five folders, or a move is no rename" : "neither a file nor a folder"}`));
  for (const folder of FOLDERS) {
    for (const { name, kind } of await listOrNone(tree, `${root}/${LIFECYCLE}/${folder}`)) {
      if (kind === "file") paths.push(`${LIFECYCLE}/${folder}/${name}`);
      else if (kind !== "directory") closed(`${root}/${LIFECYCLE}/${folder}/${name}`, kind);
    }
  }
  for (const { name, kind } of await listOrNone(tree, `${root}/${LIFECYCLE}`)) {
    if (kind === "link" || kind === "other") closed(`${root}/${LIFECYCLE}/${name}`, kind);
    else if (kind === "file" && /^(?:TASK|REPORT|ISSUE|REVIEW)-/.test(name)) paths.push(`${LIFECYCLE}/${name}`);
  }
  for (const { name, kind } of await listOrNone(tree, `${root}/${LEDGER}`)) if (kind === "directory" && /^\d{8}$/.test(name)) paths.push(`${LEDGER}/${name}/${RECORD_FILE}`);
  for (const folder of OLD_LAYOUT) for (const { name, kind } of await listOrNone(tree, `${root}/${folder}`)) if (kind === "file" && /^TASK-.*\.md$/.test(name)) paths.push(`${folder}/${name}`);
  return { paths: paths.toSorted(), notRead: missed };
}

/** One that refuses is not the same as one that is not there. */
async function listOrNone(tree: Tree, path: string): Promise<readonly { readonly name: string; readonly kind: TreeKind }[]> {
  try {
    return await tree.list(path);
  } catch (refusal) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(treeErrorCode(refusal))) return [];
    throw refusal;
  }
}

interface ReadFiles extends Listed {
  readonly files: readonly TreeFile[];
  readonly changedAtMs: ReadonlyMap<string, number>;
}

async function readFiles(tree: Tree, root: string, paths: readonly string[], options: ReadOptions): Promise<ReadFiles> {
  const files: TreeFile[] = [];
  const missed: NotRead[] = [];
  const changedAtMs = new Map<string, number>();
  const { answers } = await readMany(paths, async (path) => {
    const maxBytes = path.startsWith(LEDGER) ? MAX_RECORD_BYTES : MAX_OBJECT_BYTES;
    return { path, read: await readStable(tree, `${root}/${path}`, { ...options, maxBytes }) };
  });
  for (const { path, read } of answers) {
    if (read.outcome === "read") {
      files.push({ path, bytes: read.bytes });
      changedAtMs.set(path, read.stat.modifiedAtMs);
    } else if (path.startsWith(LEDGER) && read.notRead.evidence.firstLines?.[0] === "ENOENT") {
      // The folder of a number is there and its record is not: a gap, which the reader of the ledger names.
    } else missed.push(read.notRead);
  }
  return { paths, files, changedAtMs, notRead: missed };
}

function readingOf(root: string, graceMs: number, nowMs: number, { paths, files, changedAtMs, notRead: missed }: ReadFiles): LifecycleRootReading {
  const whole = readLifecycle(files, "conflicts", "count");
  const isYoung = (path: string) => nowMs - (changedAtMs.get(path) ?? 0) < graceMs;
  const residue = whole.problems.filter(({ code, path }) => code === "LEFTOVER" && !isYoung(path)).map(({ path }) => `${root}/${path}`);
  const problems = whole.problems.filter(({ code, path }) => code !== "LEFTOVER" && !(isObjectFault(code) && BESIDE.test(path.slice(path.lastIndexOf("/") + 1))));
  const reading: LifecycleReading = { ...whole, problems };
  const histories = new Map<string, readonly MoveOnRecord[]>();
  const unread: NotRead[] = [];
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]));
  for (const { path } of whole.sources) {
    const moves = movesOf(bytesOf.get(path) as Uint8Array);
    if (moves.outcome === "moves") histories.set(path, moves.moves);
    if (moves.outcome === "problem") unread.push(notRead(`${root}/${path}`, "unsupported", `the moves in ${root}/${path} could not be read: ${moves.says}`, moves.code));
  }
  const ledger = paths.some((path) => path.startsWith(LEDGER)) ? readLedger(withMissing(paths, files)) : undefined;
  const named = problems.map(({ code, path }) => {
    const full = `${root}/${path}`;
    if (code === "OBJECT_UNFINISHED" && isYoung(path)) return notRead(full, "unstable-input", `${full} has a header that has not ended and changed a moment ago: its writer may be at work; run again`, code);
    return notRead(full, code === "MIXED_TOPOLOGY" ? "missing-input" : "unsupported", `${full} ${WORDS[code] ?? "could not be read"} (${code})`, code);
  });
  const rest = named.length - MAX_NAMED;
  const more = rest > 0 ? [notRead(`${root}/${LIFECYCLE}`, "unsupported", `${rest} more files of ${root} could not be read`)] : [];
  const records = (ledger?.problems ?? [])
    .filter(({ code }) => code !== "LEDGER_GAP")
    .map(({ seq, task, says, code }) => notRead(`${root}/${LEDGER}/${String(seq).padStart(8, "0")}/${RECORD_FILE}`, "unsupported", `record ${seq} of the ledger of ${root}${task === undefined ? "" : ` (${task})`} could not be read: ${says}`, code));
  const observation: LifecycleObservation = { kind: "lifecycle", root, graceMs, reading, ledger, histories };
  return { observation, notRead: [...missed, ...named.slice(0, MAX_NAMED), ...more, ...records, ...unread], residue };
}

/** A number whose record is not there counts as the newest number all the same. */
function withMissing(paths: readonly string[], files: readonly TreeFile[]): readonly TreeFile[] {
  const read = new Set(files.map(({ path }) => path));
  const newest = paths.filter((path) => path.startsWith(LEDGER)).at(-1);
  // Zero bytes are what somebody sees who looks between the creation and the writing.
  return newest === undefined || read.has(newest) ? files : [...files, { path: newest, bytes: new Uint8Array(0) }];
}

function isObjectFault(code: string): boolean {
  return code.startsWith("OBJECT_") || code === "NOT_AN_OBJECT";
}

const WORDS: Readonly<Record<string, string>> = {
  OBJECT_TOO_LARGE: "is larger than an object may be",
  OBJECT_NOT_TEXT: "is not UTF-8, or was cut inside a character",
  OBJECT_UNFINISHED: "has a header that never ends",
  OBJECT_HEADER_INVALID: "has no header that names its kind, its id and whom it is from and for",
  NOT_AN_OBJECT: "has a name that does not end with .md",
  FOLDER_UNKNOWN: "lies outside of the five folders",
  MIXED_TOPOLOGY: "is of the layout before this one, and beside _lifecycle/ nobody can say which of them counts",
};

