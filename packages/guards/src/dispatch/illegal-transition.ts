/** Finds moves on record that the profile does not allow. Leaves out moves that nobody recorded: see `dispatch/history-gap`. */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface IllegalTransitionFacts {
  readonly moves: readonly {
    readonly task: string;
    /** Undefined: it was put there for the first time. */
    readonly from: string | undefined;
    readonly to: string;
  }[];
  /** `inbox>active`; `>inbox` for a first place. */
  readonly allowed: readonly string[];
}

export const dispatchIllegalTransition = defineGuard<IllegalTransitionFacts>(
  {
    id: "dispatch/illegal-transition",
    needs: ["every move of a task on record, and the moves that are allowed"],
    severity: "alarm",
    text: "A task was moved in a way that is not allowed, such as into the done folder without a review.",
    case: undefined,
  },
  ({ moves, allowed }) => {
    const wrong = moves.filter(({ from = "", to }) => !allowed.includes(`${from}>${to}`));
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ task }) => task), "tasks"),
      message: `${wrong.length} of ${moves.length} moves are not allowed: ${firstFew(wrong.map(({ task, from, to }) => `${task} ${from === undefined ? `began in ${to}` : `${from} to ${to}`}`))}`,
      counts: { moves: moves.length, illegal: wrong.length },
    };
  },
);
