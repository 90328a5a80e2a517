/** Follows the numbers of a log: repeats, gaps, steps back. Memory is bounded by the gaps that are open. */
import type { SequenceSummary } from "./survey.ts";
import type { Receipt } from "./receipt.ts";

/** Of each kind; the counts go on. */
const MAX_LISTED = 100;
/** Gaps in which a late number is looked for; with more, a late number beyond them counts as a repeat. */
const MAX_OPEN_GAPS = 1_000;

export interface SequenceTally {
  receipt(receipt: Receipt, byteOffset: number): void;
  unreadable(): void;
  summary(): SequenceSummary;
}

export function createSequence(): SequenceTally {
  let first: number | undefined;
  let highest: number | undefined;
  let highestEpoch = 0;
  let lateEpochs = 0;
  let unreadable = 0;
  let repeats = 0;
  let backwardsCount = 0;
  const repeated: { seq: number; byteOffset: number }[] = [];
  const backwards: { seq: number; before: number; byteOffset: number }[] = [];
  const gaps: { after: number; next: number; byteOffset: number; unreadableBetween: number }[] = [];
  /** Numbers not seen yet, as ranges with both ends. */
  let open: { from: number; to: number }[] = [];
  let missing = 0;

  function receipt({ seq, epoch }: Receipt, byteOffset: number): void {
    if (epoch < highestEpoch) lateEpochs += 1;
    highestEpoch = Math.max(highestEpoch, epoch);
    first ??= seq;
    if (highest === undefined) highest = seq;
    else if (seq > highest) ahead(seq, highest, byteOffset);
    else if (!fill(seq)) {
      repeats += 1;
      if (repeated.length < MAX_LISTED) repeated.push({ seq, byteOffset });
    } else {
      backwardsCount += 1;
      if (backwards.length < MAX_LISTED) backwards.push({ seq, before: highest, byteOffset });
    }
    unreadable = 0;
  }

  function ahead(seq: number, before: number, byteOffset: number): void {
    if (seq > before + 1) {
      missing += seq - before - 1;
      if (gaps.length < MAX_LISTED) gaps.push({ after: before, next: seq, byteOffset, unreadableBetween: unreadable });
      if (open.length < MAX_OPEN_GAPS) open.push({ from: before + 1, to: seq - 1 });
    }
    highest = seq;
  }

  /** Whether the number was missing so far; what stands before the first of the log was nowhere, and so is late too. */
  function fill(seq: number): boolean {
    if (first !== undefined && seq < first) return true;
    const gap = open.find(({ from, to }) => from <= seq && seq <= to);
    if (gap === undefined) return false;
    missing -= 1;
    const halves = [{ from: gap.from, to: seq - 1 }, { from: seq + 1, to: gap.to }].filter(({ from, to }) => from <= to);
    open = [...open.filter((one) => one !== gap), ...halves];
    return true;
  }

  return {
    receipt,
    unreadable: () => void (unreadable += 1),
    summary: () => ({ first, last: highest, repeated, repeats, gaps, missing, backwards, backwardsCount, lateEpochs }),
  };
}
