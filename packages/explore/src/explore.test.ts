/** The whole search: what it finds, how small it makes it, and what it says when it has no verdict. */
import { findRunner, immediates } from "@casebook/sim/node";
import { asynchronousRunner, type Runner } from "@casebook/sim/kernel";
import { describe, expect, it } from "vitest";
import { claimRace, depthThree, doubleDispatch, lostUpdate, zombie } from "./calibration/models.ts";
import { worker } from "./calibration/workers.ts";
import { explore, type ExploreOptions } from "./explore.ts";
import { replay } from "./replay.ts";
import type { System } from "./system.ts";
import { readToken, type Token, tokenText } from "./token.ts";

async function explored<Facts>(system: System<Facts>, options: ExploreOptions = {}) {
  const report = await explore(system, await findRunner(), options);
  const { planned, exhausted, sampled, failed, notRun } = report;
  expect(exhausted + sampled + failed + notRun, "the counts add up").toBe(planned);
  return report;
}

function tokenOf(text: string | undefined): Token {
  const read = readToken(text ?? "");
  if (read.outcome !== "token") throw new Error(read.message);
  return read.token;
}

/** A claim in one step instead of two. */
const ATOMIC_CLAIM: System<{ starts: number }> = {
  name: "test/atomic-claim",
  claim: "One claim has one start.",
  build(space) {
    const claim = space.cell("claim", "free");
    const starts = space.cell("starts", 0);
    for (const name of ["one", "two", "three"]) {
      space.process(name, async (ports) => {
        if (await ports.cell(claim).compareAndSet("free", name)) await ports.cell(starts).update((count) => count + 1);
      });
    }
    return { facts: () => ({ starts: starts.value }) };
  },
  checks: [{ id: "claim/one-start", when: "end", alarm: ({ starts }) => (starts === 1 ? undefined : `${starts} starts`) }],
};

