/** RC08: which commands are one. */
import { type Command, createCommandKernel } from "@casebook/receipt-reader";
import { RECEIPT_SENTENCES } from "@casebook/receipt-reader/rules";
import { LOG } from "./planted.ts";
import type { ReceiptRule, Try } from "./rule.ts";

const FIRST: Command = { key: "command-1", kind: "retry", task: "nightly-digest", revision: "r1", actor: { id: "ADMIN", role: "ADMIN" }, payload: { attempt: "morning" } };

const conflicts = (second: Partial<Command>): Try => (lab, policies) =>
  lab.play(async (ports) => {
    let calls = 0;
    const kernel = () => createCommandKernel(ports, { path: LOG, revisionOf: () => "r1", policies, executor: { execute: () => Promise.resolve({ reason: `call ${++calls}` }) } });
    await kernel().handle(FIRST);
    const { reason } = await kernel().handle({ ...FIRST, ...second });
    return reason === "idempotency_key_conflict" && calls === 1 ? undefined : `the answer is ${reason}, after ${calls} calls`;
  });

export const COMMAND_RULES: readonly ReceiptRule[] = [
  {
    id: "RC08",
    text: RECEIPT_SENTENCES.RC08,
    faults: {
      "another actor": conflicts({ actor: { id: "OPS", role: "ADMIN" } }),
      "the same actor in another role": conflicts({ actor: { id: "ADMIN", role: "OPS" } }),
      "another payload": conflicts({ payload: { attempt: "evening" } }),
      "another task": conflicts({ task: "weekly-digest" }),
    },
  },
];
