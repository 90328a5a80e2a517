/** One layout, read: its registries, its tasks, the traces of its runs, and what could not be read of it. */
import type { ArtefactObservation, LayoutObservation, MarkerObservation, NotRead, ReceiptLogObservation } from "../observation.ts";
import type { ArtefactPattern, MarkerPattern, Preset, ReceiptLogPattern } from "../preset.ts";
import { notRead, type ReadOptions } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { awakeSpans } from "./awake.ts";
import type { FoundRegistry } from "./find-registries.ts";
import { readInRecordRuns } from "./in-record-runs.ts";
import { readMarker } from "./markers.ts";
import type { ObserveOptions } from "./options.ts";
import type { PromptFolders } from "./prompts.ts";
import { readReceiptLog } from "./receipt-log.ts";
import { readRegistry, type RegistryReading } from "./read-registry.ts";
import { tasksOf } from "./tasks.ts";
import { readOutputFiles, readSessionFiles } from "./trace-files.ts";
import { readRunLogs, readTranscripts } from "./trace-lines.ts";
import { runsOf, type TraceReading } from "./traces.ts";

/** The files of one installation of one layout. */
export interface Instance {
  readonly preset: Preset;
  readonly registries: readonly FoundRegistry[];
  /** Where another registry could be that was not seen. */
  readonly hidden: readonly NotRead[];
  /** Undefined: the layout has none. */
  readonly prompts: PromptFolders | undefined;
  readonly traces: readonly { readonly pattern: ArtefactPattern; readonly path: string; readonly captures: readonly string[] }[];
  readonly markers: readonly { readonly pattern: MarkerPattern; readonly path: string }[];
  readonly receipts: readonly { readonly pattern: ReceiptLogPattern; readonly path: string }[];
  readonly residue: readonly string[];
}

export interface LayoutReading {
  readonly layout: LayoutObservation;
  /** Every file that it accounts for. */
  readonly files: readonly string[];
}

export async function readLayout(tree: Tree, instance: Instance, options: ObserveOptions, read: ReadOptions): Promise<LayoutReading> {
  const { preset, prompts } = instance;
  const registries: RegistryReading[] = [];
  for (const found of instance.registries) registries.push(await readRegistry(tree, found, options.machineZone, read));
  const observations = registries.map(({ observation }) => observation);
  const records = registries.map(({ observation, records }) => ({ ...observation, records }));
  const tasks = tasksOf(records, prompts);
  const traces = await readTraces(tree, instance, registries, new Set(tasks.map(({ id }) => id)), read);
  const markers: MarkerObservation[] = [];
  const missed: NotRead[] = [...registries.flatMap((one) => one.notRead), ...(prompts?.notRead ?? []), ...traces.flatMap((one) => one.notRead)];
  for (const { path, pattern } of instance.markers) {
    const marker = await readMarker(tree, path, pattern);
    if ("atMs" in marker) markers.push(marker);
    else missed.push(marker);
  }
  const receiptLogs: ReceiptLogObservation[] = [];
  for (const { path, pattern } of instance.receipts) {
    const { log, notRead: unread } = await readReceiptLog(tree, path, pattern, read);
    if (log !== undefined) receiptLogs.push(log);
    missed.push(...unread);
  }
  missed.push(...whatIsAbsent(instance));
  const artefacts = artefactsOf(preset, traces, missed);
  const provenAtMs = [
    ...observations.map(({ modifiedAtMs }) => modifiedAtMs),
    ...observations.flatMap(({ skips }) => skips.flatMap(({ atMs }) => atMs)),
    ...tasks.flatMap(({ lastRun, running }) => [lastRun?.atMs ?? Number.NaN, running?.atMs ?? Number.NaN]),
    ...markers.map(({ atMs }) => atMs),
    ...traces.flatMap((one) => [...one.writtenAtMs, ...one.traces.map(({ startedAtMs }) => startedAtMs)]),
  ];
  const files = filesOf(instance, registries);
  const layout: LayoutObservation = {
    preset,
    places: placesOf(instance),
    registries: observations,
    ...(instance.hidden.length === 0 ? {} : { hiddenRegistries: instance.hidden.map(({ what }) => what) }),
    tasks,
    promptFolders: prompts === undefined || prompts.roots.length === 0 ? undefined : prompts.folders.length,
    artefacts,
    markers,
    ...(preset.receipts === undefined ? {} : { receiptLogs }),
    residue: instance.residue,
    awake: awakeSpans(provenAtMs, options.nowMs),
    notRead: missed,
    filesSeen: files.length,
  };
  return { layout, files };
}

