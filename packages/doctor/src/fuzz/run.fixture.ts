/** One run: a tree, what is done to it, and what the doctor says, named so that one line plays it again. */
import { exitCodeFor } from "@casebook/verdict";
import type { DoctorReport } from "../doctor-report.ts";
import { examine } from "../examine/examine.ts";
import { observe } from "../observe/index.ts";
import type { FixtureFiles } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { writeHuman } from "../report/human.ts";
import { writeReportJson } from "../report/json.ts";
import { writeOpenMetrics } from "../report/openmetrics.ts";
import type { Tree } from "../tree.ts";
import { memoryTree, type FixtureEntry } from "../trees/index.ts";
import { BYTE_CHANGES, type ByteChange } from "./byte-changes.fixture.ts";
import type { Subject } from "./corpus.fixture.ts";
import { changedJson, JSON_CHANGES } from "./json-changes.fixture.ts";
import { randomOf, type Random } from "./random.fixture.ts";
import { contentOf, fileIn, TREE_CHANGES } from "./tree-changes.fixture.ts";

const DAY_MS = 86_400_000;

/** What to do, in words: which tree, which changes one after the other, and the seed that decides where. */
export interface Run {
  readonly tree: string;
  readonly changes: readonly string[];
  readonly seed: number;
}

export interface Played {
  readonly report: DoctorReport;
  readonly exit: number;
  readonly human: string;
  readonly json: string;
  readonly metrics: string;
  /** What the tree was asked, in order, as `list /path`. */
  readonly calls: readonly string[];
  /** What was looked at. */
  readonly files: FixtureFiles;
}

const FILE_CHANGES = [...Object.keys(BYTE_CHANGES), ...JSON_CHANGES];
export const CHANGES: readonly string[] = [...FILE_CHANGES, ...Object.keys(TREE_CHANGES)];

/** The tree and the changes that a seed draws; a change of the tree comes last, because it is one of a tree at work. */
export function drawRun(subjects: readonly Subject[], seed: number): Run {
  const random = randomOf(seed);
  const tree = random.pick(subjects).title;
  const last = random.pick(CHANGES);
  const first = random.below(4) === 0 ? [random.pick(FILE_CHANGES)] : [];
  return { tree, changes: [...first, last], seed };
}

/** What to type to play it again. */
export function replayLine(run: Run): string {
  return `CASEBOOK_FUZZ='${JSON.stringify(run)}' npx vitest run packages/doctor/src/fuzz/fuzz.test.ts`;
}

export async function playRun(subject: Subject, { changes, seed }: Run): Promise<Played> {
  const random = randomOf(seed);
  let files = subject.files;
  let tree: Tree | undefined;
  for (const change of changes) {
    const ofTree = TREE_CHANGES[change];
    if (ofTree !== undefined) tree = ofTree(files, random);
    else files = withChange(files, change, random);
  }
  return look(subject, files, tree ?? memoryTree(files));
}

/** The file that is changed is a registry or a trace more often than one of many prompts. */
function withChange(files: FixtureFiles, change: string, random: Random): FixtureFiles {
  const path = fileIn(files, random);
  const entry = files[path] as FixtureEntry;
  const content = contentOf(entry);
  const changed = isByteChange(change) ? bytesChanged(content, change, random) : typeof content === "string" ? changedJson(change, content, random) : undefined;
  if (changed === undefined) return files;
  return withContent(files, path, changed);
}

export function withContent(files: FixtureFiles, path: string, content: string | Uint8Array): FixtureFiles {
  const entry = files[path];
  const times = typeof entry === "object" && "content" in entry ? entry : {};
  return { ...files, [path]: { ...times, content } };
}

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

function bytesChanged(content: string | Uint8Array, change: string, random: Random): Uint8Array {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return (BYTE_CHANGES[change] as ByteChange)(bytes, random);
}

function isByteChange(change: string): boolean {
  return Object.hasOwn(BYTE_CHANGES, change);
}

/** The doctor's whole way, and everything that it prints. */
export async function look({ places, nowMs, zone }: Subject, files: FixtureFiles, inner: Tree = memoryTree(files)): Promise<Played> {
  const calls: string[] = [];
  const tree: Tree = {
    list: (path) => (calls.push(`list ${path}`), inner.list(path)),
    stat: (path) => (calls.push(`stat ${path}`), inner.stat(path)),
    readRange: (path, offset, length) => (calls.push(`read ${path}`), inner.readRange(path, offset, length)),
  };
  const observation = await observe(tree, { places, presets: PRESETS, nowMs, machineZone: zone });
  const report = examine(observation, {
    fromMs: nowMs - DAY_MS,
    toMs: nowMs,
    nowMs,
    zone,
    only: [],
    tool: { name: "casebook doctor", version: "0.0.0" },
    command: "casebook doctor",
  });
  const redaction = { homes: ["/home/ada"] };
  return {
    report,
    exit: report.tally.planned === 0 ? 3 : exitCodeFor(report.tally),
    human: writeHuman(report, redaction),
    json: writeReportJson(report, redaction),
    metrics: writeOpenMetrics(report, redaction),
    calls,
    files,
  };
}
