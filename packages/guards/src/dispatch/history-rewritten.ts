/** Rule three of dispatch: history only grows, and explains where each task is. Leaves out whether what it says is true. */
import { defineGuard } from "../finding.ts";
import { firstFew } from "../first-few.ts";

export interface HistoryFacts {
  /** What a writer was told is on record, with its number. */
  readonly acknowledged: readonly { readonly number: number; readonly text: string }[];
  /** What is on record now. */
  readonly kept: readonly { readonly number: number; readonly text: string }[];
  /** For each task that ever moved: where it is, the folders of its moves on record, and whether a move is open. */
  readonly moved: readonly { readonly task: string; readonly folder: string; readonly path: readonly string[]; readonly isOpen: boolean }[];
}

export const dispatchHistoryRewritten = defineGuard<HistoryFacts>(
  {
    id: "dispatch/history-rewritten",
    needs: ["the records that were acknowledged, and those that are there now, with their numbers", "for each task that moved, its folder and the moves on record"],
    severity: "alarm",
    text: "A record that was acknowledged is gone or different, a number is missing, or a task is where no move on record took it.",
    case: undefined,
  },
  ({ acknowledged, kept, moved }) => {
    const now = new Map(kept.map(({ number, text }) => [number, text]));
    const gone = acknowledged.filter(({ number }) => !now.has(number));
    const changed = acknowledged.filter(({ number, text }) => now.has(number) && now.get(number) !== text);
    const last = Math.max(0, ...now.keys());
    const missing = Array.from({ length: last }, (_, at) => at + 1).filter((number) => !now.has(number));
    const unexplained = moved.filter(({ folder, path, isOpen }) => !isOpen && path.at(-1) !== folder);
    const says = [
      ...gone.map(({ number }) => `record ${number} is gone`),
      ...changed.map(({ number }) => `record ${number} is not what was acknowledged`),
      ...missing.map((number) => `no record ${number} of ${last}`),
      ...unexplained.map(({ task, folder, path }) => `${task} is in ${folder}, its moves lead to ${path.at(-1) ?? "nowhere"}`),
    ];
    if (says.length === 0) return undefined;
    return {
      subject: unexplained.length === says.length && unexplained.length === 1 ? (unexplained[0] as { task: string }).task : "history",
      message: `${says.length} faults in a history of ${kept.length} records: ${firstFew(says, "; ")}`,
      counts: { records: kept.length, acknowledged: acknowledged.length, gone: gone.length, changed: changed.length, missing: missing.length, unexplained: unexplained.length },
    };
  },
);