describe("a search", () => {
  it("covers every schedule of a system that holds, and says within which bounds", async () => {
    const { verdict, planned, exhausted, executions, findings, bounds } = await explored(ATOMIC_CLAIM);
    expect({ verdict, planned, exhausted, findings }).toEqual({ verdict: "exhausted", planned: 1, exhausted: 1, findings: [] });
    expect([executions, bounds.budget]).toEqual([6, 2_000]);
  });

  it("has only sampled what its budget does not cover", async () => {
    const holds = { ...doubleDispatch({ processes: 2, steps: 8 }), checks: [] };
    const { verdict, sampled, executions } = await explored(holds, { reduction: "plain", budget: 50 });
    expect({ verdict, sampled, executions }).toEqual({ verdict: "sampled", sampled: 1, executions: 50 });
  });

  it.each<readonly [string, System<never>, { faults: number; preemptions: number }]>([
    ["a lost update", lostUpdate({ processes: 2, steps: 10 }) as unknown as System<never>, { faults: 0, preemptions: 1 }],
    ["a zombie", zombie(30) as unknown as System<never>, { faults: 0, preemptions: 1 }],
    ["a double dispatch", doubleDispatch({ processes: 2, steps: 20 }) as unknown as System<never>, { faults: 0, preemptions: 1 }],
    ["a race for a claim", claimRace(3) as unknown as System<never>, { faults: 0, preemptions: 1 }],
    // Three orderings, and one moment at which the first is left meets them all.
    ["a window of three orderings", depthThree() as unknown as System<never>, { faults: 0, preemptions: 1 }],
    ["a start that is recorded too late", worker("start-first", ["kill-restart", "slow"]) as unknown as System<never>, { faults: 1, preemptions: 0 }],
  ])("shrinks %s to what the bug needs, and that replays byte for byte under the strict barrier", async (_what, system, needs) => {
    const { findings, verdict } = await explored(system);
    const [finding] = findings;
    expect([verdict, findings.length]).toEqual(["failed", 1]);
    expect({ faults: finding?.faults.length, preemptions: finding?.shrunk.preemptions, isLeast: finding?.shrunk.isLeast }).toEqual({ ...needs, isLeast: true });
    const token = tokenOf(finding?.token);
    const traces = new Set<string>();
    for (const runner of [await findRunner(), await findRunner(), asynchronousRunner(immediates)]) {
      const again = await replay(system, token, runner);
      expect(again).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", check: finding?.check } });
      traces.add(JSON.stringify(again.simulation?.execution.steps.map(({ process, plan, outcome, detail }) => [process.name, plan.name, plan.object, outcome, detail])));
    }
    expect(traces.size).toBe(1);
  });

  it("finds with two faults what no single one shows, and keeps both", async () => {
    const system = worker("two-ways", ["error", "kill-restart", "slow"]);
    expect((await explored(system, { faults: "singles" })).verdict).toBe("exhausted");
    const { verdict, findings, planned, pairsNotMet } = await explored(system, { faults: "pairs" });
    // Singles at two of the three points, and the pairs of these; four pairs cannot meet, because the first ends what the second needs. Of
    // six faults that come twice, one does.
    expect([verdict, planned, pairsNotMet]).toEqual(["failed", 1 + 6 + (15 - 4) + (6 - 5), 4 + 5]);
    expect(findings.map(({ check, faults, shrunk }) => [check, faults, shrunk.preemptions])).toEqual([
      ["task/started-once", ["error at worker.before-record", "kill-restart at worker.after-start once fault 1 has fired"], 0],
    ]);
  });

  it("aims either fault of a pair at the recovery from the other, whatever their points are called", async () => {
    const verdicts: string[] = [];
    for (const [early, late] of [["a", "b"], ["b", "a"]] as const) {
      const system: System<string> = {
        name: "test/two-ways-round",
        claim: "The first is refused before the second.",
        build(space) {
          let refused = "";
          space.process("one", async (ports) => {
            await ports.faults.reach(early).catch(() => void (refused += "early "));
            await ports.faults.reach(late).catch(() => void (refused += "late"));
          });
          return { facts: () => refused };
        },
        faults: { points: [], kinds: ["error"] },
        checks: [{ id: "test/one-at-most", when: "end", alarm: (refused) => (refused === "early late" ? "both" : undefined) }],
      };
      const { verdict, planned, pairsNotMet } = await explored(system, { faults: "pairs" });
      verdicts.push(`${verdict} ${planned} ${pairsNotMet}`);
    }
    // Each point is reached once, so that neither fault comes twice at its own.
    expect(verdicts).toEqual(["failed 4 2", "failed 4 2"]);
  });

  it("finds what two faults do in both orders, when only one order breaks the system", async () => {
    const system: System<string> = {
      name: "test/b-before-a",
      claim: "Whoever is refused last is a.",
      build(space) {
        let order = "";
        for (const name of ["a", "b"]) space.process(name, (ports) => ports.faults.reach(name).catch(() => void (order += name)));
        return { facts: () => order };
      },
      faults: { points: [], kinds: ["error"] },
      checks: [{ id: "test/order", when: "end", alarm: (order) => (order === "ba" ? "b was refused first" : undefined) }],
    };
    const { verdict, findings } = await explored(system, { faults: "pairs" });
    expect([verdict, findings.map(({ check }) => check)]).toEqual(["failed", ["test/order"]]);
  });

  it("aims the second fault at points that only the recovery from the first reaches", async () => {
    const system: System<string> = {
      name: "test/recovery",
      claim: "The recovery survives a kill.",
      build(space) {
        const state = space.cell("state", "whole");
        space.process("worker", async (ports) => {
          if (ports.process.life === 1) return ports.faults.reach("work");
          await ports.cell(state).write("half");
          await ports.faults.reach("recovering");
          await ports.cell(state).write("whole");
        });
        return { facts: () => state.value };
      },
      faults: { points: [], kinds: ["kill-restart", "kill"] },
      checks: [{ id: "test/whole", when: "end", alarm: (state) => (state === "whole" ? undefined : state) }],
    };
    const { verdict, findings } = await explored(system, { faults: "pairs" });
    expect([verdict, findings.map(({ faults }) => faults)]).toEqual(["failed", [["kill-restart at work", "kill at recovering once fault 1 has fired"]]]);
  });

  it("aims the second of two faults at a point that only the recovery from the first reaches, whether somebody named it or not", async () => {
    const recovering: System<{ starts: number }> = {
      name: "test/recovering",
      claim: "A task is started once, whoever dies in between.",
      build(space) {
        const starts = space.cell("starts", 0);
        const done = space.cell("done", 0);
        space.process("worker", async (ports) => {
          await ports.faults.reach("worker.begins");
          // What a first life left is taken up with care, and what the recovery left is not.
          if (ports.process.life === 2) await ports.faults.reach("worker.recovers");
          if ((await ports.cell(done).read()) > 0 && ports.process.life < 3) return;
          await ports.cell(done).write(1);
          if (ports.process.life !== 1) await ports.cell(starts).update((count) => count + 1);
          if (ports.process.life === 2) await ports.faults.reach("worker.recovered");
        });
        return { facts: () => ({ starts: starts.value }) };
      },
      checks: [{ id: "task/started-once", when: "end", alarm: ({ starts }) => (starts <= 1 ? undefined : `${starts} starts`) }],
      faults: { points: ["worker.begins", "worker.recovers"], kinds: ["kill-restart"] },
    };
    expect((await explored(recovering, { faults: "singles" })).verdict).toBe("exhausted");
    const { verdict, findings, pairsNotMet } = await explored(recovering, { faults: "pairs" });
    expect([verdict, findings.map(({ faults }) => faults), pairsNotMet]).toEqual([
      "failed",
      [["kill-restart at worker.begins", "kill-restart at worker.recovered once fault 1 has fired"]],
      0,
    ]);
  });

  it("tries a fault twice at one point, the second time on the way back from the first", async () => {
    const impatient: System<{ lives: number }> = {
      name: "test/impatient",
      claim: "It comes back.",
      build(space) {
        const lives = space.cell("lives", 0);
        space.process("worker", async (ports) => {
          await ports.cell(lives).write(ports.process.life);
          await ports.faults.reach("worker.begins");
        });
        return { facts: () => ({ lives: lives.value }) };
      },
      checks: [{ id: "worker/two-lives", when: "end", alarm: ({ lives }) => (lives <= 2 ? undefined : `${lives} lives`) }],
      faults: { points: ["worker.begins"], kinds: ["kill-restart"] },
    };
    const { verdict, planned, findings } = await explored(impatient, { faults: "pairs" });
    expect([verdict, planned, findings.map(({ faults }) => faults)]).toEqual([
      "failed",
      3,
      [["kill-restart at worker.begins", "kill-restart at worker.begins once fault 1 has fired"]],
    ]);
  });

  it.each([["a", "b"], ["b", "a"]] as const)("finds what needs the fault at %s behind that at %s, whatever the points are called", async (later, earlier) => {
    const ordered: System<{ isBad: boolean }> = {
      name: "test/ordered",
      claim: "Nobody gives up on what the other gave up before.",
      build(space) {
        const failed = space.cell("failed", false);
        let isBad = false;
        space.process("second", async (ports) => {
          const seen = await ports.cell(failed).read();
          await ports.faults.reach(later).catch(() => void (isBad = seen));
        });
        space.process("first", (ports) => ports.faults.reach(earlier).catch(() => ports.cell(failed).write(true)));
        return { facts: () => ({ isBad }) };
      },
      checks: [{ id: "nobody/both", when: "end", alarm: ({ isBad }) => (isBad ? "both gave up" : undefined) }],
      faults: { points: ["a", "b"], kinds: ["error"] },
    };
    const { findings } = await explored(ordered, { faults: "pairs" });
    expect(findings.map(({ faults }) => faults)).toEqual([[`error at ${earlier}`, `error at ${later} once fault 1 has fired`]]);
  });

  it("prints a cell that no execution reached as not run, beside the planned count, and a fact that was never seen as a gap", async () => {
    const { cells, sometimes, planned, verdict } = await explored(worker("record-first", ["kill-restart"]));
    expect(cells.map(({ point, kind, fired }) => [point, kind, fired > 0])).toEqual([
      ["worker.after-start", "kill-restart", true],
      ["worker.before-record", "kill-restart", true],
      ["worker.never-reached", "kill-restart", false],
    ]);
    expect([planned, verdict]).toEqual([3, "exhausted"]);
    expect(sometimes.map(({ name, executions }) => [name, executions > 0])).toEqual([
      ["a start", true],
      ["three starts", false],
    ]);
  });

  it("has no verdict when a cap is reached", async () => {
    const endless: System<null> = {
      name: "test/endless",
      claim: "It ends.",
      maxSteps: 50,
      build(space) {
        const cell = space.cell("cell", 0);
        space.process("one", async (ports) => {
          for (;;) await ports.cell(cell).write(1);
        });
        return { facts: () => null };
      },
      checks: [],
    };
    const { verdict, notRun, notRunBecause } = await explored(endless);
    expect({ verdict, notRun }).toEqual({ verdict: "not-run", notRun: 1 });
    expect(notRunBecause).toEqual(['(timed-out) more than 50 steps; the last was cell.write "cell" of one. Bound the loop, or raise the cap of the system.']);
  });

  it("calls a deadlock a finding, and names what each waits for", async () => {
    const crossed: System<null> = {
      name: "test/crossed-locks",
      claim: "Nobody waits for ever.",
      build(space) {
        const [a, b] = [space.lock("a"), space.lock("b")];
        for (const [name, first, second] of [["one", a, b], ["two", b, a]] as const) {
          space.process(name, async (ports) => {
            await ports.lock(first).acquire();
            await ports.lock(second).acquire();
            await ports.lock(second).release();
            await ports.lock(first).release();
          });
        }
        return { facts: () => null };
      },
      checks: [],
    };
    const { findings } = await explored(crossed);
    expect(findings.map(({ check, says, shrunk }) => [check, says, shrunk.preemptions])).toEqual([
      ["kernel/deadlock", 'one: lock.acquire "b" waits for the lock "b", held by two; two: lock.acquire "a" waits for the lock "a", held by one', 1],
    ]);
  });

  it.each<readonly [string, () => unknown, string]>([
    ["throws", () => { throw new Error("no such row"); }, "no such row"],
    ["answers a promise", () => Promise.resolve("late"), "the check claim/odd answered a promise; it answers a text when something is wrong, and undefined when nothing is"],
  ])("has no verdict when a check %s", async (_what, alarm, because) => {
    const { verdict, notRunBecause } = await explored({ ...ATOMIC_CLAIM, checks: [{ id: "claim/odd", when: "end", alarm: alarm as () => string }] });
    expect(verdict).toBe("not-run");
    expect(notRunBecause).toEqual([
      `(unsupported) SYSTEM_CHECK_THREW: the facts or a check could not be asked: ${because}. Mend the system's own code: it has no verdict without them.`,
    ]);
  });

  it("believes no failure that does not come again under the stricter barrier", async () => {
    let isStrict = false;
    const timid: System<{ total: number }> = {
      name: "test/timid",
      claim: "It behaves the same whoever watches.",
      build(space) {
        const total = space.cell("total", 0);
        space.process("one", (ports) => ports.cell(total).write(isStrict ? 1 : 2));
        return { facts: () => ({ total: total.value }) };
      },
      checks: [{ id: "total/one", when: "end", alarm: ({ total }) => (total === 1 ? undefined : `${total}`) }],
    };
    const slow = asynchronousRunner(immediates);
    const strict: Runner = {
      name: slow.name,
      async run(next, done) {
        isStrict = true;
        await slow.run(next, done).finally(() => (isStrict = false));
      },
    };
    const { verdict, findings, notRun, notRunBecause } = await explored(timid, { strict });
    expect({ verdict, findings, notRun }).toEqual({ verdict: "not-run", findings: [], notRun: 1 });
    expect(notRunBecause).toEqual([
      expect.stringMatching(/^\(unstable-input\) total\/one failed in the search and not when it was played again: its trace is [0-9a-f]{16} and not [0-9a-f]{16}, under setImmediate$/),
    ]);
  });

  it("stops when it is interrupted, with what it has", async () => {
    let asked = 0;
    const { verdict, notRun, planned } = await explored(worker("record-first", ["kill-restart", "error"]), { isInterrupted: () => (asked += 1) > 6 });
    expect(verdict).toBe("interrupted");
    expect(notRun).toBeGreaterThan(0);
    expect(planned).toBe(7);
  });
});

describe("a replay", () => {
  const token: Token = { system: "calibration/claim-race-3", kernel: 1, source: "", faults: [], choices: [1, 1], trace: "0000000000000000" };

  it("is stale where the trace, a choice or the kernel does not fit, and says which", async () => {
    const runner = await findRunner();
    const says = async (changed: Partial<Token>, source?: string): Promise<string> => {
      const read = readToken(tokenText({ ...token, ...changed }));
      const again = await replay(claimRace(3), (read as { token: Token }).token, runner, source === undefined ? {} : { source });
      return again.outcome === "stale" ? again.says : "replayed";
    };
    expect(await says({})).toMatch(/^its trace is [0-9a-f]{16} and not 0000000000000000$/);
    expect(await says({ choices: [0, 7] })).toBe("choice 2 takes option 8 of 3, at step 2");
    expect(await says({ choices: Array.from({ length: 40 }, () => 0) })).toMatch(/^it ended after \d+ of 40 choices, at step 13$/);
    expect(await says({ kernel: 99 })).toBe("the token is of kernel 99, this is kernel 1; the same choices may lead elsewhere");
    expect(await says({ source: "aaaa" }, "bbbb")).toMatch(/; the case has changed since \(aaaa, now bbbb\)$/);
  });
});
