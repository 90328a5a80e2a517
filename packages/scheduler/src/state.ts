/**
 * What a scheduler remembers across restarts: its last pass, and for each slot of the look-back window how far it got. On disk
 * it is one JSON file of plain ASCII, replaced as a whole; absent, corrupt and unsupported are three answers.
 * Models one scheduler process per state file; two at once are not noticed.
 */
import { commitFile } from "@casebook/file-commit";
import type { Ports } from "@casebook/ports";
import { isInstant } from "./judge/calendar.ts";
import { slotKey } from "./judge/slots.ts";
import { MAX_STATE_BYTES } from "./policies.ts";
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

export interface SchedulerState {
  readonly lastPassMs: number | undefined;
  /** By slot key. */
  readonly slots: ReadonlyMap<string, RememberedSlot>;
}

export const EMPTY_STATE: SchedulerState = { lastPassMs: undefined, slots: new Map() };

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

const STATE_VERSION = 1;

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
  if (text === undefined) return { health: "corrupt", message: `it is larger than ${MAX_STATE_BYTES} bytes or not ASCII` };
  return parseState(text);
}

export async function writeState(ports: Pick<Ports, "disk" | "ids">, path: string, state: SchedulerState): Promise<void> {
  const text = stateText(state);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  await commitFile(ports, path, bytes);
}

/** The file's text, plain ASCII. Also how a case prepares the disk of a host that has passed before. */
export function stateText(state: Pick<SchedulerState, "lastPassMs"> & Partial<SchedulerState>): string {
  const document = { version: STATE_VERSION, lastPassMs: state.lastPassMs ?? null, slots: [...(state.slots?.values() ?? [])] };
  return JSON.stringify(document).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function parseState(text: string): StateAnswer {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { health: "corrupt", message: `it is not JSON (${text.length} bytes)` };
  }
  if (typeof document !== "object" || document === null) return { health: "corrupt", message: "it is not a JSON object" };
  const { version, lastPassMs, slots } = document as Record<string, unknown>;
  if (version !== STATE_VERSION) {
    return typeof version === "number"
      ? { health: "unsupported", message: `its version is ${version}, this program knows ${STATE_VERSION}` }
      : { health: "corrupt", message: "it names no version" };
  }
  if (lastPassMs !== null && !(typeof lastPassMs === "number" && isInstant(lastPassMs))) {
    return { health: "corrupt", message: "lastPassMs is no instant" };
  }
  if (!Array.isArray(slots) || !slots.every(isRememberedSlot)) return { health: "corrupt", message: "slots is no list of slots" };
  const byKey = slots.map((slot: RememberedSlot) => [slotKey(slot.taskId, slot.slotMs), slot] as const);
  return { health: "healthy", state: { lastPassMs: lastPassMs ?? undefined, slots: new Map(byKey) } };
}

/** The file's text, or undefined when it is not ASCII or too large. */
async function readAscii({ disk }: Pick<Ports, "disk">, path: string): Promise<string | undefined> {
  const file = await disk.open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > MAX_STATE_BYTES) return undefined;
    const pieces: string[] = [];
    for (let position = 0; ; ) {
      const bytes = await file.read(READ_SIZE, position);
      if (bytes.length === 0) return pieces.join("");
      if (bytes.some((byte) => byte > 0x7e)) return undefined;
      pieces.push(String.fromCharCode(...bytes));
      position += bytes.length;
      if (position > MAX_STATE_BYTES) return undefined;
    }
  } finally {
    await file.close();
  }
}
