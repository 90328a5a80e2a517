/** Searches what the cases export for it, for longer than their own tests do: every schedule of every single fault, and a sample of the pairs. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { explore, searchArm, type System } from "@casebook/explore";
import type { ArmedFault } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";

/** The largest arm of case 005 has 2,791 executions. */
const PER_ARM = 10_000;
const PER_PAIR = 10;
/** Systems in which one process does several things at once: an event that comes twice in case 014 has more than 10,000 schedules. */
const SAMPLED: Readonly<Record<string, number>> = { "014/event-wakes-and-scan": 1_000 };

const runner = await findRunner();
const systems: System<unknown>[] = [];
for (const { folder } of (await readCatalog(ROOT)).cases) {
  const exported = (await import(pathToFileURL(join(ROOT, folder, "repro.ts")).href)) as { systems?: readonly System<unknown>[] };
  systems.push(...(exported.systems ?? []));
}
const table = systems.map((system) => [system.name, system] as const);
const holding = table.filter(([, { expect: expected }]) => expected !== "fails");

describe("every schedule of every single fault", () => {
  it("is searched in some system", () => expect(holding.length).toBeGreaterThan(0));

  it.each(holding)("%s holds", async (name, system) => {
    const report = await explore(system, runner, { strategy: "exhaustive", budget: SAMPLED[name] ?? PER_ARM });
    console.log(`${system.name}: ${report.planned} arms, ${report.executions} executions, ${report.steps} steps`);
    expect(report.findings.map(({ check, says, token }) => `${check}: ${says}: ${token}`)).toEqual([]);
    if (name in SAMPLED) expect([report.verdict, report.failed, report.notRun]).toEqual(["sampled", 0, 0]);
    else expect([report.verdict, report.exhausted]).toEqual(["exhausted", report.planned]);
  });

  it.each(table.filter(([, { expect: expected }]) => expected === "fails"))("%s fails", async (_name, system) => {
    expect((await explore(system, runner, { strategy: "exhaustive", budget: PER_ARM })).verdict).toBe("failed");
  });
});

/** What two faults do to systems that promise to survive one; their pages say so. Anything else is news. */
const KNOWN: Readonly<Record<string, readonly string[]>> = { "005/fenced-takeover": ["prompt/not-left-with-the-dead"] };

describe("a sample of the pairs", () => {
  it.each(holding)("finds no more than its page says in %s", async (name, system) => {
    const report = await explore(system, runner, { faults: "pairs", budget: PER_PAIR });
    console.log(`${system.name}: ${report.planned} arms, ${report.pairsNotMet} pairs not met, ${report.executions} executions`);
    for (const { check, says, token } of report.findings) console.log(`${check}: ${says}: ${token}`);
    expect(report.findings.map(({ check }) => check)).toEqual(KNOWN[name] ?? []);
  });
});

describe("the search that leaves out equivalent schedules", () => {
  // A fault that ends a process or lets it sleep, so that a search that leaves out nothing comes to an end as well.
  it.each([["kill"], ["stop-continue"]] as const)("ends in the same states as one that leaves out nothing, after %s between claim and start", async (kind) => {
    const system = systems.find(({ name }) => name === "005/claim") as System<unknown>;
    const statesOf = async (reduction: "races" | "plain") => {
      const states = new Set<string>();
      const { complete, isExhausted } = await searchArm(system, [{ at: "host.after-claim", kind } satisfies ArmedFault], runner, {
        strategy: "exhaustive",
        reduction,
        goOn: true,
        budget: 100_000,
        onJudged: (judged, { facts }) => void (judged.verdict !== "given-up" && states.add(JSON.stringify([judged, facts()]))),
      });
      console.log(`${system.name}, ${kind}, ${reduction}: ${complete} executions, ${states.size} final states`);
      expect(isExhausted).toBe(true);
      return [...states].toSorted();
    };
    expect(await statesOf("races")).toEqual(await statesOf("plain"));
  });
});
