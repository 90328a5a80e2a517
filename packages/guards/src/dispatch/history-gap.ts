/**
 * Finds histories in which a move is missing between two others, or that run back in time. That the end of a history is not where the
 * task is, is `dispatch/history-rewritten`.
 */
import { defineGuard } from "../finding.ts";
import { firstFew, instantText, subjectOrAll } from "../first-few.ts";

export interface TaskHistory {
  readonly task: string;
  /** In the order in which they stand on record. Undefined: not on record. */
  readonly moves: readonly { readonly from: string | undefined; readonly to: string; readonly atMs: number | undefined }[];
}

export const dispatchHistoryGap = defineGuard<readonly TaskHistory[]>(
  {
    id: "dispatch/history-gap",
    needs: ["for each task, its moves on record in their order, with their times"],
    severity: "alarm",
    text: "Two moves on record do not follow each other: one between them is missing, or the later one is older.",
    case: undefined,
  },
  (histories) => {
    const moves = histories.reduce((sum, history) => sum + history.moves.length, 0);
    const gaps = histories.flatMap(({ task, moves: own }) =>
      own.slice(1).flatMap((move, index) => {
        const before = own[index] as TaskHistory["moves"][number];
        const says = [
          ...(move.from === before.to ? [] : [`after ${before.to} comes ${move.from === undefined ? `a new beginning in ${move.to}` : `${move.from} to ${move.to}`}`]),
          ...(move.atMs !== undefined && before.atMs !== undefined && move.atMs < before.atMs ? [`${move.to} at ${instantText(move.atMs)}, before ${before.to}`] : []),
        ];
        return says.length === 0 ? [] : [{ task, says: says.join(", ") }];
      }),
    );
    if (gaps.length === 0) return undefined;
    return {
      subject: subjectOrAll(gaps.map(({ task }) => task), "tasks"),
      message: `${gaps.length} gaps in ${moves} moves of ${histories.length} tasks: ${firstFew(gaps.map(({ task, says }) => `${task} (${says})`), "; ")}`,
      counts: { tasks: histories.length, moves, gaps: gaps.length },
    };
  },
);
