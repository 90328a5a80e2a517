/** Finds work that is done in the store and not in the ledger: an artefact is there, and its item is not done. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionUnknownArtefactFacts {
  readonly run: string;
  readonly items: readonly {
    readonly item: string;
    readonly status: string;
    readonly isDone: boolean;
    /** In the store under the item's address, of whichever attempt. */
    readonly artefacts: number;
  }[];
}

export const supervisionUnknownArtefact = defineGuard<SupervisionUnknownArtefactFacts>(
  {
    id: "supervision/unknown-artefact",
    needs: ["every item of a run that is over", "a listing of the artefact store by item"],
    severity: "alarm",
    text: "The store has an artefact of an item that the ledger does not call done: somebody finished it and did not live to say so.",
    case: "012",
  },
  ({ run, items }) => {
    const unknown = items.filter(({ isDone, artefacts }) => !isDone && artefacts > 0);
    if (unknown.length === 0) return undefined;
    return {
      subject: run,
      message: `${unknown.length} of ${items.length} items have an artefact in the store and are not done: ${firstFew(unknown.map(({ item, status }) => `${item} is ${status}`))}`,
      counts: { items: items.length, unknown: unknown.length },
    };
  },
);
