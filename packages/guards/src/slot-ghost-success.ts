/** Finds slots that the registry says ran and that left no trace. A trace that was removed, or written elsewhere, looks the same. */
import { defineGuard } from "./finding.ts";
import type { LedgerRow } from "./slot-ledger.ts";
import { namesOf, subjectOf } from "./slot-row.ts";

export const slotGhostSuccess = defineGuard<readonly LedgerRow[]>(
  {
    id: "slot/ghost-success",
    needs: ["the rows of the slot ledger, with claims and traces"],
    severity: "alarm",
    text: "The registry says that a task ran, and no trace of a run was found.",
    case: undefined,
  },
  (rows) => {
    const claimed = rows.filter((row) => row.due && row.claimed && row.reading !== "unjudged" && row.reading !== "pending");
    const ghosts = claimed.filter(({ reading }) => reading === "ghost-success");
    if (ghosts.length === 0) return undefined;
    return {
      subject: subjectOf(ghosts),
      message: `${ghosts.length} of ${claimed.length} claimed slots left no trace of a run: ${namesOf(ghosts)}`,
      counts: { claimed: claimed.length, ghosts: ghosts.length },
    };
  },
);
