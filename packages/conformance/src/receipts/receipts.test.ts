/** Our own receipt log behind the adapter, its known-bad behind the same, and logs that lie. */
import { KNOWN_BAD_RECEIPTS, RECEIPT_RULES } from "@casebook/receipt-reader/known-bad";
import { describe, expect, it } from "vitest";
import { exitCodeOf, RECEIPT_LOG_RULES, type ReceiptLogAdapter, type ReceiptToKeep } from "../index.ts";
import { replayReceiptConformance, runReceiptConformance } from "../node/index.ts";
import { RECEIPT_MATRIX, RECEIPT_MATRIX_SHARE } from "../node/known-bad-receipts.fixture.ts";
import { failedOf, ours } from "./reference.fixture.ts";

describe("a receipt log behind the adapter", () => {
  it("passes every rule that is asked when it is the reference", async () => {
    const report = await runReceiptConformance(ours(), { share: 0.15 });
    expect(report.rules.flatMap(({ number, verdict, says, failures = [] }) => (verdict === "PASS" || verdict === "not checked" ? [] : [[number, verdict, says, failures.map(({ seen }) => seen)]]))).toEqual([]);
    expect([report.planned, report.passed, report.notChecked]).toEqual([12, 12, 6]);
  });

  it.each(RECEIPT_MATRIX.filter(({ failed }) => failed.length > 0))("fails what is written down: $name", async ({ name, failed }) => {
    const policies = KNOWN_BAD_RECEIPTS.find((bad) => bad.name === name)?.policies;
    expect(failedOf(await runReceiptConformance(ours(policies, name), { share: RECEIPT_MATRIX_SHARE, only: failed }))).toEqual(failed);
  });

  it("shows its failure again from one line", async () => {
    const glue = KNOWN_BAD_RECEIPTS.find(({ name }) => name === "glue");
    const adapter = ours(glue?.policies, "glue");
    const { rules } = await runReceiptConformance(adapter, { only: ["RC10"] });
    const again = await replayReceiptConformance(adapter, rules[0]?.failures?.[0]?.replay ?? "");
    expect(again.outcome === "fails" && again.failures.map(({ seen }) => seen)).toEqual(rules[0]?.failures?.map(({ seen }) => seen));
  });
});

describe("a failure of a receipt that is not found", () => {
  it("is shown up to what the reader was answered, and not up to the acknowledgement", async () => {
    const forgets: ReceiptLogAdapter = {
      name: "forgets",
      version: "1",
      capabilities: [],
      create: ({ disk }) => ({
        append: async ({ key }) => (await (await disk.open(`/${key}`, "w")).close(), { outcome: "acknowledged" }),
        read: async () => (await disk.readdir("/"), { health: "absent" }),
      }),
    };
    const { rules } = await runReceiptConformance(forgets, { only: ["RC06"], share: 0.1 });
    const story = rules[0]?.failures?.find(({ check }) => check === "RC06/kept");
    expect(story?.partsAtStep).toBe(undefined);
    expect(story?.diagram).toMatch(/disk\.readdir \/ = [1-9]/);
  });
});

describe("a receipt log that", () => {
  const bad = (create: ReceiptLogAdapter["create"]): ReceiptLogAdapter => ({ name: "bad", version: "1", capabilities: [], create });
  const planned = RECEIPT_LOG_RULES.filter((rule) => rule.level !== "not-checked" && rule.needs.length === 0).length;

  it("keeps its receipts between instances, and a mark on the disk, finds them on an empty disk or loses them", async () => {
    let kept = new Map<string, ReceiptToKeep["state"]>();
    const beside = (isCareful: boolean): ReceiptLogAdapter =>
      bad(async ({ disk }) => {
        if (isCareful && (await disk.readdir("/")).length === 0) kept = new Map();
        await (await disk.open("/mark", "w")).close();
        const own = kept;
        return {
          append: ({ key, state }) => (own.set(key, state), { outcome: "acknowledged" }),
          read: (key) => (own.has(key) ? { health: "found", state: own.get(key) } : { health: "absent" }),
        };
      });
    const seen = async (isCareful: boolean) => (await runReceiptConformance(beside(isCareful), { only: ["RC06"], share: 0.1 })).rules[0]?.failures?.map((one) => one.seen);
    expect(await seen(false)).toEqual(expect.arrayContaining(["a log on an empty disk answers found, completed for command-1. Keep nothing outside of what create makes"]));
    expect(await seen(true)).toEqual(["command-1 was acknowledged as completed, and the answer is absent"]);
  });

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

describe("the matrix of the known-bad receipt logs", () => {
  const from = new Map(RECEIPT_LOG_RULES.flatMap((rule) => (rule.level === "not-checked" ? [] : [[rule.number, rule.from] as const])));

  it("has a row for each of them, and one for the reference, which fails nothing", () => {
    expect(RECEIPT_MATRIX.map(({ name }) => name)).toEqual(["reference", ...KNOWN_BAD_RECEIPTS.map(({ name }) => name)]);
    expect(RECEIPT_MATRIX[0]).toEqual({ name: "reference", expected: [], failed: [], surprises: {} });
  });

  it("expects of each what was written down for our own suite, as far as the kit asks the rule", () => {
    const asked = new Set<string>(from.values());
    for (const { name, breaks } of KNOWN_BAD_RECEIPTS) expect([name, RECEIPT_MATRIX.find((row) => row.name === name)?.expected]).toEqual([name, breaks.filter((id) => asked.has(id))]);
  });

  it("gives a reason for every surprise, and for every log that it does not see", () => {
    for (const { name, expected, failed, surprises, unseen } of RECEIPT_MATRIX.slice(1)) {
      // A rule that is asked in several ways is met when one of them fails.
      const unmet = expected.filter((rule) => !failed.some((number) => from.get(number) === rule));
      const unexpected = failed.filter((number) => !expected.includes(from.get(number) as string));
      expect([name, Object.keys(surprises).toSorted()]).toEqual([name, [...unmet, ...unexpected].toSorted()]);
      expect([name, failed.length === 0]).toEqual([name, unseen !== undefined]);
    }
  });
});
