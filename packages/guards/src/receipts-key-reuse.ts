/** Finds keys that stand for more than one command: asked by two, or for two things. Says nothing about which of them was meant. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ReceiptsKeyReuseFacts {
  /** Every key of the log, with the number of different fingerprints under it. */
  readonly keys: readonly { readonly key: string; readonly actors: number; readonly payloads: number }[];
}

export const receiptsKeyReuse = defineGuard<ReceiptsKeyReuseFacts>(
  {
    id: "receipts/key-reuse",
    needs: ["for each idempotency key of a receipt log, how many different actors and payloads it has"],
    severity: "alarm",
    text: "One idempotency key was used by two actors, or for two payloads.",
    case: "008",
  },
  ({ keys }) => {
    const reused = keys.filter(({ actors, payloads }) => actors > 1 || payloads > 1);
    if (reused.length === 0) return undefined;
    const names = reused.map(({ key, actors, payloads }) => `${key} (${actors} actors, ${payloads} payloads)`);
    return {
      subject: subjectOrAll(reused.map(({ key }) => key), "keys"),
      message: `${reused.length} of ${keys.length} keys stand for more than one command: ${firstFew(names)}`,
      counts: { keys: keys.length, reused: reused.length },
    };
  },
);
