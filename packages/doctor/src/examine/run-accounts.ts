/**
 * What the ledger of a supervisor says of each run, for somebody who has a minute: its state and cause, who waits for whom and for how
 * long, leases past their expiry, what is owed. Reads rows field by field: one that has another shape makes its run NOT RUN.
 */
import { durationText } from "@casebook/guards";
import { describeRecord, type ItemRow, type LockRow, readTerminalRecord, TERMINAL_ITEM_STATUSES, TERMINAL_STATES, type WaitRow, waitCycle, type WaitEdge, waitEdges } from "@casebook/supervisor/judge";
import type { DoctorRun } from "../doctor-report.ts";
import type { NotRead, RunLedgerObservation } from "../observation.ts";

type Row = { readonly [field: string]: unknown };

export interface RunAccount extends Omit<DoctorRun, "layout"> {
  readonly within: string;
  readonly unknown: Pick<NotRead, "reason" | "message"> | undefined;
  /** For the guards. */
  readonly facts: RunFacts;
}

export interface RunFacts {
  /** Its time is over, with the time that a successor may need; or it has ended, with the time that giving back may need. */
  readonly isOver: boolean;
  readonly isSettled: boolean;
  readonly records: readonly { readonly writtenBy: string; readonly cause: string }[];
  readonly items: readonly ItemRow[];
  readonly locksHeld: readonly string[];
  readonly slotsHeld: readonly string[];
  readonly looked: { readonly locks: number; readonly slots: number };
  readonly owed: readonly { readonly debtor: string; readonly creditor: string }[];
  readonly counters: readonly { readonly counter: string; readonly used: number; readonly limit: number }[];
  readonly nameOf: (owner: string) => string;
  readonly edges: readonly WaitEdge[];
  readonly cycle: readonly string[];
}

/** With the rows of runs that the ledger does not have, by run. */
export function runAccounts({ path, tables, isWhole, graceMs }: RunLedgerObservation, nowMs: number): { readonly runs: readonly RunAccount[]; readonly strays: ReadonlyMap<string, readonly string[]> } {
  const byRun = new Map<string, Map<string, Row[]>>();
  for (const table of OWNED) {
    for (const [id, row] of tables.get(table) ?? []) {
      const run = typeof row["run"] === "string" ? row["run"] : undefined;
      if (run === undefined) continue;
      const own = byRun.get(run) ?? new Map<string, Row[]>();
      byRun.set(run, own.set(table, [...(own.get(table) ?? []), { ...row, id }]));
    }
  }
  const known = tables.get("runs") ?? new Map<string, Row>();
  const looked = { locks: tables.get("locks")?.size ?? 0, slots: tables.get("slots")?.size ?? 0 };
  const runs = [...known].map(([run, row]) => accountOf(run, row, byRun.get(run) ?? new Map<string, Row[]>(), { path, isWhole, graceMs, nowMs, looked }));
  const strays = [...byRun].filter(([run]) => !known.has(run)).map(([run, own]) => [run, [...own].map(([table, rows]) => `${rows.length} ${table}`)] as const);
  return { runs: runs.toSorted((one, other) => (one.run < other.run ? -1 : 1)), strays: new Map(strays) };
}

const OWNED = ["items", "agents", "obligations", "locks", "waits", "slots", "records"] as const;

interface Around {
  readonly path: string;
  readonly isWhole: boolean;
  readonly graceMs: number;
  readonly nowMs: number;
  readonly looked: RunFacts["looked"];
}

