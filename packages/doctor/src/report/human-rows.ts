/** The table: one line a row, and one line for many rows that say the same. What was cut stands whole below. */
import type { DoctorRow } from "../doctor-report.ts";
import { alike } from "./alike.ts";
import { redact, type Redaction } from "./redact.ts";
import { clipped, COLUMNS, lengthOf, padded, wrapped } from "./wrap.ts";

/** Passing rows that are listed; more are counted. */
const MAX_PASSING_ROWS = 12;
const MAX_NAME = 40;
const MIN_NAME = 12;
/** Ids in one line about rows without a verdict. */
const MAX_IDS = 10;

const COLUMN_NAMES = ["due", "claimed", "seen"];
const ORDER = ["FAIL", "NOT RUN", "PASS"] as const;

/** A row as it is printed: of one subject or of several. */
interface Line {
  readonly verdict: DoctorRow["verdict"];
  readonly name: string;
  /** Due, claimed, seen; none for what is no task. */
  readonly counts: readonly string[];
  readonly because: string;
  /** Of a run, everything is in its line, so that none of it is cut off. */
  readonly isWhole: boolean;
}

export function rowLines(rows: readonly DoctorRow[], redaction: Redaction): string[] {
  const lines = ORDER.flatMap((verdict) => linesOf(rows.filter((row) => row.verdict === verdict), rows, redaction));
  const width = Math.min(MAX_NAME, Math.max(MIN_NAME, ...lines.map(({ name, counts }) => (counts.length === 0 ? 0 : lengthOf(name)))));
  const widths = COLUMN_NAMES.map((_, column) => Math.max(1, ...lines.map(({ counts }) => counts[column]?.length ?? 0)));
  return lines.map(({ verdict, name, counts, because, isWhole }) => {
    const columns = counts.map((count, column) => `${COLUMN_NAMES[column]} ${count.padEnd(widths[column] ?? 0)}   `).join("");
    // What has no counts needs no columns.
    const said = counts.length === 0 ? `${padded(clipped(name, MAX_NAME), width)}  ` : `${padded(clipped(name, width), width)}  ${columns}`;
    const line = `  ${verdict.padEnd(8)} ${said}${because}`;
    return (isWhole ? line : clipped(line, COLUMNS)).trimEnd();
  });
}

/** The rows of one verdict. */
function linesOf(rows: readonly DoctorRow[], all: readonly DoctorRow[], redaction: Redaction): Line[] {
  const verdict = rows[0]?.verdict;
  // What passes needs no reason; of what has no verdict, tasks with one reason are one line.
  const groups = verdict === "NOT RUN" ? equalRows(rows) : rows.map((row) => [row]);
  const say = (group: readonly DoctorRow[]) => {
    const [first] = group as [DoctorRow];
    return group.length === 1 ? lineOf(first, all, redaction) : together(group, `${group.length} tasks`, redaction);
  };
  const kinds = verdict === "PASS" ? alike(groups, () => "", MAX_PASSING_ROWS) : alike(groups, ([row]) => (row?.kind === "task" || row?.kind === "work" ? row.because : `${row?.kind} ${row?.subject}`));
  return kinds.flatMap(({ shown, rest }) => {
    const more = rest.flat();
    const name = `and ${more.length} more ${more.every(({ kind }) => kind === "task" || kind === "work") ? "tasks" : "rows"}`;
    return [...shown.map(say), ...(more.length === 0 ? [] : [together(more, name, redaction)])];
  });
}

function equalRows(rows: readonly DoctorRow[]): DoctorRow[][] {
  const groups = new Map<string, DoctorRow[]>();
  for (const row of rows) {
    const key = row.kind === "task" || row.kind === "work" ? JSON.stringify([row.because, row.reason]) : JSON.stringify([row.kind, row.place, row.layout]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

function lineOf(row: DoctorRow, all: readonly DoctorRow[], redaction: Redaction): Line {
  const because = row.reason === undefined ? row.because : `${row.because} (${row.reason})`;
  return { verdict: row.verdict, name: nameOf(row, all, redaction), counts: countsOf(row), because: redact(because, redaction), isWhole: row.kind === "run" };
}

/** Where two installations of one layout are there, the place tells them apart; quotes show a blank at an end. */
function nameOf(row: DoctorRow, all: readonly DoctorRow[], redaction: Redaction): string {
  if (row.kind !== "layout") return redact(row.subject === row.subject.trim() ? row.subject : `"${row.subject}"`, redaction);
  const isAlone = all.filter(({ kind, subject }) => kind === "layout" && subject === row.subject).length < 2;
  return redact(isAlone ? `files of ${row.subject}` : row.place, redaction);
}

/** Before the first of several sentences that differ in their numbers and places. */
const LIKE = "like these: ";

function together(rows: readonly DoctorRow[], name: string, redaction: Redaction): Line {
  const add = (value: (row: DoctorRow) => number | undefined) =>
    rows.some((row) => value(row) === undefined) ? undefined : rows.reduce((sum, row) => sum + (value(row) ?? 0), 0);
  const [first] = rows as [DoctorRow];
  const like = rows.every(({ because }) => because === first.because) ? "" : LIKE;
  const because = first.verdict === "PASS" ? "" : `${like}${redact(first.because, redaction)}${first.reason === undefined ? "" : ` (${first.reason})`}`;
  return { verdict: first.verdict, name, because, isWhole: false, counts: countsOf({ kind: first.kind, due: add((row) => row.due), claimed: add((row) => row.claimed), seen: add((row) => row.seen) }) };
}

function countsOf({ kind, due, claimed, seen }: Pick<DoctorRow, "kind" | "due" | "claimed" | "seen">): string[] {
  return kind === "task" ? [due, claimed, seen].map((count) => String(count ?? "-")) : [];
}

/** Why rows have no verdict, whole: no finding says it, and the table cuts it off. */
export function unjudgedLines(rows: readonly DoctorRow[], redaction: Redaction): string[] {
  const byReason = new Map<string, DoctorRow[]>();
  for (const row of rows.filter(({ verdict }) => verdict === "NOT RUN")) {
    const key = `${row.because} (${row.reason})`;
    byReason.set(key, [...(byReason.get(key) ?? []), row]);
  }
  const say = (group: readonly DoctorRow[], why: string) => {
    const ids = group.slice(0, MAX_IDS).map((row) => nameOf(row, rows, redaction));
    const rest = group.length - ids.length;
    return wrapped(`not run  ${ids.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}: ${redact(why, redaction)}`, 9);
  };
  return alike([...byReason], ([why]) => why).flatMap(({ shown, rest }) => {
    const [first] = rest;
    const more = first === undefined ? [] : say(rest.flatMap(([, group]) => group), `${LIKE}${first[0]}`);
    return [...shown.flatMap(([why, group]) => say(group, why)), ...more];
  });
}
