/** Plain and reduced search over watchers: a delivery is independent of what others do, but where a change asks what was delivered. */
import { type ArmedFault, conflict, type Operation, type ProcessPorts, type Simulation } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import type { RandomSystem } from "./calibration/random-system.ts";
import { randomWatchers } from "./calibration/random-watchers.ts";
import { orderDifference } from "./commute.ts";
import type { Reduction } from "./exhaustive.ts";
import type { Conflicts } from "./races.ts";
import { searchArm } from "./search.ts";

/** Random systems with more plain schedules are left to the soak. */
const RANDOM_LIMIT = 300;
const PLAIN_LIMIT = 1_000;
const SEEDS = 40;

interface Searched {
  readonly states: readonly string[];
  readonly complete: number;
  readonly isExhausted: boolean;
  /** Executions in which something was delivered, and a fault fired at an event. */
  readonly delivered: number;
  readonly hit: number;
}

/** `isReordered`: each execution is also played in other orders that should make no difference. */
async function search({ system, faults }: RandomSystem, reduction: Reduction, conflicts: Conflicts = conflict, { isReordered = false, budget = PLAIN_LIMIT } = {}): Promise<Searched> {
  const states = new Set<string>();
  const kept: Simulation<string>[] = [];
  let [delivered, hit] = [0, 0];
  const { complete, isExhausted } = await searchArm(system, faults, await findRunner(), {
    strategy: "exhaustive",
    reduction,
    conflicts,
    goOn: true,
    budget,
    onJudged: (judged, simulation) => {
      if (judged.verdict === "given-up") return;
      const { execution, facts } = simulation as Simulation<string>;
      states.add(`${judged.verdict} ${execution.ending?.how} ${facts()}`);
      if (execution.steps.some(({ plan }) => plan.name === "watch.deliver")) delivered += 1;
      if (execution.faults.some(({ fault, fired }) => fault.at.startsWith("watch.") && fired > 0)) hit += 1;
      if (isReordered && kept.length < 3) kept.push(simulation);
    },
  });
  for (const simulation of kept) {
    expect(await orderDifference(system, simulation, await findRunner(), { randomOrders: 1 }), system.name).toBeUndefined();
  }
  return { states: [...states].sort(), complete, isExhausted, delivered, hit };
}