function accountOf(run: string, row: Row, own: ReadonlyMap<string, readonly Row[]>, { path, isWhole, graceMs, nowMs, looked }: Around): RunAccount {
  const rows = (table: string): readonly Row[] => own.get(table) ?? [];
  const items = rows("items").filter(isItem);
  const waits = rows("waits").filter(isWait);
  const locks = rows("locks").filter(isLock);
  const odd = oddRow(row) ?? (items.length < rows("items").length ? "an item" : waits.length < rows("waits").length ? "a wait" : locks.length < rows("locks").length ? "a lock" : undefined);
  const names = new Map(rows("agents").map(({ owner, name }) => [textOf(owner), textOf(name)]));
  const nameOf = (owner: string): string => names.get(owner) ?? owner;
  const edges = waitEdges(waits, locks, items);
  const cycle = waitCycle(edges).map(nameOf);
  const state = textOf(row["state"]);
  const isRunning = state === "running";
  const read = rows("records").map((record) => ({ raw: record as Row, read: readTerminalRecord(record) }));
  const endedAtMs = Math.max(...read.map(({ raw }) => numberOf(raw["atMs"])), Number.NEGATIVE_INFINITY);
  const deadlineAtMs = numberOf(row["deadlineAtMs"]);
  const owed = rows("obligations").filter(({ status }) => status !== "closed").map(({ debtor, creditor }) => ({ debtor: textOf(debtor), creditor: textOf(creditor) }));
  const claimed = items.filter(({ status }) => status === "claimed");
  const past = claimed.filter(({ expiresAtMs }) => nowMs > expiresAtMs);
  const done = items.filter(({ status }) => status === "done").length;
  const oldest = edges.toSorted((one, other) => one.sinceMs - other.sinceMs)[0];
  const cause = typeof row["cause"] === "string" ? row["cause"] : undefined;
  const facts: RunFacts = {
    isOver: isRunning ? nowMs - deadlineAtMs > graceMs : true,
    isSettled: row["isSettled"] === true || (!isRunning && nowMs - endedAtMs > graceMs),
    records: read.map(({ raw }) => ({ writtenBy: textOf(raw["writtenBy"]), cause: textOf(raw["cause"]) })),
    items,
    locksHeld: locks.filter(({ holder }) => holder !== null).map(({ id }) => id),
    slotsHeld: rows("slots").map(({ id }) => textOf(id)),
    looked,
    owed,
    counters: COUNTERS.map(([counter, limit]) => ({ counter, used: numberOf(row[counter]), limit: numberOf(row[limit]) })),
    nameOf,
    edges,
    cycle,
  };
  const aheadMs = numberOf(row["startedAtMs"]) - nowMs;
  /** Of what began by a clock that is a little ahead nothing has gone by. */
  const lasted = (fromMs: number): string => durationText(Math.max(0, nowMs - fromMs));
  const unread = read.find((one) => one.read.outcome !== "ok");
  const base = {
    run,
    place: path,
    state,
    ...(cause === undefined ? {} : { cause }),
    waits: edges.map((edge) => ({ who: nameOf(edge.from), forWhom: nameOf(edge.to), over: edge.over, sinceMs: edge.sinceMs })),
    leases: claimed.length,
    leasesPastExpiry: past.length,
    obligations: rows("obligations").length,
    obligationsOpen: owed.length,
    items: items.length,
    itemsDone: done,
    itemsOpen: items.filter(({ status }) => !TERMINAL_ITEM_STATUSES.includes(status)).length,
    within: path,
    facts,
  };
  const standing = isRunning ? (nowMs > deadlineAtMs ? `running, ${lasted(deadlineAtMs)} past its deadline` : `running ${lasted(numberOf(row["startedAtMs"]))}`) : `${state}${cause === undefined || cause === state ? "" : ` (${cause})`}`;
  const line = [
    `${standing}, done ${done}/${items.length}`,
    oldest === undefined ? "nobody waits" : `${nameOf(oldest.from)} waits ${lasted(oldest.sinceMs)} for ${nameOf(oldest.to)}${edges.length > 1 ? `, ${edges.length - 1} more wait` : ""}`,
    `leases past ${past.length}/${claimed.length}`,
    `obligations open ${owed.length}/${rows("obligations").length}`,
  ].join("; ");
  const says = (reason: "missing-input" | "unsupported", message: string) => ({ ...base, line, unknown: { reason, message } });
  if (odd !== undefined) return says("unsupported", `${odd} of the run is not in the shape that is known`);
  if (unread !== undefined && unread.read.outcome !== "ok") {
    // What another version says, and what is none, are told without a word of theirs.
    const version = unread.raw["recordVersion"];
    return says("unsupported", unread.read.outcome === "unsupported" ? `its terminal record has version ${typeof version === "number" ? version : "?"}, which is not known here; ${line}` : `its terminal record is not in the shape that is known; ${line}`);
  }
  if (numberOf(row["startedAtMs"]) < LEAST_MS) return says("unsupported", `its times lie before 1973, so that they are no milliseconds since 1970, and perhaps seconds; ${line}`);
  if (!isWhole) return says("missing-input", `transitions are missing, so that this may be old: ${line}`);
  if (aheadMs > graceMs) return says("missing-input", `it began ${durationText(aheadMs)} after the time that was looked at: a clock is wrong, or --now is too early; ${line}`);
  const [only, ...more] = read;
  if (only?.read.outcome === "ok" && more.length === 0 && only.read.record.state !== state) return says("unsupported", `its row says ${state}, and its terminal record ${only.read.record.state}; ${line}`);
  // Of two records nobody knows which one counts.
  return { ...base, line, ...(only?.read.outcome === "ok" && more.length === 0 ? { record: describeRecord(only.read.record) } : {}), unknown: undefined };
}

/** Twelve digits: seconds of today have ten. */
const LEAST_MS = 100_000_000_000;

const COUNTERS = [
  ["agents", "maxAgents"],
  ["tokens", "maxTokens"],
  ["toolCalls", "maxToolCalls"],
] as const;

/** `the row`, where a field is missing without which nothing can be said. */
const RUN_STATES: readonly string[] = ["running", ...TERMINAL_STATES];

function oddRow(row: Row): string | undefined {
  const isWhole = RUN_STATES.includes(textOf(row["state"])) && ["startedAtMs", "deadlineAtMs", ...COUNTERS.flat()].every((field) => typeof row[field] === "number");
  return isWhole ? undefined : "the row";
}

function isItem(row: Row): row is Row & ItemRow {
  return ["id", "name", "status"].every((field) => typeof row[field] === "string") && ["claimedAtMs", "expiresAtMs", "epoch"].every((field) => typeof row[field] === "number") && isTextOrNull(row["owner"]) && isTextOrNull(row["uri"]);
}

function isWait(row: Row): row is Row & WaitRow {
  return ["id", "owner", "kind"].every((field) => typeof row[field] === "string") && (row["kind"] === "none" || (typeof row["target"] === "string" && typeof row["sinceMs"] === "number"));
}

function isLock(row: Row): row is Row & LockRow {
  return typeof row["id"] === "string" && isTextOrNull(row["holder"]);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}
