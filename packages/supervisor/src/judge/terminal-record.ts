/**
 * The terminal record: what a stranger reads to know why a run stopped and what can be resumed. Written once. Reading one is strict
 * about its version: a newer record may mean something that this reader does not know.
 */
import { z } from "zod";
import { CAUSES, COUNTERS, TERMINAL_STATES } from "./causes.ts";

export const RECORD_VERSION = 1;

const instant = z.int().describe("Milliseconds since 1970.");
const item = z.string().describe("Name of the item within its run.");

export const terminalRecord = z
  .strictObject({
    recordVersion: z.literal(RECORD_VERSION),
    run: z.string(),
    state: z.enum(TERMINAL_STATES),
    cause: z.enum(CAUSES),
    writtenBy: z.string().describe("The process that wrote it: the supervisor, its successor, or an operator's command."),
    atMs: instant,
    startedAtMs: instant,
    exhaustedCounter: z.enum(COUNTERS).nullable().describe("What ran out, where the cause is a budget."),
    stuckAgent: z.string().nullable().describe("Whose claim was the oldest when the deadline came."),
    stuckItem: item.nullable(),
    cycle: z.array(z.string()).describe("Participants of a wait cycle, each waiting for the next; empty without one."),
    trace: z.string().nullable().describe("Address in the artefact store of the run's rows as they stood when it was cancelled; null when nobody could read them."),
    done: z.array(z.strictObject({ item, uri: z.string() })),
    failed: z.array(z.strictObject({ item })).describe("For good: a resumed run does not try them again."),
    notFinished: z.array(z.strictObject({ item, attempts: z.int() })).describe("What a resumed run does. 0 attempts: never started."),
    used: z.strictObject({ tokens: z.int(), toolCalls: z.int(), agents: z.int() }),
  })
  .describe("Why a run of agents ended, and what is left to do.");

export type TerminalRecord = z.infer<typeof terminalRecord>;

/** `unsupported`: of another version. `invalid`: not a record. Nothing is guessed from either. */
export type ReadRecord =
  | { readonly outcome: "ok"; readonly record: TerminalRecord }
  | { readonly outcome: "unsupported" | "invalid"; readonly code: "RECORD_VERSION_UNSUPPORTED" | "RECORD_INVALID"; readonly says: string };

export function readTerminalRecord(value: unknown): ReadRecord {
  const version = typeof value === "object" && value !== null && "recordVersion" in value ? value.recordVersion : undefined;
  if (typeof version === "number" && version !== RECORD_VERSION) {
    const says = `RECORD_VERSION_UNSUPPORTED: the record has version ${version} and this reader knows ${RECORD_VERSION}. Read it with the program that wrote it; nothing was resumed.`;
    return { outcome: "unsupported", code: "RECORD_VERSION_UNSUPPORTED", says };
  }
  const read = terminalRecord.safeParse(value);
  if (read.success) return { outcome: "ok", record: read.data };
  const first = read.error.issues[0];
  const where = first === undefined || first.path.length === 0 ? "" : ` at ${first.path.join(".")}`;
  return { outcome: "invalid", code: "RECORD_INVALID", says: `RECORD_INVALID: this is no terminal record${where}: ${first?.message ?? "unknown"}. Nothing was resumed.` };
}

export const terminalRecordSchema = (): unknown => z.toJSONSchema(terminalRecord);
