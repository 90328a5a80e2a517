/** Follows what a log says of each key, up to a number of keys; the others are counted. */
import { fingerprint } from "./fingerprint.ts";
import type { Receipt } from "./receipt.ts";
import type { KeySummary } from "./survey.ts";

/** Some tens of MB of memory. */
export const MAX_KEYS_FOLLOWED = 100_000;

export interface KeyBook {
  receipt(receipt: Receipt, byteOffset: number): void;
  /** A line that could not be read, of these keys; of anyone where the list is undefined. */
  unreadable(mentions: readonly string[] | undefined): void;
  /** Sorted by key. */
  summaries(): KeySummary[];
  notFollowed(): number;
  /** Records that stand in the log twice, equal in every field. */
  duplicated(): number;
}

interface Page {
  pending: number;
  completed: number;
  state: Receipt["state"];
  atMs: number;
  byteOffset: number;
  /** Of lines that may be anyone's, when its record was met. */
  strayBefore: number;
  mentionedBehind: number;
  pendingBehindCompleted: number;
  readonly actors: Set<string>;
  readonly payloads: Set<string>;
  readonly reasons: Set<string>;
  readonly rows: Set<string>;
}

export function createKeyBook(): KeyBook {
  const pages = new Map<string, Page>();
  const others = { keys: 0, duplicated: 0, stray: 0 };

  function receipt(one: Receipt, byteOffset: number): void {
    const page = pages.get(one.key) ?? open(one);
    if (page === undefined) {
      others.keys += 1;
      return;
    }
    const row = fingerprint(one);
    if (page.rows.has(row)) others.duplicated += 1;
    page.rows.add(row);
    page.actors.add(one.actor);
    page.payloads.add(one.payload);
    page[one.state] += 1;
    if (one.state === "completed") page.reasons.add(one.reason);
    else if (page.completed > 0) page.pendingBehindCompleted += 1;
    if (one.state === "pending" && page.completed > 0) return;
    Object.assign(page, { state: one.state, atMs: one.atMs, byteOffset, strayBefore: others.stray, mentionedBehind: 0 });
  }

  function open({ key, state, atMs }: Receipt): Page | undefined {
    if (pages.size >= MAX_KEYS_FOLLOWED) return undefined;
    const page: Page = {
      pending: 0,
      completed: 0,
      state,
      atMs,
      byteOffset: 0,
      strayBefore: 0,
      mentionedBehind: 0,
      pendingBehindCompleted: 0,
      actors: new Set(),
      payloads: new Set(),
      reasons: new Set(),
      rows: new Set(),
    };
    pages.set(key, page);
    return page;
  }

  return {
    receipt,
    unreadable(mentions) {
      if (mentions === undefined) others.stray += 1;
      else for (const key of mentions) (pages.get(key) ?? { mentionedBehind: 0 }).mentionedBehind += 1;
    },
    summaries: () =>
      [...pages]
        .map(([key, { actors, payloads, reasons, rows: _rows, strayBefore, mentionedBehind, ...page }]) => ({
          key,
          ...page,
          unreadableBehind: mentionedBehind + others.stray - strayBefore,
          actors: actors.size,
          payloads: payloads.size,
          outcomes: reasons.size,
        }))
        .sort((one, two) => (one.key < two.key ? -1 : 1)),
    notFollowed: () => others.keys,
    duplicated: () => others.duplicated,
  };
}
