/** Decides what a write would put in the file, or why it may not. Pure: touches no disk. */
import type { JsonObject, JsonValue } from "./judge/document.ts";
import { idOf, judgeEntry } from "./judge/entry.ts";
import { ENTRY_FIELDS, type RawEntry } from "./judge/entry-rules.ts";
import { sayFileProblem, type FileProblem } from "./judge/reading.ts";
import type { RegistryShape } from "./judge/shape.ts";
import { encodeUtf8, shown } from "./judge/text.ts";
import { appendMember, documentOf, openRegistry, type OpenedRegistry, setMembers } from "./registry-text.ts";
import { MAX_REGISTRY_BYTES, type StableRead } from "./stable-read.ts";

/** What a caller may change. A key that is left out stays as it is. */
export interface TaskChange {
  readonly enabled?: boolean | undefined;
  readonly fireAt?: number | undefined;
  readonly cronExpression?: string | undefined;
  readonly zone?: string | undefined;
  /** ISO-8601 with `Z` or an offset. */
  readonly lastRunAt?: string | null | undefined;
}

export type WriteIntent =
  | { readonly kind: "create"; readonly id: string; readonly entry: JsonObject }
  | { readonly kind: "update"; readonly id: string; readonly change: TaskChange };

export type WriteRefusalCode =
  /** The file is there but was not understood; what was not read cannot be written back. */
  | "REGISTRY_WRITE_REFUSED"
  /** Someone else wrote since it was read. */
  | "REGISTRY_CHANGED"
  | "TASK_NOT_FOUND"
  | "TASK_EXISTS"
  /** Several entries have the id. */
  | "TASK_AMBIGUOUS"
  /** The entry would not load afterwards. */
  | "TASK_INVALID";

export interface WriteRefusal {
  readonly outcome: "refused";
  readonly code: WriteRefusalCode;
  readonly say: string;
}

export interface WritePlan {
  readonly outcome: "planned";
  readonly bytes: Uint8Array;
}

/** `intent.id` is a task id. */
export function planWrite(read: StableRead, shape: RegistryShape, intent: WriteIntent): WritePlan | WriteRefusal {
  const opened = openRegistry(read, shape, intent.id);
  if ("problem" in opened) {
    return opened.problem.code === "REGISTRY_MISSING" ? planFirst(shape, intent) : refuseUnread(opened.problem);
  }
  // A map's key is taken whatever id stands inside: what is filed there says so too.
  const [entry, another] = opened.entries.filter((raw) => idOf(raw) === intent.id || raw.name === intent.id);
  if (another !== undefined) {
    return refuse(
      "TASK_AMBIGUOUS",
      `"${shown(intent.id)}" is the id of ${entry?.pointer} and of ${another.pointer}; keep one by hand`,
    );
  }
  const text = intent.kind === "create" ? createdText(opened, intent, entry) : updatedText(opened, intent, entry);
  return typeof text === "string" ? checkPlan(text, opened, shape, intent) : text;
}

function createdText(
  opened: OpenedRegistry,
  intent: WriteIntent & { kind: "create" },
  entry: RawEntry | undefined,
): string | WriteRefusal {
  const { records, document, entries } = opened;
  if (records === undefined)
    return refuse("TASK_EXISTS", `there is a file ${entries[0]?.file} already, whatever is in it`);
  if (entry !== undefined)
    return refuse("TASK_EXISTS", `"${shown(intent.id)}" is there already, at ${entry.pointer}`);
  const key = document.text[records.start] === "{" ? intent.id : undefined;
  return appendMember(document.text, records, key, intent.entry);
}

function updatedText(
  opened: OpenedRegistry,
  intent: WriteIntent & { kind: "update" },
  entry: RawEntry | undefined,
): string | WriteRefusal {
  if (entry === undefined)
    return refuse("TASK_NOT_FOUND", `"${shown(intent.id)}" is none of ${opened.entries.length} entries`);
  const [problem] = judgeEntry(entry, "as-written").problems;
  // There is no place in it for a value. Anything else that is wrong with it may be what this change repairs.
  if (problem?.code === "ENTRY_NOT_OBJECT") return refuse("TASK_INVALID", problem.say);
  const values = new Map<string, JsonValue>();
  for (const field of ENTRY_FIELDS) {
    const value = field === "id" ? undefined : intent.change[field];
    if (value !== undefined) values.set(field, value);
  }
  return setMembers(opened.document.text, entry, values);
}

/** Reads the new text back with the eyes of the loader: what would be quarantined is not written. */
function checkPlan(
  text: string,
  before: OpenedRegistry,
  shape: RegistryShape,
  intent: WriteIntent,
): WritePlan | WriteRefusal {
  const mark = before.document.byteOrderMark === "utf-8" ? "\ufeff" : "";
  const bytes = encodeUtf8(mark + text);
  if (bytes.length > MAX_REGISTRY_BYTES)
    return refuse(
      "TASK_INVALID",
      `the file would have ${bytes.length} bytes, more than the limit of ${MAX_REGISTRY_BYTES}`,
    );
  const after = openRegistry({ bytes }, shape, intent.id);
  if ("problem" in after)
    return refuse("TASK_INVALID", `the file would not be readable afterwards: ${sayFileProblem(after.problem)}`);
  const [entry, another] = after.entries.filter((raw) => idOf(raw) === intent.id);
  if (another !== undefined) return refuse("TASK_EXISTS", `"${shown(intent.id)}" would be there twice`);
  if (entry === undefined) return refuse("TASK_INVALID", `the entry would not have the id "${shown(intent.id)}"`);
  const [problem] = judgeEntry(entry, "as-written").problems;
  if (problem !== undefined) return refuse("TASK_INVALID", problem.say);
  return { outcome: "planned", bytes };
}

/** The first entry of a registry that does not exist yet. */
function planFirst(shape: RegistryShape, intent: WriteIntent): WritePlan | WriteRefusal {
  if (intent.kind === "update")
    return refuse("TASK_NOT_FOUND", `"${shown(intent.id)}" cannot be changed: the file it should be in is not there`);
  const bytes = documentOf(shape, [[intent.id, intent.entry]]);
  if (bytes === undefined)
    return refuse(
      "REGISTRY_WRITE_REFUSED",
      "no list is declared authoritative, so a new file has no place for the entry",
    );
  return checkFirst(bytes, shape, intent);
}

function checkFirst(bytes: Uint8Array, shape: RegistryShape, intent: WriteIntent): WritePlan | WriteRefusal {
  const opened = openRegistry({ bytes }, shape, intent.id);
  if ("problem" in opened) return refuse("TASK_INVALID", sayFileProblem(opened.problem));
  return checkPlan(opened.document.text, opened, shape, intent);
}

function refuseUnread(problem: FileProblem): WriteRefusal {
  return refuse("REGISTRY_WRITE_REFUSED", `what was not read cannot be written back. ${sayFileProblem(problem)}`);
}

export function refuse(code: WriteRefusalCode, what: string): WriteRefusal {
  return { outcome: "refused", code, say: `${code}: ${what}` };
}
