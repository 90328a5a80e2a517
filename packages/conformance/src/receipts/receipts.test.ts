/** Our own receipt log behind the adapter, its known-bad behind the same, and logs that lie. */
import { KNOWN_BAD_RECEIPTS, RECEIPT_RULES } from "@casebook/receipt-reader/known-bad";
import { describe, expect, it } from "vitest";
import { exitCodeOf, RECEIPT_LOG_RULES, type ReceiptLogAdapter } from "../index.ts";
import { FAILS, failedOf, ours } from "./reference.fixture.ts";
import { replayReceiptConformance, runReceiptConformance } from "../node/index.ts";

describe("a receipt log behind the adapter", () => {
  it("passes every rule that is asked when it is the reference", async () => {
    const report = await runReceiptConformance(ours(), { share: 0.15 });
    expect(report.rules.flatMap(({ number, verdict, says, failures = [] }) => (verdict === "PASS" || verdict === "not checked" ? [] : [[number, verdict, says, failures.map(({ seen }) => seen)]]))).toEqual([]);
    expect([report.planned, report.passed, report.notChecked]).toEqual([12, 12, 6]);
  });

  it.each(KNOWN_BAD_RECEIPTS.filter(({ name }) => name in FAILS))("fails what is written down: $name", async ({ name, policies }) => {
    expect(failedOf(await runReceiptConformance(ours(policies, name), { share: 0.5, only: FAILS[name] ?? [] }))).toEqual(FAILS[name]);
  });

  it("shows its failure again from one line", async () => {
    const glue = KNOWN_BAD_RECEIPTS.find(({ name }) => name === "glue");
    const adapter = ours(glue?.policies, "glue");
    const { rules } = await runReceiptConformance(adapter, { only: ["RC10"] });
    const again = await replayReceiptConformance(adapter, rules[0]?.failures?.[0]?.replay ?? "");
    expect(again.outcome === "fails" && again.failures.map(({ seen }) => seen)).toEqual(rules[0]?.failures?.map(({ seen }) => seen));
  });
});

describe("a receipt log that", () => {
  const bad = (create: ReceiptLogAdapter["create"]): ReceiptLogAdapter => ({ name: "bad", version: "1", capabilities: [], create });
  const planned = RECEIPT_LOG_RULES.filter((rule) => rule.level !== "not-checked" && rule.needs.length === 0).length;

  it.each<[string, ReceiptLogAdapter]>([
    ["answers everything with ok", bad(() => ({ append: () => "ok", read: () => "ok" }) as never)],
    ["acknowledges everything and finds nothing", bad(() => ({ append: () => ({ outcome: "acknowledged" }), read: () => ({ health: "absent" }) }))],
    ["acknowledges everything and finds everything", bad(() => ({ append: () => ({ outcome: "acknowledged" }), read: () => ({ health: "found", state: "pending" }) }))],
    ["refuses everything", bad(() => ({ append: () => ({ outcome: "refused" }), read: () => ({ health: "absent" }) }))],
    ["never answers", bad(() => ({ append: () => new Promise(() => undefined), read: () => new Promise(() => undefined) }))],
    ["is no object", bad(() => undefined as never)],
  ])("%s has no green report", async (_what, adapter) => {
    const report = await runReceiptConformance(adapter, { share: 0.1 });
    expect(report.planned).toBe(planned);
    expect(exitCodeOf(report)).toBe(1);
  });
});

it("has every number that our own log is held to, and no other", () => {
  expect([...new Set(RECEIPT_LOG_RULES.map(({ number }) => number.slice(0, 4)))]).toEqual(RECEIPT_RULES.map(({ id }) => id));
});
