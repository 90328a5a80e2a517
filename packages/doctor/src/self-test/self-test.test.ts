import { describe, expect, it } from "vitest";
import { GUARD_IDS } from "../examine/guard-ids.ts";
import { memoryTree } from "../trees/index.ts";
import { fixtureTrees, lookAt, selfTest, type GuardTrees, type Planted } from "./index.ts";

const word = (results: Awaited<ReturnType<typeof selfTest>>) => Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
const pairOf = (guard: string) => fixtureTrees().find((one) => one.guard === guard) as GuardTrees;

describe("the trees of the self-test", () => {
  it("show every guard that the doctor asks: each alarms on its damage and is silent on the healthy twin", async () => {
    const results = await selfTest(fixtureTrees(), { only: [] });
    expect(results.map(({ id }) => id)).toEqual(GUARD_IDS);
    expect(results.filter(({ verdict }) => verdict !== "PASS")).toEqual([]);
  });

  it("belong to guards that are asked: a guard that was renamed would leave its trees behind", () => {
    expect(fixtureTrees().filter(({ guard }) => !GUARD_IDS.includes(guard)).map(({ guard }) => guard)).toEqual([]);
  });
});

describe("a self-test", () => {
  // All of them are muted in the real tier; here one of files, one of schedules and one of slots.
  it.each(["registry/entry-invalid", "schedule/never-fires", "slot/missed"])("fails when %s is mute, and only there", async (mute) => {
    const only = [mute, ...GUARD_IDS.filter((id) => id !== mute).slice(0, 1)];
    const look = async (planted: Planted) => {
      const report = await lookAt(planted);
      return { ...report, findings: report.findings.filter(({ guard }) => guard !== mute) };
    };
    const results = await selfTest(fixtureTrees(), { only, look });
    expect(results.filter(({ verdict }) => verdict === "FAIL").map(({ id }) => id)).toEqual([mute]);
  });

  it("fails when a guard always alarms, because the healthy twin alarms too", async () => {
    const look = async (planted: Planted) => {
      const report = await lookAt(planted);
      const [any] = (await lookAt(await pairOf("lock/stale").bad())).findings;
      return { ...report, findings: any === undefined ? [] : [any] };
    };
    const [result] = await selfTest(fixtureTrees(), { only: ["lock/stale"], look });
    expect(result).toMatchObject({ verdict: "FAIL", message: expect.stringContaining("and on its healthy twin qwen-code, healthy") });
  });

  it("fails when the twin is silent because nothing was there to judge", async () => {
    const pair = pairOf("slot/missed");
    const blind = async () => ({ ...(await pair.healthy()), tree: memoryTree({ "/home/ada/": "" }) });
    const cleaned = async () => ({ ...(await pair.healthy()), places: ["/home/ada/.claude/scheduled-tasks"] });
    for (const healthy of [blind, cleaned]) {
      const [result] = await selfTest([{ ...pair, healthy }], { only: ["slot/missed"] });
      expect(result).toMatchObject({ verdict: "FAIL", message: expect.stringContaining("nothing that it could judge") });
    }
  });

  it("names a guard without trees as NOT RUN, and one whose trees cannot be planted with the reason", async () => {
    const broken: GuardTrees = { ...pairOf("lock/stale"), bad: () => Promise.reject(new Error("mode=broken threw")) };
    const results = await selfTest([broken], { only: ["clock/skew", "lock/stale"] });
    expect(word(results)).toEqual({ "clock/skew": "NOT RUN", "lock/stale": "NOT RUN" });
    expect(results).toMatchObject([
      { reason: "missing-input", message: "no tree shows what it alarms on" },
      { reason: "setup-failed", message: "its trees could not be planted: mode=broken threw" },
    ]);
  });

  it("passes a guard only when all of its trees do", async () => {
    const pair = pairOf("lock/stale");
    const results = await selfTest([pair, { ...pair, bad: pair.healthy }], { only: ["lock/stale"] });
    expect(results).toMatchObject([{ verdict: "FAIL", message: "silent on qwen-code, healthy, which it has to alarm on" }]);
  });
});
