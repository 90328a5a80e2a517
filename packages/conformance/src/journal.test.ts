/** A dispatcher over a journal: it passes what it declares, and each protection that is taken out turns a rule red. */
import { describe, expect, it } from "vitest";
import { JOURNAL_PROTECTIONS, type JournalProtection, journalled } from "./node/journal.fixture.ts";
import { runConformance } from "./node/index.ts";

const FAILS: Readonly<Record<JournalProtection, string>> = {
  "a start that nobody heard is made again": "C11/states",
  "a write that took a part is finished": "C12/contract",
  "a torn end is cut off": "C13/contract",
};

describe("a dispatcher over a journal", () => {
  it("passes what it declares", async () => {
    const { rules } = await runConformance(journalled(), { share: 0.25 });
    expect(rules.filter(({ verdict }) => verdict === "FAIL" || verdict === "NOT RUN").map(({ number, says, failures }) => [number, says ?? failures?.[0]?.seen])).toEqual([]);
  });

  it.each(JOURNAL_PROTECTIONS)("fails by one name and no other without this: %s", async (protection) => {
    const check = FAILS[protection];
    const { rules } = await runConformance(journalled(protection), { share: 0.25 });
    const failed = rules.flatMap(({ failures = [] }) => failures.map((failure) => failure.check));
    expect(failed).toContain(check);
    expect(new Set(failed.map((one) => one.split("/")[0]))).toEqual(new Set([check.split("/")[0]]));
  });
});
