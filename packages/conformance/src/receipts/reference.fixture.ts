/** Our own receipt log behind the adapter, with any of its policies. */
import { createReceiptWriter, readReceipts, type ReceiptPolicies, REFERENCE_POLICIES } from "@casebook/receipt-reader";
import type { ConformanceReport, ReceiptLogAdapter } from "../index.ts";

export function ours(policies: ReceiptPolicies = REFERENCE_POLICIES, name = "reference"): ReceiptLogAdapter {
  const path = "/receipts.jsonl";
  return {
    name,
    version: "0.1.0",
    capabilities: ["power-loss", "many-writers", "numbers"],
    create(ports) {
      const writer = createReceiptWriter(ports, path, policies);
      return {
        async append({ key, state }) {
          const result = await writer.append({ key, state, command: "retry", task: "nightly-digest", revision: "r1", actor: "actor-1", payload: "payload-1", reason: state === "completed" ? "done" : "" });
          if (result.outcome === "acknowledged") return { outcome: "acknowledged", number: result.receipt.seq };
          if (result.outcome === "refused") return { outcome: "refused" };
          throw new Error(result.say);
        },
        async read(key) {
          const read = await readReceipts(ports, path, key, policies);
          if (read.outcome === "not-read") throw new Error(read.say);
          const { health, found } = read.value;
          const state = found?.receipt.state;
          return { health: health === "found" || health === "absent" ? health : "damaged", ...(state === undefined ? {} : { state }) };
        },
      };
    },
  };
}

export const failedOf = ({ rules }: ConformanceReport): string[] => rules.filter(({ verdict }) => verdict === "FAIL").map(({ number }) => number);
