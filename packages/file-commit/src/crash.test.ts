/** Searches the right writer and each known-bad one for what a crash at any step, and any answer of the disk, can do to the file. */
import { explore, type ExploreReport, readToken, replay, type System } from "@casebook/explore";
import type { ArmedFault } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { beforeAll, describe, expect, it } from "vitest";
import { commitSystem, DISK_ANSWERS, GUARD_OF, type Told } from "./crash-systems.fixture.ts";
import { COMMIT_RULES, knownBad, type KnownBadCommit } from "./known-bad/index.ts";

let runner: Awaited<ReturnType<typeof findRunner>>;
beforeAll(async () => {
  runner = await findRunner();
});

const search = (system: System<Told>, faults: "none" | "singles" | "pairs" = "singles"): Promise<ExploreReport> => explore(system, runner, { faults });

/** Without what a kill does: none of the rules needs one to be broken. */
const quick = ({ name, policies }: KnownBadCommit, armed: readonly ArmedFault[] = DISK_ANSWERS): System<Told> => ({
  ...commitSystem(name, policies),
  faults: { points: [], kinds: [], steps: ["power-loss"], armed },
});

/** Of all pairs only those in which the power goes soon after a sync was refused: in a pair the second is counted from the first. */
function withPowerLossAfterASync(bad: KnownBadCommit): System<Told> {
  const powerLosses = Array.from({ length: 8 }, (_, index): ArmedFault => ({ at: "step", kind: "power-loss", process: "writer", nth: 1 + index }));
  return { ...commitSystem(bad.name, bad.policies), faults: { points: [], kinds: [], armed: [{ at: "disk.sync", kind: "error", errno: "EIO", nth: 2 }, ...powerLosses] } };
}

describe("the right writer", () => {
  it("survives a crash and a power loss at every step, and every answer of the disk", async () => {
    const { verdict, findings, planned, exhausted, sometimes, cells } = await search(commitSystem("reference"));
    expect({ verdict, findings, exhausted }).toEqual({ verdict: "exhausted", findings: [], exhausted: planned });
    // Nothing was spared: each arm fired, and what has to happen for the search to be worth something happened.
    expect(cells.filter(({ fired }) => fired === 0)).toEqual([]);
    expect(sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it("leaves one of two versions whole when two write at once, in every order", async () => {
    const { verdict, findings } = await search(commitSystem("two-writers", undefined, 2), "none");
    expect({ verdict, findings }).toEqual({ verdict: "exhausted", findings: [] });
  });
});

/** What is only seen with a second writer, or with a second fault. */
const SEEN_WITH: Readonly<Record<string, (bad: KnownBadCommit) => Promise<ExploreReport>>> = {
  "uses one temporary name for all": ({ name, policies }) => search(commitSystem(name, policies, 2), "none"),
  "renames a file whose sync failed": (bad) => search(withPowerLossAfterASync(bad), "pairs"),
};

describe("a writer that is known to be bad", () => {
  it.each(knownBad)("$name, and the guards of its rules alarm, and no other", async (bad) => {
    const report = await (SEEN_WITH[bad.name] ?? (() => search(quick(bad))))(bad);
    expect(report.findings.map(({ check }) => check)).toEqual(bad.breaks.map((rule) => GUARD_OF[rule].about.id));
    expect(report.notRunBecause).toEqual([]);
  });

  it("loses the file in place with one power loss, which one line plays again", async () => {
    const naive = knownBad.find(({ name }) => name === "writes in place") as KnownBadCommit;
    const system = quick(naive, []);
    const [finding] = (await search(system)).findings;
    expect(finding).toMatchObject({ check: "storage/neither-version", faults: ["power-loss at step of writer"] });
    const read = readToken(finding?.token ?? "");
    if (read.outcome !== "token") throw new Error(read.message);
    expect(await replay(system, read.token, runner)).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", says: finding?.says } });
  });

  it("is there for every rule, under a name of its own", () => {
    expect(new Set(knownBad.flatMap(({ breaks }) => breaks))).toEqual(new Set(Object.keys(COMMIT_RULES)));
    expect(new Set(knownBad.map(({ name }) => name)).size).toBe(knownBad.length);
  });
});
