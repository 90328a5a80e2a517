/** What people tell a dispatcher, by hand and not ours: with all of its protections it passes, and each that is taken out turns a rule red. */
import { describe, expect, it } from "vitest";
import { type DispatcherAdapter, type DispatcherUnderTest, DISPATCH_RULES, exitCodeOf, isChecked, TOLD } from "./index.ts";
import { runConformance } from "./node/index.ts";
import { type Protection, PROTECTIONS, toldInMemory } from "./told.fixture.ts";

const OF_NOTICES = ["C07", "F05", "F05b", "F06", "F08b", "F11", "F13", "F14b", "F15", "F16", "F18", "F18b", "F19"];

const FAILS: Readonly<Record<Protection, readonly string[]>> = {
  "sources are checked": ["F13/starts", "F13/answers", "F13/dispatch/start-without-permit"],
  "gates are asked": ["F08b/starts", "F08b/dispatch/start-without-permit", "F14b/dispatch/start-without-permit"],
  "approvals are checked": ["F14b/dispatch/start-without-permit"],
  "holds are asked": ["F16/dispatch/start-without-permit"],
  "holds are released": ["F16/starts"],
  "reviewers are checked": ["C07/states"],
  "workers do not count": ["F18b/states"],
  "reports do not count": ["F11/states"],
  "edits are noticed": ["F18/starts", "F18/dispatch/unattributed-start"],
  "wakes are in turn": ["F15/starts"],
  "wakes look": ["F05/in-time"],
  "sessions are found by key": ["F19/strangers"],
  "earlier sessions are found by key": ["F19/starts"],
  "others are left to run": ["F19/strangers"],
  "others are listed": ["F19/strangers"],
};

describe("a dispatcher in memory that is told everything", () => {
  it("passes what it declares", async () => {
    const report = await runConformance(toldInMemory());
    expect(report.rules.flatMap(({ failures = [] }) => failures.map(({ check, seen }) => [check, seen]))).toEqual([]);
    expect([report.planned, report.passed]).toEqual([24, 24]);
  });

  it.each(PROTECTIONS)("fails by name without this: %s", async (protection) => {
    const only = [...new Set(FAILS[protection].map((check) => check.split("/")[0] as string))];
    const { rules } = await runConformance(toldInMemory(protection), { only });
    expect(rules.flatMap(({ failures = [] }) => failures.map(({ check }) => check))).toEqual(expect.arrayContaining([...FAILS[protection]]));
  });

  it("is asked nothing of it where it declares nothing", async () => {
    const { planned, rules } = await runConformance({ ...toldInMemory(), capabilities: [] }, { only: OF_NOTICES });
    expect([planned, new Set(rules.map(({ verdict }) => verdict))]).toEqual([0, new Set(["unsupported"])]);
  });
});

describe("tell", () => {
  const telling = (tell: unknown): DispatcherAdapter => ({ ...toldInMemory(), create: async (ports) => ({ ...(await toldInMemory().create(ports)), tell }) as DispatcherUnderTest });

  it.each<readonly [what: string, tell: unknown, says: string]>([
    ["is missing", undefined, "create answered an object without tell, and wakes is declared. Add the function, or do not declare wakes"],
    ["is no function", "later", 'create answered an object whose tell is "later". Make it a function, or leave it out'],
    ["throws", () => { throw new Error("not today"); }, "tell rejected with not today"],
    ["never answers", () => new Promise(() => undefined), "tell had not answered after 60 virtual seconds. Settle every promise, and wait for nothing but ports"],
    ["answers something", () => "ok", 'tell answered "ok". Answer nothing: what came of it is in the list'],
  ])("that %s has no green report", async (_what, tell, says) => {
    const report = await runConformance(telling(tell), { only: ["F16"] });
    expect([report.rules[0]?.failures?.[0]?.seen, exitCodeOf(report)]).toEqual([says, 1]);
  });

  it("is called for nothing that the rule does not need", () => {
    for (const rule of DISPATCH_RULES.filter(isChecked)) {
      const told = (rule.play.notices ?? []).map(({ notice }) => TOLD[notice.kind]);
      expect([rule.number, told.filter((capability) => !rule.needs.includes(capability))]).toEqual([rule.number, []]);
    }
  });
});
