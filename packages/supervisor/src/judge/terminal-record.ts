/**
 * The terminal record: what a stranger reads to know why a run stopped and what can be resumed. Written once. Reading one is strict
 * about its version: a newer record may mean something that this reader does not know.
 */
import { z } from "zod";
import { CAUSES, COUNTERS, TERMINAL_STATES } from "../rules/index.ts";

export const RECORD_VERSION = 1;

const instant = (what: string) => z.int().describe(`${what}, milliseconds since 1970.`);
const item = z.string().describe("Name of the item within its run.");

export const terminalRecord = z
  .strictObject({
    recordVersion: z.literal(RECORD_VERSION).describe("A reader that knows another version reads nothing."),
    id: z.string().describe("Of this record. A run has one."),
    run: z.string().describe("The run that it is about."),
    state: z.enum(TERMINAL_STATES).describe("`completed`: every item is done. `failed`: every item was tried to the end, and at least one has failed for good. `cancelled`: it was ended before."),
    cause: z.enum(CAUSES).describe("Why it ended. `unclassified`: the ledger did not say in time."),
    writtenBy: z.string().describe("The process that wrote it: the supervisor, its successor, or an operator's command."),
    atMs: instant("When it was written"),
    startedAtMs: instant("When the run began"),
    exhaustedCounter: z.enum(COUNTERS).nullable().describe("What ran out, where the cause is a budget; else null."),
    stuckAgent: z.string().nullable().describe("Where it was cancelled: the agent whose claim was the oldest. Null: nobody held one, or nobody could look."),
    stuckItem: item.nullable().describe("What that agent had claimed."),
    cycle: z.array(z.string()).describe("Where the cause is `deadlock`: the agents of the wait cycle, each waiting for the next, the last for the first; else empty."),
    trace: z
      .string()
      .nullable()
      .describe("Address in the artefact store of the run's rows as they stood when it was cancelled: JSON with `run`, `items`, `agents`, `locks`, `waits`. Null: it was not cancelled, or nobody could read or keep them."),
    done: z.array(z.strictObject({ item, uri: z.string().describe("Address of its artefact in the store.") })).describe("Not done again by a run that resumes this one."),
    failed: z.array(z.strictObject({ item })).describe("Failed for good: not tried again by a run that resumes this one."),
    notFinished: z.array(z.strictObject({ item, attempts: z.int().describe("Claims of it; 0: never started.") })).describe("What a run that resumes this one does."),
    used: z
      .strictObject({ tokens: z.int(), toolCalls: z.int(), agents: z.int().describe("Begun, also instead of lost ones.") })
      .describe("Charged to the run's budget."),
  })
  .describe("Terminal record: why a run of agents ended, and what is left to do. One for each run, written once.");

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
