/**
 * Whether the moves on record lead from where a task was published to where it is. Says nothing about who moved it: a person may, and
 * then the record is silent. An open move explains both of its ends.
 */
import { type DispatchState, type Move, taskOf } from "./fold.ts";
import { type Folder, isAllowedMove, isFolder } from "./lifecycle.ts";

/** Undefined: the history is whole. */
export function historyGap(task: string, folder: Folder, state: DispatchState): string | undefined {
  const { moves, moving } = taskOf(state, task);
  const published = state.published.get(task)?.path.split("/")[1];
  // Never seen by a dispatcher: nothing is on record, and nothing is missing.
  const start = published ?? moves[0]?.from;
  if (start === undefined) return undefined;
  let at = start;
  for (const move of moves) {
    if (move.from !== at) return `its history has a gap: after ${at} comes a move from ${move.from} to ${move.to}`;
    if (!isAllowed(move)) return `its history has a move that the rules do not allow: from ${move.from} to ${move.to}, by ${move.by}`;
    at = move.to;
  }
  if (at === folder || (moving !== undefined && moving.from === at && moving.to === folder)) return undefined;
  return `its history has a gap: it leads to ${at}, and the task is in ${folder}${isFolder(at) && isAllowedMove(at, folder) ? "" : ", where no allowed move leads from there"}`;
}

function isAllowed({ from, to }: Move): boolean {
  return isFolder(from) && isFolder(to) && isAllowedMove(from, to);
}