describe("a reduced search of watchers", () => {
  it("reaches the final states of a plain one, with one schedule for each that is told apart", async () => {
    const totals = { systems: 0, withEvents: 0, hit: 0, plain: 0, reduced: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const drawn = randomWatchers(seed);
      const plain = await search(drawn, "plain", conflict, { budget: RANDOM_LIMIT });
      if (!plain.isExhausted) continue;
      const sleeping = await search(drawn, "sleep-sets");
      const races = await search(drawn, "races", conflict, { isReordered: true });
      expect(sleeping.states, `seed ${seed}, sleep sets`).toEqual(plain.states);
      expect(races.states, `seed ${seed}, races`).toEqual(plain.states);
      expect(races.complete, `seed ${seed}`).toBe(sleeping.complete);
      totals.systems += 1;
      totals.withEvents += plain.delivered > 0 ? 1 : 0;
      totals.hit += plain.hit > 0 ? 1 : 0;
      totals.plain += plain.complete;
      totals.reduced += races.complete;
    }
    console.log(JSON.stringify(totals));
    expect(totals.systems).toBeGreaterThan(SEEDS / 2);
    expect(totals.withEvents).toBeGreaterThan(totals.systems / 2);
    expect(totals.hit).toBeGreaterThan(totals.systems / 10);
    expect(totals.reduced).toBeLessThan(totals.plain / 2);
  });

  it("is caught by that comparison when a change is taken for independent of the opening of a watcher", async () => {
    const isMistaken = (one: Operation, other: Operation): boolean => one.plan.name === "watch.open" && other.plan.name.startsWith("disk.");
    const wrong: Conflicts = (one, other) => one.process === other.process || (!isMistaken(one, other) && !isMistaken(other, one) && conflict(one, other));
    let lost = 0;
    for (let seed = 1; seed <= SEEDS / 2; seed += 1) {
      const plain = await search(randomWatchers(seed), "plain", conflict, { budget: RANDOM_LIMIT });
      if (plain.isExhausted && (await search(randomWatchers(seed), "races", wrong)).states.length < plain.states.length) lost += 1;
    }
    expect(lost).toBeGreaterThan(SEEDS / 20);
  });

  it("tries a change before and behind a delivery where that decides whether two events become one", async () => {
    const { plain, races } = await bothOf([{ at: "watch.reader", kind: "merge", nth: 2 }], [["writer", "one", making("0", "1")], ["reader", "one", hearing]]);
    expect(races.states).toEqual(plain.states);
    expect([...new Set(races.states.map((state) => /\[.*/.exec(state)?.[0]))]).toEqual(['[[],["0","1"]]', '[[],["1"]]', '[[],["?"]]', "[[],[]]"]);
    expect(races.complete).toBeLessThan(plain.complete);
  });

  it("tries a change before and behind the delivery of a break where that decides which event the next fault hits", async () => {
    const { plain, races } = await bothOf([{ at: "watch.reader", kind: "reset", times: 2 }], [["writer", "one", making("0", "1", "2")], ["reader", "one", async ({ watch }, seen) => {
      for (let opened = 1; opened <= 2; opened += 1) {
        const watcher = await watch.open("/");
        seen.push(await watcher.next().then((event) => (event?.kind === "changed" ? (event.name ?? "?") : "closed"), () => "broken"));
      }
    }]]);
    expect(races.states).toEqual(plain.states);
    expect(races.complete).toBeLessThan(plain.complete);
  });

  it("tries both orders of two changes, also on two hosts, where one fault at an event waits for another", async () => {
    const faults: ArmedFault[] = [{ at: "watch.one", kind: "drop" }, { at: "watch.two", kind: "drop", after: 0 }];
    const { plain, races } = await bothOf(faults, [["one", "one", hearing], ["two", "two", hearing], ["writer", "one", making("0")], ["other writer", "two", making("0")]]);
    expect(races.states).toEqual(plain.states);
    expect(races.states).toEqual(['holds finished [[],["0"],[],[]]', "holds finished [[],[],[],[]]"]);
  });

  it("tries both orders of two changes that have nothing to do with each other but who watches", async () => {
    const { plain, races } = await bothOf([], [["one", "one", making("0")], ["two", "one", making("1")], ["reader", "one", hearing]]);
    expect(races.states).toEqual(plain.states);
    expect(races.states).toEqual(expect.arrayContaining(['holds finished [[],[],["0","1"]]', 'holds finished [[],[],["1","0"]]']));
    const unwatched = await bothOf([], [["one", "one", making("0")], ["two", "one", making("1")]]);
    expect([unwatched.plain.complete, unwatched.races.complete]).toEqual([2, 1]);
  });

  it("does not see which of two processes began to watch first", async () => {
    const faults: ArmedFault[] = [{ at: "watch.one", kind: "drop" }, { at: "watch.two", kind: "drop", after: 0 }];
    const { plain, races } = await bothOf(faults, [["one", "one", hearing], ["two", "one", hearing], ["writer", "one", async (ports) => {
      await ports.clock.sleep(1);
      await making("0")(ports);
    }]]);
    expect([races.states, races.states.length]).toEqual([plain.states, 1]);
  });

  it("takes deliveries to two processes in one order", async () => {
    const system: RandomSystem["system"] = {
      name: "two-readers",
      claim: "For comparing searches.",
      checks: [],
      build(space) {
        for (const name of ["one", "two"]) {
          space.process(name, async ({ watch }) => {
            const watcher = await watch.open("/");
            await watcher.next();
            await watcher.next();
          }, { host: "host", isDaemon: true });
        }
        // Behind both openings.
        space.process("writer", async ({ clock, disk }) => {
          await clock.sleep(1);
          await disk.mkdir("/a");
          await clock.sleep(1);
          await disk.mkdir("/b");
          await clock.sleep(1);
        }, { host: "host" });
        return { facts: () => "" };
      },
    };
    const [plain, races] = [await search({ system, faults: [] }, "plain"), await search({ system, faults: [] }, "races")];
    // Two openings, and twice two deliveries, each with a read behind it: 2 orders, and 6 each time.
    expect([plain.complete, races.complete]).toEqual([2 * 6 * 6, 1]);
  });
});

type Start = (ports: ProcessPorts, seen: string[]) => Promise<void>;

const making = (...names: readonly string[]) => async ({ disk }: ProcessPorts): Promise<void> => {
  for (const name of names) await disk.mkdir(`/${name}`);
};

const hearing: Start = async ({ watch, clock }, seen) => {
  const watcher = await watch.open("/");
  void clock.sleep(2).then(() => watcher.close());
  for (let event = await watcher.next(); event !== undefined; event = await watcher.next()) seen.push(event.kind === "changed" ? (event.name ?? "?") : event.kind);
};

/** Name, host and start of each process. */
async function bothOf(faults: ArmedFault[], processes: readonly (readonly [string, string, Start])[]): Promise<{ plain: Searched; races: Searched }> {
  const system: RandomSystem["system"] = {
    name: "readers-and-writers",
    claim: "For comparing searches.",
    checks: [],
    build(space) {
      const seen = processes.map((): string[] => []);
      processes.forEach(([name, host, start], at) => space.process(name, (ports) => start(ports, seen[at] as string[]), { host }));
      return { facts: () => JSON.stringify(seen) };
    },
  };
  const plain = await search({ system, faults }, "plain");
  expect(plain.isExhausted).toBe(true);
  return { plain, races: await search({ system, faults }, "races", conflict, { isReordered: true }) };
}
