/**
 * The records of the dispatch ledger. Each is published once, whole, under the next number, and never changed. What is written under
 * a lease names its epoch. Leaves out signatures: whoever can write the folder can write a record.
 */
import * as z from "zod";
import { decodeText } from "./text.ts";

const atMs = z.int().min(0);
const word = z.string().min(1).max(500);
const MAX_TEXT = 2_000;
const text = z.string().max(MAX_TEXT);
const common = { v: z.literal(1), atMs, by: word };
const leased = { ...common, task: word, epoch: z.int().min(1) };

/** How an attempt ended, or stands. */
export const ATTEMPT_STATUSES = ["offered", "claimed", "running", "reported", "settled", "rejected", "expired", "session_failed", "superseded"] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];
/** Nothing follows these: the same key gets no second start. A new key is another intent. */
export const TERMINAL_STATUSES = ["settled", "rejected", "expired", "session_failed", "superseded"] as const satisfies readonly AttemptStatus[];

export const RECOVERY_OUTCOMES = ["retry", "rework", "continue", "stop", "needs-human"] as const;
export type RecoveryOutcome = (typeof RECOVERY_OUTCOMES)[number];

export const recordSchema = z.discriminatedUnion("kind", [
  /** An object was seen for the first time: from here on it is immutable. */
  z.object({ ...common, kind: z.literal("published"), object: word, revision: word, path: word, what: word }),
  /** The intent, before anything is started: for which text of the task, for whom, under which key, and why. */
  z.object({ ...common, kind: z.literal("offered"), task: word, attempt: word, revision: word, agent: word, key: word, because: text }),
  /** Occupancy. */
  z.object({ ...leased, kind: z.literal("claimed"), attempt: word, agent: word, owner: word, expiresAtMs: atMs }),
  z.object({ ...leased, kind: z.literal("renewed"), expiresAtMs: atMs }),
  z.object({ ...leased, kind: z.literal("given-back"), because: text }),
  /** The identity of the session. `adopted`: it was found, and not started now. */
  z.object({ ...leased, kind: z.literal("started"), attempt: word, session: word, how: z.enum(["started", "adopted"]) }),
  /** The runtime has not answered the start in time: nobody knows whether a session was started, or will be. */
  z.object({ ...leased, kind: z.literal("unanswered"), attempt: word }),
  /** The attempt is over, or reported; the lease with it. */
  z.object({ ...leased, kind: z.literal("ended"), attempt: word, status: z.enum(["reported", ...TERMINAL_STATUSES]), because: text }),
  /** A review decided, after the attempt's lease was over. */
  z.object({ ...common, kind: z.literal("reviewed"), task: word, attempt: word, status: z.enum(["settled", "rejected"]), review: word }),
  z.object({ ...common, kind: z.literal("moving"), task: word, from: word, to: word }),
  z.object({ ...common, kind: z.literal("moved"), task: word, from: word, to: word }),
  z.object({ ...common, kind: z.literal("move-failed"), task: word, from: word, to: word, because: text }),
  z.object({ ...common, kind: z.literal("held"), task: word, because: text }),
  z.object({ ...common, kind: z.literal("hold-released"), task: word, because: text }),
  /** Not started now, and why; it starts when the reasons are gone. */
  z.object({ ...common, kind: z.literal("blocked"), task: word, reasons: z.array(text) }),
  /** Not started at all, and why; a person decides. */
  z.object({ ...common, kind: z.literal("refused"), task: word, reasons: z.array(text) }),
  /** What was decided about an attempt, on which evidence, and who may decide next. */
  z.object({ ...common, kind: z.literal("decided"), task: word, attempt: word, outcome: z.enum(RECOVERY_OUTCOMES), because: text, mayDecide: word }),
  /** A session that no attempt explains. */
  z.object({ ...common, kind: z.literal("orphan-seen"), session: word, task: text }),
]);

export type LedgerRecord = z.infer<typeof recordSchema>;

/** Longer texts are cut: a reason is for a person, and a record that is too long would be one that nobody can read. */
export function fittedRecord(record: LedgerRecord): LedgerRecord {
  const fit = (value: unknown): unknown => (typeof value === "string" && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1)}…` : value);
  const { because, reasons } = record as { because?: unknown; reasons?: readonly unknown[] };
  return { ...record, ...(because === undefined ? {} : { because: fit(because) }), ...(reasons === undefined ? {} : { reasons: reasons.map(fit) }) } as LedgerRecord;
}

export type ReadRecord =
  | { readonly outcome: "record"; readonly record: LedgerRecord }
  /** `task` where it can be read: then nobody else is concerned. */
  | { readonly outcome: "problem"; readonly code: "RECORD_CORRUPT" | "RECORD_UNSUPPORTED"; readonly task: string | undefined; readonly says: string };

export function readRecord(bytes: Uint8Array): ReadRecord {
  const source = decodeText(bytes);
  let value: unknown;
  try {
    value = source === undefined ? undefined : JSON.parse(source);
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null) {
    return { outcome: "problem", code: "RECORD_CORRUPT", task: undefined, says: `${bytes.length} bytes that are no record` };
  }
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return { outcome: "record", record: parsed.data };
  const { task, kind } = value as { task?: unknown; kind?: unknown };
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  return {
    outcome: "problem",
    code: "RECORD_UNSUPPORTED",
    task: typeof task === "string" && task !== "" ? task : undefined,
    says: `a record of kind ${JSON.stringify(kind)?.slice(0, 60)}: ${where}${issue?.message ?? "not understood"}`,
  };
}

export function recordText(record: LedgerRecord): string {
  return `${JSON.stringify(record, Object.keys(record).toSorted())}\n`;
}
