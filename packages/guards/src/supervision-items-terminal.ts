/** Finds work that is neither done, failed nor dropped, and work that is called done with nothing behind it. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionItemsTerminalFacts {
  readonly run: string;
  readonly items: readonly {
    readonly item: string;
    readonly status: string;
    readonly isTerminal: boolean;
    /** Of one that is done: whether the artefact store has what its address names. */
    readonly hasArtefact: boolean;
  }[];
}

export const supervisionItemsTerminal = defineGuard<SupervisionItemsTerminalFacts>(
  {
    id: "supervision/items-terminal",
    needs: ["every item of a run that is over", "a look into the artefact store for each that is done"],
    severity: "alarm",
    text: "An item of a run that is over is not terminal, or is done without an artefact.",
    case: "012",
  },
  ({ run, items }) => {
    const open = items.filter(({ isTerminal }) => !isTerminal);
    const empty = items.filter(({ status, hasArtefact }) => status === "done" && !hasArtefact);
    if (open.length + empty.length === 0) return undefined;
    const names = [...open.map(({ item, status }) => `${item} is ${status}`), ...empty.map(({ item }) => `${item} is done without an artefact`)];
    return {
      subject: run,
      message: `${open.length} of ${items.length} items are not terminal, ${empty.length} are done without an artefact: ${firstFew(names)}`,
      counts: { items: items.length, open: open.length, withoutArtefact: empty.length },
    };
  },
);
