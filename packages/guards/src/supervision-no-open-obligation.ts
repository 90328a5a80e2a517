/** Finds what is still owed within a run that is over. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionNoOpenObligationFacts {
  readonly run: string;
  readonly obligations: number;
  readonly open: readonly { readonly debtor: string; readonly creditor: string }[];
}

export const supervisionNoOpenObligation = defineGuard<SupervisionNoOpenObligationFacts>(
  {
    id: "supervision/no-open-obligation",
    needs: ["every obligation of a run that is over"],
    severity: "alarm",
    text: "Somebody still owes something within a run that is over, so that whoever waits for it waits for ever.",
    case: "009",
  },
  ({ run, obligations, open }) =>
    open.length === 0
      ? undefined
      : {
          subject: run,
          message: `${open.length} of ${obligations} obligations are open: ${firstFew(open.map(({ debtor, creditor }) => `${debtor} to ${creditor}`))}`,
          counts: { obligations, open: open.length },
        },
);
