/**
 * What a scheduler remembers across restarts: its last pass, for each slot that is on its way how far it got, and which slots
 * of the look-back window are decided. It grows with the tasks, not with their slots. On disk it is one JSON file of plain ASCII, replaced as a whole; absent, corrupt and unsupported are three answers.
 * Models one scheduler process per state file; two at once are not noticed.
 */
import { commitFile, type CommitPorts } from "@casebook/file-commit";
import type { Ports } from "@casebook/ports";
import { isInstant } from "./judge/calendar.ts";
import { slotKey } from "./judge/slots.ts";
import { MAX_STATE_FILE_BYTES } from "./policies.ts";
import { describeFailure, type FireReason } from "./records.ts";

/**
 * `queued`: due, not dispatched, so a restart may dispatch it. `intended`: written before the dispatch, so a restart must
 * not. `decided`: dispatched, refused or expired. `interrupted`: was intended when its process died.
 */
export type SlotStage = "queued" | "intended" | "decided" | "interrupted";

export interface RememberedSlot {
  readonly taskId: string;
  readonly slotMs: number;
  readonly reason: FireReason;
  readonly stage: SlotStage;
}

/** The slots of one schedule from `fromMs` to `toMs`, both included: all of them are decided. */
export interface DecidedSpan {
  readonly taskId: string;
  readonly expression: string;
  /** IANA name. */
  readonly zone: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SchedulerState {
  readonly lastPassMs: number | undefined;
  /** By slot key. */
  readonly slots: ReadonlyMap<string, RememberedSlot>;
  /** By task id, in order of time. */
  readonly spans: ReadonlyMap<string, readonly DecidedSpan[]>;
}

export const EMPTY_STATE: SchedulerState = { lastPassMs: undefined, slots: new Map(), spans: new Map() };

const STAGES: readonly string[] = ["queued", "intended", "decided", "interrupted"] satisfies SlotStage[];
const REASONS: readonly string[] = ["scheduled", "catch-up", "one-shot"] satisfies FireReason[];

/** The same state with some slots set. */
export function withSlots(state: SchedulerState, slots: Iterable<readonly [string, RememberedSlot]>): SchedulerState {
  return { ...state, slots: new Map([...state.slots, ...slots]) };
}

export function isRememberedSlot(value: unknown): value is RememberedSlot {
  if (typeof value !== "object" || value === null) return false;
  const { taskId, slotMs, reason, stage } = value as Record<string, unknown>;
  return (
    typeof taskId === "string" &&
    typeof slotMs === "number" &&
    isInstant(slotMs) &&
    REASONS.includes(reason as string) &&
    STAGES.includes(stage as string)
  );
}

function isDecidedSpan(value: unknown): value is DecidedSpan {
  if (typeof value !== "object" || value === null) return false;
  const { taskId, expression, zone, fromMs, toMs } = value as Record<string, unknown>;
  if (typeof fromMs !== "number" || typeof toMs !== "number" || !isInstant(fromMs) || !isInstant(toMs)) return false;
  return typeof taskId === "string" && typeof expression === "string" && typeof zone === "string" && fromMs <= toMs;
}

const STATE_VERSION = 2;

/** Without spans: every decided slot stood in the list of slots. Still read. */
const FIRST_VERSION = 1;

/** Bytes per read; also how many arguments one call to String.fromCharCode gets. */
const READ_SIZE = 16 * 1024;

export type StateAnswer =
  | { readonly health: "healthy"; readonly state: SchedulerState }
  | { readonly health: "absent" }
  /** The bytes are no state of any version. */
  | { readonly health: "corrupt"; readonly message: string }
  /** Written by another version of this program: not ours to judge or replace. */
  | { readonly health: "unsupported"; readonly message: string }
  /** The disk refused. */
  | { readonly health: "unreadable"; readonly code: string; readonly message: string };

/** Never throws for what is on the disk. */
export async function readState(ports: Pick<Ports, "disk">, path: string): Promise<StateAnswer> {
  let text: string | undefined;
  try {
    text = await readAscii(ports, path);
  } catch (failure) {
    const what = describeFailure(failure, "STATE_UNREADABLE");
    return what.code === "ENOENT" ? { health: "absent" } : { health: "unreadable", ...what };
  }
  if (text === undefined) return { health: "corrupt", message: `it is larger than ${MAX_STATE_FILE_BYTES} bytes or not ASCII` };
  return parseState(text);
}

/** Rejects with STATE_TOO_LARGE before anything is touched, and as the disk does. `maxBytes`: at most MAX_STATE_FILE_BYTES, what can be read back. */
export async function writeState(
  ports: CommitPorts,
  path: string,
  state: SchedulerState,
  maxBytes: number,
): Promise<void> {
  const bytes = stateBytes(state);
  if (bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes);
  await commitFile(ports, path, bytes);
}

/** The file's text, plain ASCII. Also how a case prepares the disk of a host that has passed before. */
export function stateText(state: Pick<SchedulerState, "lastPassMs"> & Partial<SchedulerState>): string {
  return asciiText(stateBytes({ ...EMPTY_STATE, ...state }));
}

function stateBytes({ lastPassMs, slots, spans }: SchedulerState): Uint8Array {
  const comma = asciiBytes(",");
  const list = (entries: readonly object[]) => entries.flatMap((entry, index) => (index === 0 ? [entryBytes(entry)] : [comma, entryBytes(entry)]));
  const parts = [
    asciiBytes(`{"version":${STATE_VERSION},"lastPassMs":${lastPassMs ?? null},"slots":[`),
    ...list([...slots.values()]),
    asciiBytes('],"spans":['),
    ...list([...spans.values()].flat()),
    asciiBytes("]}"),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

/** An entry never changes, so it is encoded once, however often the file is written. */
const encodedEntries = new WeakMap<object, Uint8Array>();

function entryBytes(entry: object): Uint8Array {
  const known = encodedEntries.get(entry);
  if (known !== undefined) return known;
  const text = JSON.stringify(entry).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const bytes = asciiBytes(text);
  encodedEntries.set(entry, bytes);
  return bytes;
}

function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

function asciiText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += READ_SIZE) pieces.push(String.fromCharCode(...bytes.subarray(start, start + READ_SIZE)));
  return pieces.join("");
}

function tooLarge(bytes: number, maxBytes: number): Error {
  const message =
    `STATE_TOO_LARGE: the scheduler's state would have ${bytes} bytes, and a pass writes at most ${maxBytes}. The file is as it was, ` +
    "nothing new is queued, and the next pass looks at the same slots. What is queued makes room when it is dispatched; else list fewer tasks.";
  return Object.assign(new Error(message), { code: "STATE_TOO_LARGE" });
}

function parseState(text: string): StateAnswer {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { health: "corrupt", message: `it is not JSON (${text.length} bytes)` };
  }
  if (typeof document !== "object" || document === null) return { health: "corrupt", message: "it is not a JSON object" };
  const { version, lastPassMs, slots, spans: written } = document as Record<string, unknown>;
  const spans = version === FIRST_VERSION ? [] : written;
  if (version !== STATE_VERSION && version !== FIRST_VERSION) {
    return typeof version === "number"
      ? { health: "unsupported", message: `its version is ${version}, this program knows ${STATE_VERSION}` }
      : { health: "corrupt", message: "it names no version" };
  }
  if (lastPassMs !== null && !(typeof lastPassMs === "number" && isInstant(lastPassMs))) {
    return { health: "corrupt", message: "lastPassMs is no instant" };
  }
  if (!Array.isArray(slots) || !slots.every(isRememberedSlot)) return { health: "corrupt", message: "slots is no list of slots" };
  if (!Array.isArray(spans) || !spans.every(isDecidedSpan)) return { health: "corrupt", message: "spans is no list of spans" };
  const byKey = slots.map((slot: RememberedSlot) => [slotKey(slot.taskId, slot.slotMs), slot] as const);
  return { health: "healthy", state: { lastPassMs: lastPassMs ?? undefined, slots: new Map(byKey), spans: spansByTask(spans) } };
}

function spansByTask(spans: readonly DecidedSpan[]): Map<string, DecidedSpan[]> {
  const byTask = new Map<string, DecidedSpan[]>();
  for (const span of spans) {
    const ofTask = byTask.get(span.taskId) ?? [];
    ofTask.push(span);
    byTask.set(span.taskId, ofTask);
  }
  return byTask;
}

/** The file's text, or undefined when it is not ASCII or too large. */
async function readAscii({ disk }: Pick<Ports, "disk">, path: string): Promise<string | undefined> {
  const file = await disk.open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > MAX_STATE_FILE_BYTES) return undefined;
    const pieces: string[] = [];
    for (let position = 0; ; ) {
      const bytes = await file.read(READ_SIZE, position);
      if (bytes.length === 0) return pieces.join("");
      if (bytes.some((byte) => byte > 0x7e)) return undefined;
      pieces.push(String.fromCharCode(...bytes));
      position += bytes.length;
      if (position > MAX_STATE_FILE_BYTES) return undefined;
    }
  } finally {
    await file.close();
  }
}
