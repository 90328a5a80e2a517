/** What a line of `casebook test --suite termination` leads to, and what `casebook explore termination` searches. */
import { readToken, tokenText } from "@casebook/explore";
import { findRunner } from "@casebook/sim/node";
import { POINTS, REFERENCE_POLICIES } from "@casebook/supervisor";
import { knownBad } from "@casebook/supervisor/known-bad";
import { CONTROLS, EXTRA_SCENARIOS, PAIRS, playScenario, scenarioCalled, SCENARIOS, sweep } from "@casebook/supervisor/scenarios";
import { beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";
import { searchableSuite } from "./searchable-suite.ts";
import { replayLine, terminationSystem } from "./termination-systems.ts";

const BAD = "diagnoses before it tells anybody";
const AWAY = "ledger_blackhole/one-agent";
const policies = knownBad.find(({ name }) => name === BAD)?.policies ?? REFERENCE_POLICIES;
const runner = await findRunner();
let line = "";

beforeAll(async () => {
  const scenario = scenarioCalled(AWAY);
  line = replayLine(AWAY, BAD, { ...(await playScenario(scenario, { policies, runner })), faults: scenario.world.faults ?? [] });
});

/** The token of a line, with another system. */
function tokenOf(system: string): string {
  const read = readToken(line.replace("casebook replay ", ""));
  if (read.outcome !== "token") throw new Error(read.message);
  return tokenText({ ...read.token, system });
}

describe("a line of the termination suite", () => {
  it("is played again from nothing but itself, with the supervisor that failed", async () => {
    const { stdout, stderr, exitCode } = await commandLine(line.split(" ").slice(1));
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      `termination/${AWAY}/diagnoses-before-it-tells-anybody: the ledger is away from 40 s to 910 s, deadline 900 s: the run ends cleanly as unclassified.`,
      expect.stringMatching(/^FAIL kernel\/deadlock: .*supervisor: ledger\.read "runs\/run-1" waits, held by a fault, until the world heals/),
      "with service-away at supervisor.after-claim at reach 2 for 870000 ms to ledger",
    ]);
    expect([stderr, exitCode]).toEqual(["", 1]);
  });

  it("is no verdict about another supervisor", async () => {
    const { stdout, exitCode } = await commandLine(["replay", tokenOf(`termination/${AWAY}/reference`)]);
    expect([stdout.slice(0, 22), exitCode]).toEqual(["NOT RUN (stale-token):", 3]);
  });

  it.each(["termination/no_such_fault/one-agent/reference", `termination/${AWAY}/nobody`, "termination/windows/no-shape/reference", "termination/reference", "termination"])("that names %s is refused", async (system) => {
    const { stderr, exitCode } = await commandLine(["replay", tokenOf(system)]);
    expect([stderr, exitCode]).toEqual([`casebook: the token is of "${system}", and the suite termination has no such system here. Replay it with the version that printed it. Nothing was run.\n`, 2]);
  });

  it("is there for every scenario with every supervisor", () => {
    const names = [...CONTROLS, ...EXTRA_SCENARIOS, ...SCENARIOS, ...PAIRS].flatMap(({ id }) => ["reference", ...knownBad.map(({ name }) => name.replaceAll(" ", "-"))].map((slug) => `termination/${id}/${slug}`));
    expect(names.length).toBe((4 + 4 + 41 + 36) * (knownBad.length + 1));
    expect(names.filter((name) => terminationSystem(name)?.name !== name)).toEqual([]);
  });

  it("leads to a cell of the table of windows × faults as well", async () => {
    const without = knownBad.find(({ name }) => name === "has no successor");
    const cells = await sweep({ points: [POINTS.afterLastObligation], runner, ...(without === undefined ? {} : { policies: without.policies }) });
    const failed = cells.find(({ kind }) => kind === "kill")?.failed;
    if (failed === undefined) throw new Error("nothing failed");
    const { stdout, exitCode } = await commandLine(replayLine("windows/one-agent", "has no successor", failed).split(" ").slice(1));
    expect([stdout.split("\n")[1], exitCode]).toEqual(["FAIL clean-end: supervision/one-terminal-record: 0 terminal records, 1 expected", 1]);
  });
});

describe("casebook explore termination", () => {
  it("strikes at every window with every kind, within bounds that it prints", async () => {
    const { stdout, exitCode } = await commandLine(["explore", "termination", "--budget", "1"]);
    expect(stdout).toMatch(/^termination\/windows\/one-agent\/reference: A run ends cleanly, whatever strikes at a window, as long as its supervisor or the successor lives\.\n {2}sampled, /);
    expect(exitCode).toBe(0);
  });

  it("draws pairs of faults, and says how many of how many", async () => {
    const { stdout, exitCode } = await commandLine(["explore", "termination", "--faults", "pairs", "--pairs", "20", "--seed", "2"]);
    expect(stdout.split("\n")[1]).toMatch(/^ {2}sampled, no fault, one or two, 20 of \d,\d{3} pairs drawn, at most 1 execution an arm, strategy sampled, seed 2; coverage /);
    expect(exitCode).toBe(0);
  });

  it("draws 150 of them where nobody says how many", async () => {
    expect((await searchableSuite("termination")).defaults).toEqual({ budget: 1, strategy: "sampled", pairs: 150 });
  });

  it("draws none without pairs", async () => {
    const { stderr, exitCode } = await commandLine(["explore", "termination", "--pairs", "20"]);
    expect([stderr, exitCode]).toEqual(["casebook: --pairs draws from pairs of faults: it goes with --faults pairs. Nothing was run.\n", 2]);
  });
});
