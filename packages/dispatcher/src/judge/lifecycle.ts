/**
 * The profile: which folders there are, and which moves between them are allowed. Location is the current state of a task; a report
 * is a claim, and a review is a decision. All five folders lie on one mount, so that a move is one rename.
 */
export const FOLDERS = ["inbox", "active", "review", "done", "archive"] as const;
export type Folder = (typeof FOLDERS)[number];

export const KINDS = ["TASK", "REPORT", "ISSUE", "REVIEW"] as const;
export type Kind = (typeof KINDS)[number];

/** Below the root that a dispatcher is given. */
export const LIFECYCLE = "_lifecycle";
export const LEDGER = "_dispatch/ledger";
/** On the same mount as the ledger: what is complete here is renamed into it. */
export const PENDING = "_dispatch/pending";

/** `active>done` is there for a task whose work needs no review; nothing here makes it by itself. */
export const ALLOWED_MOVES = ["inbox>active", "active>review", "active>done", "review>done", "review>active", "done>archive"] as const;

export function isAllowedMove(from: Folder, to: Folder): boolean {
  return (ALLOWED_MOVES as readonly string[]).includes(`${from}>${to}`);
}

export function isFolder(name: string): name is Folder {
  return (FOLDERS as readonly string[]).includes(name);
}
