/**
 * Reads a store of dispatch attempts: `{ version, attempts, leases }`. What an entry does not say, or says in another form, is named with
 * its place, and nothing is concluded from it. A store that is being replaced is read again; one of zero bytes is no empty store.
 */
import type { JsonValue } from "@casebook/registry/judge";
import type { AttemptStoreObservation, NotRead, Place, StoredAttempt, StoredLease } from "../observation.ts";
import { documentPlaces, notRead, readDocumentFile, type ReadOptions } from "../read/index.ts";
import { placeText } from "../report/place-text.ts";
import type { Tree } from "../tree.ts";
import { readInstant } from "./instant-field.ts";
import { seenField } from "./seen-value.ts";

/** Every word that is known for where an attempt stands. */
export const ATTEMPT_WORDS = ["created", "offered", "claimed", "running", "reported", "settled", "rejected", "expired", "stale", "session_failed", "superseded"] as const;
/** Nothing follows these. `reported` ends the lease, and the work is still to be judged. */
export const ENDED_WORDS: readonly string[] = ["settled", "rejected", "expired", "stale", "session_failed", "superseded"];

const MAX_ENTRIES = 100_000;
/** Entries that could not be read, by name. */
const MAX_NAMED = 20;

export interface AttemptStoreReading {
  readonly observation: AttemptStoreObservation | undefined;
  readonly notRead: readonly NotRead[];
}

export async function readAttemptStore(tree: Tree, path: string, graceMs: number, options: ReadOptions): Promise<AttemptStoreReading> {
  const file = await readDocumentFile(tree, path, options);
  const nothing = (message: string, code: string): AttemptStoreReading => ({ observation: undefined, notRead: [notRead(path, "unsupported", message, code)] });
  if (file.outcome === "not-read") return { observation: undefined, notRead: [file.notRead] };
  if (file.outcome === "unreadable") {
    if (file.stat.size === 0) return nothing(`${path} has zero bytes: it was created and not written, which is not the same as no attempt and no lease`, "STORE_EMPTY");
    return nothing(`${path} could not be read as JSON: ${file.problem.say}`, file.problem.code);
  }
  const { value } = file;
  if (!isObject(value)) return nothing(`${path} is no store of attempts: it holds ${seenField(value)}`, "STORE_SHAPE");
  if (value["version"] !== 1) return nothing(`${path} has version ${seenField(value["version"])}, and 1 is known: what it says is not known here`, "STORE_VERSION");
  const { attempts, leases } = value;
  if (!Array.isArray(attempts) || !Array.isArray(leases)) return nothing(`${path} has no lists of attempts and leases`, "STORE_SHAPE");
  if (attempts.length + leases.length > MAX_ENTRIES) return nothing(`${path} has ${attempts.length + leases.length} entries, more than ${MAX_ENTRIES}`, "STORE_TOO_LARGE");
  const places = documentPlaces(file.document, path);
  const faults: NotRead[] = [];
  const fault = (place: Place, message: string): void => void faults.push(notRead(path, "unsupported", `${message} (${placeText(place)})`, "ENTRY_INVALID"));
  const read = <Entry>(list: readonly JsonValue[], name: string, of: (entry: JsonValue, place: Place) => Entry | string): Entry[] =>
    list.flatMap((entry, index) => {
      const place = places.placeOf(`/${name}/${index}`);
      const answer = of(entry, place);
      if (typeof answer !== "string") return [answer];
      fault(place, answer);
      return [];
    });
  const stored = read(attempts, "attempts", attemptOf);
  const observation: AttemptStoreObservation = { kind: "attempt-store", path, graceMs, attempts: stored, leases: read(leases, "leases", leaseOf), isWhole: stored.length === attempts.length };
  const rest = faults.length - MAX_NAMED;
  return { observation, notRead: rest > 0 ? [...faults.slice(0, MAX_NAMED), notRead(path, "unsupported", `${rest} more entries of ${path} could not be read`)] : faults };
}

function attemptOf(entry: JsonValue, place: Place): StoredAttempt | string {
  if (!isObject(entry)) return `an attempt is ${seenField(entry)}`;
  const id = word(entry["attempt_id"]);
  const status = word(entry["status"]);
  if (id === undefined) return "an attempt has no id";
  if (status === undefined) return `attempt ${id} has no status`;
  const task = word(entry["task_id"]);
  if (task === undefined) return `attempt ${id} names no task`;
  return {
    id,
    status,
    task,
    role: word(entry["target_agent_id"]) ?? word(entry["target_role"]) ?? "",
    session: word(entry["session_id"]),
    key: word(entry["idempotency_key"]),
    reason: word(entry["reason"]),
    changedAtMs: instant(entry["updated_at"]),
    place,
  };
}

function leaseOf(entry: JsonValue, place: Place): StoredLease | string {
  if (!isObject(entry)) return `a lease is ${seenField(entry)}`;
  const id = word(entry["lease_id"]);
  const attempt = word(entry["attempt_id"]);
  if (id === undefined || attempt === undefined) return "a lease has no id, or no attempt";
  const expiresAtMs = instant(entry["expires_at"]);
  if (expiresAtMs === undefined) return `lease ${id} ends at ${seenField(entry["expires_at"])}, which is no moment`;
  const releasedAt = entry["released_at"];
  return {
    id,
    attempt,
    task: word(entry["task_id"]),
    agent: word(entry["agent_id"]) ?? "",
    session: word(entry["session_id"]),
    beganAtMs: instant(entry["acquired_at"]),
    expiresAtMs,
    isReleased: releasedAt !== undefined && releasedAt !== null && releasedAt !== "",
    place,
  };
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One line of ordinary length: an id, a status, a name. What is longer, or has line ends, is none. */
function word(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= 300 && !/[\n\r]/.test(value) ? value : undefined;
}

function instant(value: JsonValue | undefined): number | undefined {
  const reading = readInstant(value, "iso");
  return reading.outcome === "instant" ? reading.atMs : undefined;
}
