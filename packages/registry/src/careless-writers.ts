/** What writers do that lose entries. Kept as named policies, so that the loss can be shown and a guard tried on it. */
import type { JsonObject, JsonValue } from "./judge/document.ts";
import { judgeEntry } from "./judge/entry.ts";
import type { RegistryShape } from "./judge/shape.ts";
import type { Task } from "./judge/task.ts";
import { documentOf, openRegistry } from "./registry-text.ts";
import { planWrite, refuse, type WriteIntent, type WritePlan, type WriteRefusal } from "./plan-write.ts";
import type { StableRead } from "./stable-read.ts";
import { fileProblem } from "./judge/reading.ts";

/** A file that could not be read counts as one that is not there; the next write replaces it. */
export function planAfterUnreadableAsEmpty(
  read: StableRead,
  shape: RegistryShape,
  intent: WriteIntent,
): WritePlan | WriteRefusal {
  const opened = openRegistry(read, shape, intent.id);
  const seen = "problem" in opened ? { problem: fileProblem("REGISTRY_MISSING", "taken for missing") } : read;
  return planWrite(seen, shape, intent);
}

/** Writes what the loader kept in memory: entries it set aside and every key it does not know are gone. */
export function planWriteBackLoaded(
  read: StableRead,
  shape: RegistryShape,
  intent: WriteIntent,
): WritePlan | WriteRefusal {
  const opened = openRegistry(read, shape, intent.id);
  if ("problem" in opened) return planWrite(read, shape, intent);
  const kept = opened.entries.flatMap((raw) => judgeEntry(raw, "as-written").task ?? []).map(entryOf);
  const changed = kept.map((entry) =>
    intent.kind === "update" && entry["id"] === intent.id ? { ...entry, ...definedOf(intent.change) } : entry,
  );
  const all = intent.kind === "create" ? [...changed, intent.entry] : changed;
  const bytes = documentOf(
    shape,
    all.map((entry) => [String(entry["id"]), entry]),
  );
  return bytes === undefined
    ? refuse("REGISTRY_WRITE_REFUSED", "no list is declared authoritative")
    : { outcome: "planned", bytes };
}

function entryOf(task: Task): JsonObject {
  const { id, enabled, schedule, lastRunAtMs } = task;
  const when: JsonObject =
    schedule.kind === "once"
      ? { fireAt: schedule.atMs }
      : { cronExpression: schedule.expression, ...definedOf({ zone: schedule.zone }) };
  return {
    id,
    enabled,
    ...when,
    ...(lastRunAtMs === undefined ? {} : { lastRunAt: new Date(lastRunAtMs).toISOString() }),
  };
}

function definedOf(values: object): JsonObject {
  const defined = Object.entries(values).filter((pair): pair is [string, JsonValue] => pair[1] !== undefined);
  return Object.fromEntries(defined);
}
