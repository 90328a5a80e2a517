/** What a long diagram leaves out: the middle of a run in which one process only goes on, then the middle of the whole. */
import type { Row } from "./layout.ts";
import type { Sent } from "./messages.ts";

/** A row before anything is left out: it knows the step that its arrow comes from, and not yet the place of that. */
export interface Draft {
  readonly row: Row;
  /** Numbers of the steps that it stands for. */
  readonly steps: readonly number[];
  readonly sentBy: Sent | undefined;
}

/** Something of the beginning, what was left out, and something of the end. */
const FEWEST_ROWS = 5;
/** A run of one process that does nothing but go on is shortened when it is longer. */
const LONGEST_RUN = 8;
const KEPT_OF_A_RUN = 2;
/** Faults that are shown although they lie in the middle: each costs a row, and one for what is left out before it. */
const MAX_FAULTS_KEPT = 4;

export function shortened(drafts: readonly Draft[], maxRows: number): Draft[] {
  return withoutMiddle(withoutLongRuns(drafts), Math.max(maxRows, FEWEST_ROWS));
}

function withoutLongRuns(drafts: readonly Draft[]): Draft[] {
  const kept: Draft[] = [];
  for (let at = 0; at < drafts.length; ) {
    let end = at;
    while (end < drafts.length && isDull(drafts[end] as Draft) && laneOfDraft(drafts[end] as Draft) === laneOfDraft(drafts[at] as Draft)) end += 1;
    if (end - at <= LONGEST_RUN) {
      kept.push(...drafts.slice(at, Math.max(end, at + 1)));
    } else {
      const middle = drafts.slice(at + KEPT_OF_A_RUN, end - KEPT_OF_A_RUN);
      kept.push(...drafts.slice(at, at + KEPT_OF_A_RUN), leftOut(middle), ...drafts.slice(end - KEPT_OF_A_RUN, end));
    }
    at = Math.max(end, at + 1);
  }
  return kept;
}

function laneOfDraft({ row }: Draft): number {
  return row.what === "step" ? row.lane : -1;
}

/** Says nothing beyond that its process went on. */
function isDull({ row, sentBy }: Draft): boolean {
  return row.what === "step" && row.faults.length === 0 && row.changes.length === 0 && row.disks.length === 0 && sentBy === undefined && !row.text.startsWith("network.");
}

/** The end is what it is about, so more of it is kept; and so are the faults, which are why it ends so. */
function withoutMiddle(drafts: readonly Draft[], maxRows: number): Draft[] {
  if (drafts.length <= maxRows) return [...drafts];
  const head = Math.floor((maxRows - 1) / 3);
  const struck = drafts.slice(head).filter(isStruck).length;
  const kept = Math.min(struck, MAX_FAULTS_KEPT, Math.floor((maxRows - FEWEST_ROWS) / 2));
  const tail = Math.max(1, maxRows - 1 - head - 2 * kept);
  const middle = drafts.slice(head, drafts.length - tail);
  return [...drafts.slice(0, head), ...faultsOnly(middle, kept), ...drafts.slice(drafts.length - tail)];
}

function isStruck({ row }: Draft): boolean {
  return row.what === "step" && row.faults.length > 0;
}

/** At most so many faults, and between them how much is left out. */
function faultsOnly(middle: readonly Draft[], most: number): Draft[] {
  const kept: Draft[] = [];
  let from = 0;
  let found = 0;
  for (const [at, draft] of middle.entries()) {
    if (found === most || !isStruck(draft)) continue;
    found += 1;
    if (at > from) kept.push(leftOut(middle.slice(from, at)));
    kept.push(draft);
    from = at + 1;
  }
  return from < middle.length ? [...kept, leftOut(middle.slice(from))] : kept;
}

function leftOut(drafts: readonly Draft[]): Draft {
  const steps = drafts.flatMap((draft) => draft.steps);
  const lanes = new Set(drafts.flatMap(({ row }) => (row.what === "step" ? [row.lane] : row.what === "left-out" ? row.lanes : [])));
  const last = drafts.at(-1) as Draft;
  return { row: { what: "left-out", steps: steps.length, lanes: [...lanes], standings: last.row.standings }, steps, sentBy: undefined };
}
