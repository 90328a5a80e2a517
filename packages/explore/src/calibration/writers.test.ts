/** What each writer leaves, as facts of this world and no judgement: found under one profile, one set of faults and one budget. */
import type { ArmedFault, Execution } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { explore, type ExploreReport } from "../explore.ts";
import { replay } from "../replay.ts";
import { searchArm } from "../search.ts";
import { createTouches } from "../strategies.ts";
import { readToken } from "../token.ts";
import { byHand, inWords, KEPT, NEW, type Part, SHORT_WRITE, WHOLE, WRITERS, type Write, writerSystem } from "./writers.fixture.ts";

const BUDGET = 200;

type Check = typeof WHOLE;

async function searched(write: Write, check: Check, expects: "holds" | "fails"): Promise<ExploreReport> {
  return explore(writerSystem("writer", write, expects, check), await findRunner(), { budget: BUDGET });
}

/** Every arm exhausted: nothing was sampled, capped or left out. */
async function holds(write: Write, check: Check): Promise<unknown> {
  const { verdict, findings, sampled, notRun } = await searched(write, check, "holds");
  return { verdict, findings: findings.map(({ says }) => says), sampled, notRun };
}
const EXHAUSTED = { verdict: "exhausted", findings: [], sampled: 0, notRun: 0 };

/** One line a step: what the file can hold when the power goes right behind it. */
async function afterPowerLoss(write: Write): Promise<string[]> {
  const calls = (await playedCalls(write)).filter((call) => call !== "writer.answered");
  const lines: string[] = [];
  for (const [at, call] of calls.entries()) {
    const held = await contents(write, { at: "step", process: "writer", nth: at + 1, kind: "power-loss" });
    lines.push(`${at + 1} ${call}: ${held.join(", or ")}`);
  }
  return lines;
}

async function contents(write: Write, fault: ArmedFault): Promise<string[]> {
  const held = new Set<string>();
  const onJudged = (_judged: unknown, { facts }: { facts(): unknown }): void => void held.add(inWords((facts() as { content: string | undefined }).content));
  const report = await searchArm(writerSystem("writer", write, "holds", WHOLE), [fault], await findRunner(), { budget: BUDGET, goOn: true, strategy: "exhaustive", onJudged }, createTouches());
  expect([report.isExhausted, report.fired]).toEqual([true, [report.complete]]);
  return [...held].sort();
}

/** Its port calls when nothing goes wrong, without the paths. */
async function playedCalls(write: Write): Promise<string[]> {
  const played: Execution[] = [];
  const onJudged = (_judged: unknown, { execution }: { execution: Execution }): void => void played.push(execution);
  await searchArm(writerSystem("writer", write, "holds", WHOLE), [], await findRunner(), { budget: 1, onJudged }, createTouches());
  return (played[0] as Execution).steps.map(({ plan, outcome }) => {
    if (plan.name === "faults.reach") return plan.object;
    return `${plan.name.replace(/^disk\./, "")}${plan.object === "/state" ? " of the directory" : ""}${outcome === "ok" ? "" : ` (${outcome})`}`;
  });
}

describe("a writer in place", () => {
  const write = WRITERS["in-place"];

  it("loses the file to a power loss, and the search prints a line that plays it again", async () => {
    const { verdict, findings } = await searched(write, WHOLE, "fails");
    expect([verdict, findings.map(({ check }) => check)]).toEqual(["failed", ["file/old-or-new"]]);
    const [finding] = findings;
    expect(finding?.says).toBe("the file holds no byte");
    const read = readToken(finding?.token ?? "");
    if (read.outcome !== "token") throw new Error("no token");
    const again = await replay(writerSystem("writer", write, "fails", WHOLE), read.token, await findRunner());
    expect(again).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", says: "the file holds no byte" } });
  });

  it("has emptied the file before it writes, and syncs nothing", async () => {
    expect(await afterPowerLoss(write)).toEqual(["1 open: no byte, or the old text", "2 write: no byte, or the new text, or the old text", "3 close: no byte, or the new text, or the old text"]);
  });
});

describe("write-file-atomic, unmodified", () => {
  const write = WRITERS["write-file-atomic"];

  it("leaves the old text or the new one, whatever crash comes where", async () => {
    expect(await holds(write, WHOLE)).toEqual(EXHAUSTED);
  });

  it("is found out when it is told not to sync, so that the search could have found it", async () => {
    const { verdict, findings } = await searched(WRITERS["write-file-atomic, told not to sync"], WHOLE, "fails");
    expect([verdict, findings.map(({ says }) => says)]).toEqual(["failed", ["the file holds no byte"]]);
  });

  it("syncs the file before the rename; a sync of the directory is not called, and a power loss after the answer leaves either text", async () => {
    expect(await afterPowerLoss(write)).toEqual([
      "1 stat of the directory: the old text",
      "2 stat: the old text",
      "3 stat: the old text",
      "4 open: the old text",
      "5 write: the old text",
      "6 sync: the old text",
      "7 close: the old text",
      "8 stat: the old text",
      "9 stat: the old text",
      "10 rename: the new text, or the old text",
      "11 unlink (ENOENT): the new text, or the old text",
    ]);
    const { verdict, findings } = await searched(write, KEPT, "fails");
    expect([verdict, findings.map(({ says }) => says)]).toEqual(["failed", ["the writer was told that it is done, and the file holds the old text"]]);
  });

  it("takes a write that took half for a whole one", async () => {
    expect(await contents(write, SHORT_WRITE)).toEqual(['a part: "the new tasks,"']);
  });
});

describe.each([
  [
    "file-commit",
    // Its own named moments are port calls as well.
    [
      "1 open: the old text",
      "2 write: the old text",
      "3 file-commit.after-write: the old text",
      "4 sync: the old text",
      "5 file-commit.after-sync: the old text",
      "6 close: the old text",
      "7 file-commit.before-rename: the old text",
      "8 rename: the new text, or the old text",
      "9 file-commit.after-rename: the new text, or the old text",
      "10 syncDirectory of the directory: the new text",
    ],
  ],
  [
    "synced-by-hand",
    [
      "1 open: the old text",
      "2 write: the old text",
      "3 sync: the old text",
      "4 close: the old text",
      "5 rename: the new text, or the old text",
      "6 open of the directory: the new text, or the old text",
      "7 sync of the directory: the new text",
      "8 close of the directory: the new text",
    ],
  ],
] as const)("a complete writer: %s", (name, lines) => {
  const write = WRITERS[name];

  it("leaves the old text or the new one, and the new one once it has answered", async () => {
    expect([await holds(write, WHOLE), await holds(write, KEPT)]).toEqual([EXHAUSTED, EXHAUSTED]);
  });

  it("syncs the file before it takes the name, and the directory after", async () => {
    expect(await afterPowerLoss(write)).toEqual(lines);
  });

  it("goes on where a write took half", async () => {
    expect(await contents(write, SHORT_WRITE)).toEqual([inWords(NEW)]);
  });
});

it.each<[Part, Check, string]>([
  ["other name", WHOLE, "the file holds no byte"],
  ["sync", WHOLE, "the file holds no byte"],
  ["sync of the directory", KEPT, "the writer was told that it is done, and the file holds the old text"],
])("a complete writer without its %s is found out", async (part, check, says) => {
  const { verdict, findings } = await searched(byHand(part), check, "fails");
  expect([verdict, findings.map((finding) => finding.says)]).toEqual(["failed", [says]]);
});

it("a complete writer that does not look what a write took leaves a part", async () => {
  expect(await contents(byHand("rest of a short write"), SHORT_WRITE)).toEqual(['a part: "the new tasks,"']);
});
