/**
 * A preset out of a few words on the command line, for a layout that nobody described. Claims, schedules and a log of receipts: what
 * leaves traces of runs takes a preset of its own.
 */
import type { Preset, ScheduleField, TimeField, TimeUnit } from "../preset.ts";
import { HOUR_MS } from "./durations.ts";

export interface CustomWords {
  /** Path or glob of the registry: `jobs.json`, `/data/jobs.json`, `**\/agents/*.json`. Left out: there is a receipt log only. */
  readonly registry?: string;
  /** JSON pointer to the list or map of records; "" or "/" is the whole document. */
  readonly records?: string;
  /** Pointer inside a record, or `key` for a map. Default `/id`. */
  readonly id?: string;
  /**
   * `[cron:|once:|every:]pointer[:unit]`, several with commas between: `/schedule/expr`, `once:/fireAt:epoch-ms`,
   * `every:/intervalMinutes:minutes`, `every:/every:duration` (5m, PT15M). Default kind `cron`; default units `iso` and `ms`.
   */
  readonly schedule?: string;
  /** `pointer[:unit]`, default unit `iso`. */
  readonly lastRun?: string;
  /** Pointer to a boolean. Absent means on. */
  readonly enabled?: string;
  /** Path or glob of a log of command receipts. */
  readonly receipts?: string;
}

/** How long a command may be open before somebody should ask for it. */
const COMMAND_MAY_TAKE_MS = 6 * HOUR_MS;

export type CustomAnswer =
  | { readonly outcome: "preset"; readonly preset: Preset }
  | { readonly outcome: "problem"; readonly code: "CUSTOM_WORDS_INVALID"; readonly message: string };

export function customPreset(words: CustomWords): CustomAnswer {
  const schedules = words.schedule?.split(",").map(scheduleField) ?? [];
  const lastRun = words.lastRun === undefined ? undefined : timeField(words.lastRun);
  const wrong = schedules.find((field) => typeof field === "string") ?? (typeof lastRun === "string" ? lastRun : undefined);
  if (typeof wrong === "string") return problem(wrong);
  if (words.registry?.trim() === "") return problem("--registry is empty; give the path of the registry file");
  if (words.receipts?.trim() === "") return problem("--receipts is empty; give the path of the log of receipts");
  if (words.registry === undefined && words.receipts === undefined) return problem("neither --registry nor --receipts says which file it is");
  if (words.registry !== undefined && words.schedule === undefined) return problem("--registry needs --schedule <pointer>, such as --schedule /schedule/expr");
  const id = words.id ?? "/id";
  const preset: Preset = {
    id: "custom",
    title: "A layout given on the command line",
    confidence: "one-report",
    seen: ["what was typed"],
    registries: words.registry === undefined ? [] : [{ glob: fileGlob(words.registry), records: [pointer(words.records ?? "")] }],
    fields: {
      id: id === "key" ? "key" : [pointer(id)],
      // A period counts from the last run, where one is named.
      schedules: (schedules as readonly ScheduleField[]).map((field) => (field.kind === "every" && lastRun !== undefined ? { ...field, anchor: lastRun as TimeField } : field)),
      ...(lastRun === undefined ? {} : { lastRun: lastRun as TimeField }),
      ...(words.enabled === undefined ? {} : { enabled: { pointer: pointer(words.enabled), whenAbsent: true } }),
    },
    artefacts: [],
    ...(words.receipts === undefined ? {} : { receipts: [{ glob: fileGlob(words.receipts), mayTakeMs: COMMAND_MAY_TAKE_MS }] }),
    zone: "machine",
    catchUp: { policy: "latest-once", lookBackMs: 24 * HOUR_MS },
    jitter: { shareOfPeriod: 0, atMostMs: 0 },
    places: { linux: [], darwin: [], win32: [] },
  };
  return { outcome: "preset", preset };
}

function scheduleField(word: string): ScheduleField | string {
  const [, kind = "cron", at = "", unit] = /^(?:(cron|once|every):)?([^:]*)(?::(.*))?$/.exec(word.trim()) ?? [];
  if (pointer(at) === "") return `"${word}" names no field; write a JSON pointer such as /schedule/expr`;
  if (kind === "once") {
    const field = timeField(unit === undefined ? at : `${at}:${unit}`);
    return typeof field === "string" ? field : { kind, ...field };
  }
  if (kind === "every") {
    if (unit !== undefined && unit !== "ms" && unit !== "minutes" && unit !== "duration") return `"${unit}" is no unit of a period; use ms, minutes or duration`;
    return { kind, pointer: pointer(at), unit: unit ?? "ms" };
  }
  return unit === undefined ? { kind: "cron", pointer: pointer(at) } : `"${word}": a cron expression has no unit`;
}

function timeField(word: string): TimeField | string {
  const [at = "", unit = "iso"] = word.split(":");
  if (!isTimeUnit(unit)) return `"${unit}" is no unit of an instant; use iso, epoch-ms or epoch-s`;
  return { pointer: pointer(at), unit };
}

function isTimeUnit(word: string): word is TimeUnit {
  return word === "iso" || word === "epoch-ms" || word === "epoch-s";
}

function pointer(word: string): string {
  if (word === "" || word === "/") return "";
  return word.startsWith("/") ? word : `/${word}`;
}

/** A relative path may stand anywhere below a place. */
function fileGlob(word: string): string {
  const plain = word.replaceAll("\\", "/").replace(/^\.\//, "");
  return plain.startsWith("/") || plain.startsWith("**/") ? plain : `**/${plain}`;
}

function problem(why: string): CustomAnswer {
  return { outcome: "problem", code: "CUSTOM_WORDS_INVALID", message: `CUSTOM_WORDS_INVALID: ${why}.` };
}