async function readTraces(
  tree: Tree,
  instance: Instance,
  registries: readonly RegistryReading[],
  taskIds: ReadonlySet<string>,
  options: ReadOptions,
): Promise<TraceReading[]> {
  const readings: TraceReading[] = [];
  for (const pattern of instance.preset.artefacts) {
    const files = instance.traces.filter((trace) => trace.pattern === pattern);
    const paths = files.map(({ path }) => path);
    const named = files.map(({ path, captures }) => ({ path, taskId: captures[0] }));
    if (pattern.kind === "in-record") readings.push(readInRecordRuns(registries.flatMap(({ records }) => records), pattern, instance.preset.fields.known));
    if (pattern.kind === "json-file") readings.push(await readSessionFiles(tree, paths, pattern, taskIds, options));
    if (pattern.kind === "json-line") readings.push(await readRunLogs(tree, named, pattern, options));
    if (pattern.kind === "transcript") readings.push(await readTranscripts(tree, paths, pattern, options));
    if (pattern.kind === "output-file") readings.push(await readOutputFiles(tree, named));
  }
  return readings;
}

/** Undefined with a reason in `missed` when the layout leaves traces and none of any age is there. */
function artefactsOf(preset: Preset, traces: readonly TraceReading[], missed: NotRead[]): ArtefactObservation | undefined {
  if (preset.artefacts.length === 0) return undefined;
  const all = traces.flatMap((reading) => reading.traces);
  const files = traces.reduce((sum, reading) => sum + reading.files, 0);
  const lines = traces.reduce((sum, reading) => sum + reading.lines, 0);
  const damaged = traces.flatMap((reading) => reading.damaged);
  // Records that stand there in another shape are no absence.
  if (all.length === 0 && !damaged.some(({ place }) => place.pointer !== undefined)) {
    const kinds = [...new Set(preset.artefacts.map(({ kind }) => WORDS[kind]))].join(" or ");
    const where = files + lines === 0 ? "none was found" : `0 of ${files} files and ${lines} lines is one`;
    const message = `no ${kinds} of any age: ${where}. Either nothing ever ran, or the evidence was cleaned up or is elsewhere`;
    missed.push(notRead(`traces of runs (${preset.id})`, "missing-input", message, "NO_TRACES"));
    if (damaged.length === 0) return undefined;
  }
  const passedOver = traces.map((reading) => reading.passedOver).find((one) => one !== undefined);
  const unknownWords = traces.flatMap((reading) => reading.unknownWords ?? []);
  return {
    runs: runsOf(all),
    searched: { files, lines },
    ...(passedOver === undefined ? {} : { passedOver }),
    damaged,
    ...(unknownWords.length === 0 ? {} : { unknownWords }),
    reachesBackToMs: all.length === 0 ? undefined : all.reduce((oldest, { startedAtMs }) => Math.min(oldest, startedAtMs), Infinity),
  };
}

const WORDS: Readonly<Record<ArtefactPattern["kind"], string>> = {
  "json-file": "session file",
  "json-line": "run log line",
  transcript: "transcript",
  "output-file": "output file",
  "in-record": "run in a record",
};

function whatIsAbsent({ preset, registries, hidden, prompts, receipts }: Instance): NotRead[] {
  const absent: NotRead[] = [];
  if (registries.length === 0 && hidden.length > 0) absent.push(...hidden);
  else if (registries.length === 0 && preset.registries.length > 0) {
    const message = `no registry of ${preset.id} in the places looked in (${preset.registries.map(({ glob }) => glob).join(", ")}), although other files of it are there`;
    absent.push(notRead(`registry (${preset.id})`, "missing-input", message, "NO_REGISTRY"));
  }
  if (receipts.length === 0 && preset.receipts !== undefined) {
    const message = `no receipt log of ${preset.id} in the places looked in (${preset.receipts.map(({ glob }) => glob).join(", ")})`;
    absent.push(notRead(`receipt log (${preset.id})`, "missing-input", message, "NO_RECEIPT_LOG"));
  }
  if (prompts !== undefined && prompts.roots.length === 0) {
    const message = `no folder of prompts of ${preset.id} in the places looked in (${preset.prompts?.glob ?? ""}), so that nothing is known of any prompt`;
    absent.push(notRead(`prompts (${preset.id})`, "missing-input", message, "NO_PROMPT_FOLDER"));
  }
  return absent;
}

function placesOf({ registries, prompts, markers, traces, receipts }: Instance): string[] {
  const registryPaths = registries.map(({ path }) => path);
  const others = registryPaths.length > 0 ? [] : [...markers, ...traces, ...receipts].slice(0, 1).map(({ path }) => path);
  return [...registryPaths, ...others, ...(prompts?.roots ?? [])];
}

function filesOf(instance: Instance, registries: readonly RegistryReading[]): string[] {
  const paths = [
    ...instance.registries.map(({ path }) => path),
    ...registries.flatMap(({ alsoRead }) => alsoRead),
    ...(instance.prompts?.files ?? []),
    ...instance.traces.map(({ path }) => path),
    ...instance.markers.map(({ path }) => path),
    ...instance.receipts.map(({ path }) => path),
    ...instance.residue,
  ];
  return [...new Set(paths)];
}
