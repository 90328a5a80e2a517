/**
 * `casebook doctor [path…]`: did my agents really run last night? Hands the machine to the doctor: its disk, its clock, its
 * zone, its home. Reads and prints; writes nothing and sends nothing.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import {
  customPreset,
  type DoctorReport,
  examine,
  GUARD_IDS,
  type Observation,
  observe,
  type ObserveOptions,
  type Preset,
  PRESETS,
  type Redaction,
  shellWord,
  type Tree,
  writeHuman,
  writeOpenMetrics,
  writeReportJson,
} from "@casebook/doctor";
import { nativePathOf, resolvePlace, usualPlaces } from "@casebook/doctor/node";
import { EXIT, exitCodeFor } from "@casebook/verdict";
import type { Answer } from "../answer.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";
import { interruptible, soFar } from "./interruptible.ts";
import { type Machine, THIS_MACHINE } from "./machine.ts";
import { type DoctorWords, type Format, readFormat, readInstant, readOnly, readSince, readZone } from "./doctor-options.ts";

const DEFAULT_SINCE = "24h";
const BETWEEN_ATTEMPTS_MS = 50;

export async function doctor(paths: readonly string[], words: DoctorWords, machine: Machine = THIS_MACHINE): Promise<Answer> {
  if (words.selfTest === true) {
    const { selfTest } = await import("./doctor-self-test.ts");
    return selfTest(paths, words);
  }
  const format = readFormat(words);
  const nowMs = words.now === undefined ? machine.now() : readInstant(words.now, "--now");
  const fromMs = readSince(words.since ?? DEFAULT_SINCE, nowMs);
  // oxlint-disable-next-line casebook/no-locale -- the command line is who hands the machine's zone in
  const zone = readZone(words.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const only = readOnly(words.only, GUARD_IDS);
  const presets = presetsOf(words);
  const places = await placesOf(paths, words, machine);
  const { observation, ended } = await read(machine.tree(), {
    places,
    presets,
    nowMs,
    machineZone: zone,
    now: () => performance.now(),
    pause: () => wait(BETWEEN_ATTEMPTS_MS),
  });
  const report = examine(observation, {
    fromMs,
    toMs: nowMs,
    nowMs,
    zone,
    only,
    tool: { name: "casebook doctor", version: VERSION },
    command: commandOf(paths, words),
    clock: words.now === undefined ? "machine" : "as-if",
  });
  return { text: written(report, format, { homes: machine.homes() }), exitCode: ended === "interrupted" ? EXIT.interrupted : exitOf(report) };
}

/** Ctrl-C ends the reading and not the answer; a second one ends the process as ever. */
async function read(tree: Tree, options: ObserveOptions): Promise<{ observation: Observation; ended: "whole" | "interrupted" }> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt);
  try {
    const observation = await observe(interruptible(tree, interruption.signal), options);
    return interruption.signal.aborted ? { observation: soFar(observation), ended: "interrupted" } : { observation, ended: "whole" };
  } finally {
    process.removeListener("SIGINT", interrupt);
  }
}

/** Nothing recognised is no verdict: it is never "nothing wrong". */
function exitOf(report: DoctorReport): Answer["exitCode"] {
  return report.tally.planned === 0 ? EXIT.noVerdict : exitCodeFor(report.tally);
}

function written(report: DoctorReport, format: Format, redaction: Redaction): string {
  if (format === "json") return writeReportJson(report, redaction);
  return format === "openmetrics" ? writeOpenMetrics(report, redaction) : writeHuman(report, redaction);
}

function presetsOf(words: DoctorWords): readonly Preset[] {
  const { registry, schedule, records, id, lastRun, enabled, receipts } = words;
  if (registry === undefined) {
    const stray = (["records", "id", "schedule", "lastRun", "enabled"] as const).find((word) => words[word] !== undefined);
    if (stray !== undefined) throw new UsageError(`--${stray === "lastRun" ? "last-run" : stray} describes a layout and needs --registry <file>.`);
    if (receipts === undefined) return PRESETS;
  } else if (schedule === undefined) throw new UsageError("--registry needs --schedule <pointer>, such as --schedule /schedule/expr.");
  const answer = customPreset({
    ...(registry === undefined ? {} : { registry }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(receipts === undefined ? {} : { receipts }),
    ...(records === undefined ? {} : { records }),
    ...(id === undefined ? {} : { id }),
    ...(lastRun === undefined ? {} : { lastRun }),
    ...(enabled === undefined ? {} : { enabled }),
  });
  if (answer.outcome === "problem") throw new UsageError(answer.message);
  return [answer.preset];
}

/** What was named, or the usual places of this machine. A path that is not there is a wrong word, not an empty place. */
async function placesOf(paths: readonly string[], { registry, receipts }: DoctorWords, { placeOf }: Machine): Promise<string[]> {
  const named = paths.length === 0 ? [registry, receipts].flatMap((file) => file ?? []) : paths;
  const places: string[] = [];
  for (const path of named) {
    const place = await placeOf(path);
    if (place === undefined) throw new UsageError(`there is nothing at ${JSON.stringify(path)}. Give a folder or a registry file, or no path for the usual places.`);
    places.push(place);
  }
  if (places.length > 0) return places;
  const { APPDATA: appData, LOCALAPPDATA: localAppData, CLAUDE_CONFIG_DIR: claudeConfigDir } = process.env;
  const usual = usualPlaces({ home: homedir(), platform: process.platform, appData, localAppData, claudeConfigDir }, PRESETS);
  // A place with a star in it is for the tree to expand.
  const known = usual.map((place) => (place.includes("*") ? place : resolvePlace(nativePathOf(place, process.platform), process.cwd())));
  // A project keeps its tasks beside its files, and somebody inside one means that one.
  const project = [".claude", ".qwen"].filter((name) => existsSync(name)).map((name) => resolvePlace(name, process.cwd()));
  return [...new Set([...known, ...project])];
}

/** What to type to look again, in the words that were typed. */
function commandOf(paths: readonly string[], words: DoctorWords): string {
  const options = [
    ["--since", words.since],
    ["--now", words.now],
    ["--zone", words.zone],
    ["--registry", words.registry],
    ["--records", words.records],
    ["--id", words.id],
    ["--schedule", words.schedule],
    ["--last-run", words.lastRun],
    ["--enabled", words.enabled],
    ["--receipts", words.receipts],
  ].flatMap(([option, value]) => (option === undefined || value === undefined ? [] : [option, shellWord(value)]));
  return ["casebook doctor", ...paths.map(shellWord), ...options].join(" ");
}
