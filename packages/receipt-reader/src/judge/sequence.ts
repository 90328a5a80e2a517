/** Follows the numbers of a log: repeats, gaps, steps back. Memory is bounded by the gaps that are open. */
import type { SequenceSummary } from "./survey.ts";
import type { Receipt } from "./receipt.ts";

/** Of each kind; the counts go on. */
const MAX_LISTED = 100;
/** Gaps in which a late number is looked for. Of one beyond them it is not known whether it was there before: it counts as late, which it is. */
const MAX_OPEN_GAPS = 1_000;

interface Range {
  readonly from: number;
  readonly to: number;
}

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
  const gaps: { after: number; next: number; byteOffset: number; unreadableBetween: number; late: number }[] = [];
  /** Numbers not seen yet, as ranges with both ends. */
  const open: Range[] = [];
  /** Around all that would have been one range too many. */
  let lost: Range = { from: Infinity, to: -Infinity };
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
      if (gaps.length < MAX_LISTED) gaps.push({ after: before, next: seq, byteOffset, unreadableBetween: unreadable, late: 0 });
      follow({ from: before + 1, to: seq - 1 });
    }
    highest = seq;
  }

  function follow(range: Range): void {
    if (range.from > range.to) return;
    if (open.length < MAX_OPEN_GAPS) open.push(range);
    else lost = { from: Math.min(lost.from, range.from), to: Math.max(lost.to, range.to) };
  }

  /** Whether the number was missing so far, or may have been; what stands before the first of the log was nowhere, and so is late too. */
  function fill(seq: number): boolean {
    if (first !== undefined && seq < first) return true;
    const at = open.findIndex(({ from, to }) => from <= seq && seq <= to);
    if (at === -1 && (seq < lost.from || seq > lost.to)) return false;
    const listed = gaps.find(({ after, next }) => after < seq && seq < next);
    if (listed !== undefined) listed.late = Math.min(listed.late + 1, listed.next - listed.after - 1);
    const [gap] = at === -1 ? [] : open.splice(at, 1);
    if (gap === undefined) return true;
    missing -= 1;
    const [below, above] = [{ from: gap.from, to: seq - 1 }, { from: seq + 1, to: gap.to }];
    // The wider one first: of the other, less is lost where it is one too many.
    const [wide, narrow] = below.to - below.from > above.to - above.from ? [below, above] : [above, below];
    follow(wide);
    follow(narrow);
    return true;
  }

  return {
    receipt,
    unreadable: () => void (unreadable += 1),
    summary: () => ({ first, last: highest, repeated, repeats, gaps, missing, backwards, backwardsCount, lateEpochs }),
  };
}
