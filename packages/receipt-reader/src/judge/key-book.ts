/** Follows what a log says of each key, up to a number of keys; the others are counted. */
import { addDistinct, countDistinct, createDistinct, type Distinct } from "./distinct.ts";
import type { Receipt } from "./receipt.ts";
import type { KeySummary } from "./survey.ts";

/** Some tens of MB of memory. */
export const MAX_KEYS_FOLLOWED = 100_000;
/** Records of one key among which an equal one is looked for: the newest. */
const MAX_ROWS_A_KEY = 32;

export interface KeyBook {
  receipt(receipt: Receipt, byteOffset: number): void;
  /** A line that could not be read, of these keys; of anyone where the list is undefined. */
  unreadable(mentions: readonly string[] | undefined): void;
  /** Sorted by key. */
  summaries(): KeySummary[];
  notFollowed(): number;
  /** Records that stand in the log twice, equal in every field, as far as their number and a hash of the rest tell. */
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
  readonly actors: Distinct;
  readonly payloads: Distinct;
  readonly reasons: Distinct;
  /** Number and hash of each, one behind the other, oldest first. */
  readonly rows: number[];
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
    if (isKnown(page.rows, one)) others.duplicated += 1;
    addDistinct(page.actors, one.actor);
    addDistinct(page.payloads, one.payload);
    page[one.state] += 1;
    if (one.state === "completed") addDistinct(page.reasons, one.reason);
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
      actors: createDistinct(),
      payloads: createDistinct(),
      reasons: createDistinct(),
      rows: [],
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
          actors: countDistinct(actors),
          payloads: countDistinct(payloads),
          outcomes: countDistinct(reasons),
        }))
        .sort((one, two) => (one.key < two.key ? -1 : 1)),
    notFollowed: () => others.keys,
    duplicated: () => others.duplicated,
  };
}

/** Whether such a record was there before; from now on it was. */
function isKnown(rows: number[], { seq, epoch, state, command, task, revision, actor, payload, reason, atMs }: Receipt): boolean {
  const hash = hashOf(`${epoch} ${atMs} ${state}\n${command}\n${task}\n${revision}\n${actor}\n${payload}\n${reason}`);
  for (let at = 0; at < rows.length; at += 2) if (rows[at] === seq && rows[at + 1] === hash) return true;
  rows.push(seq, hash);
  if (rows.length > 2 * MAX_ROWS_A_KEY) rows.splice(0, 2);
  return false;
}

/** FNV-1a over the code units, 32 bits: every record of a log is hashed, so that it has to cost next to nothing. */
function hashOf(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state;
}
