/** Ledger and artefact store as services: the contracts, load, and each way in which a service lets its callers down. */
import { withinDeadline } from "@casebook/ports";
import { artefactsContract, ledgerContract } from "@casebook/ports/contract";
import { describe, expect, it } from "vitest";
import type { ArmedFault } from "./armed-fault.ts";
import { everyOrder, playOut } from "./play-out.fixture.ts";
import type { ProcessPorts } from "./process-ports.ts";
import { KERNEL_EPOCH_MS } from "./simulation.ts";

const WORLD = { healMs: 1_000 };

describe("the ledger of a world", () => {
  for (const { name, run } of ledgerContract) {
    it(name, () => inside((ports, space) => run(async () => ports.ledger(space.ledger("ledger")))));
  }
});

describe("the ledger of a world under load", () => {
  for (const { name, run } of ledgerContract) {
    it(name, () => inside((ports, space) => run(async () => ports.ledger(space.ledger("ledger", { capacity: 2, serviceMs: 5 })))));
  }

  it("makes callers wait when more come than it serves: the last of eight waits four turns", async () => {
    const answeredAtMs: number[] = [];
    await playOut((space) => {
      const state = space.ledger("ledger", { capacity: 2, serviceMs: 10 });
      for (let n = 1; n <= 8; n += 1) {
        space.process(`caller-${n}`, async (ports) => {
          await ports.ledger(state).read("runs", "a");
          answeredAtMs.push(ports.clock.now() - KERNEL_EPOCH_MS);
        });
      }
    });
    expect(answeredAtMs).toEqual([10, 10, 20, 20, 30, 30, 40, 40]);
  });

  it("takes longer for what is dear, and everybody behind it waits for that", async () => {
    const answeredAtMs: Record<string, number> = {};
    await playOut((space) => {
      const state = space.ledger("ledger", { serviceMs: 10, longerMs: { waits: 500 } });
      for (const [name, table] of [["first", "runs"], ["dear", "waits"], ["behind", "runs"]] as const) {
        space.process(name, async (ports) => {
          await ports.ledger(state).list(table);
          answeredAtMs[name] = ports.clock.now() - KERNEL_EPOCH_MS;
        });
      }
    });
    expect(answeredAtMs).toEqual({ first: 10, dear: 520, behind: 530 });
  });

  it("carries out the call of a process that died while it waited, and keeps who asked in the journal", async () => {
    const { journal } = await playLedger({ fault: { at: "caller.sent", kind: "kill" }, serviceMs: 10 });
    expect(journal).toEqual(["1 10 caller row.made applied"]);
  });
});

describe("the artefact store of a world", () => {
  for (const { name, run } of artefactsContract) {
    it(name, () => inside((ports, space) => run(async () => ports.artefacts(space.artefacts("store")))));
  }
});

describe("a fault of the ledger", () => {
  const at = "ledger.transition";

  it("error: refuses one call, and nothing was carried out", async () => {
    expect(await playLedger({ fault: { at, kind: "error" } })).toEqual({ saw: ["LEDGER_REFUSES at 0", "1 row at 10"], journal: ["1 10 caller row.made applied"] });
  });

  it("hang: never answers one call, and nothing was carried out", async () => {
    expect(await playLedger({ fault: { at, kind: "hang" } })).toEqual({ saw: ["deadline at 2000", "1 row at 2010"], journal: ["1 2010 caller row.made applied"] });
  });

  it("lost-answer: the caller's deadline passes although the row was made, and the second try is refused by it", async () => {
    expect(await playLedger({ fault: { at, kind: "lost-answer" } })).toEqual({
      saw: ["deadline at 2000", "1 row at 2010"],
      journal: ["1 0 caller row.made applied", "2 2010 caller row.made refused present"],
    });
  });

  it("slow: one call takes longer", async () => {
    expect(await playLedger({ fault: { at, kind: "slow", forMs: 300 } })).toEqual({
      saw: ["applied at 300", "1 row at 310"],
      journal: ["1 300 caller row.made applied", "2 310 caller row.made refused present"],
    });
  });

  it("service-slow: every call takes longer, and a caller with a deadline gives up", async () => {
    expect(await playLedger({ fault: { at, kind: "service-slow", byMs: 3_000, forMs: 4_000 } })).toEqual({
      // The first is carried out after its caller gave up; the second stands behind it in the queue.
      saw: ["deadline at 2000", "1 row at 6000"],
      journal: ["1 3000 caller row.made applied", "2 6000 caller row.made refused present"],
    });
  });

  it("service-away: what is sent meanwhile is lost", async () => {
    expect(await playLedger({ fault: { at, kind: "service-away", forMs: 1_000 } })).toEqual({ saw: ["deadline at 2000", "1 row at 2010"], journal: ["1 2010 caller row.made applied"] });
  });

  it("service-refuses and service-full: writes are refused for a while; a full one is still read", async () => {
    const refuses = await playLedger({ fault: { at, kind: "service-refuses", forMs: 1_000 } });
    const full = await playLedger({ fault: { at, kind: "service-full", forMs: 1_000 } });
    expect(refuses.saw).toEqual(["LEDGER_REFUSES at 0", "LEDGER_REFUSES, LEDGER_REFUSES at 10"]);
    expect(full.saw).toEqual(["LEDGER_FULL at 0", "0 rows at 10"]);
  });

  it("service-stale: reads answer what was true before, while writes are judged by what is true", async () => {
    expect(await playLedger({ fault: { at, kind: "service-stale", forMs: 1_000 } })).toEqual({
      saw: ["applied at 0", "0 rows at 10"],
      journal: ["1 0 caller row.made applied", "2 10 caller row.made refused present"],
    });
  });

  it("armed at a point of a process names the service, and fails clearly when it does not", async () => {
    expect((await playLedger({ fault: { at: "caller.before", kind: "service-away", service: "ledger", forMs: 500 } })).saw).toEqual(["deadline at 2000", "1 row at 2010"]);
    expect((await playLedger({ fault: { at: "caller.before", kind: "service-away" } })).saw).toEqual([
      'FAULT_NEEDS_SERVICE: service-away at caller.before names the service ""; there are ledger. Write service: with one of them.',
    ]);
  });

  it.each([
    ["stop-continue", { forMs: 500 }, ["applied at 500", "1 row at 510"]],
    ["hold", { until: "caller.sent" }, ["applied at 1", "1 row at 11"]],
    ["clock-jump", { byMs: 7 }, ["applied at 7", "1 row at 17"]],
    ["host-unreachable", { forMs: 500 }, ["applied at 0", "1 row at 500"]],
    ["kill-restart", { forMs: 500 }, ["applied at 500", "1 row at 510"]],
    ["kill", {}, []],
    ["host-dead", {}, []],
  ] as const)("of the caller strikes at its call, which is carried out unless the caller died with it: %s", async (kind, rest, saw) => {
    const played = await playLedger({ fault: { at, kind, ...rest } });
    expect([played.saw, played.journal.length > 0]).toEqual([saw, saw.length > 0]);
  });
});

describe("a process that another one begins", () => {
  it("begins when it is told to, is told apart from one that runs, and begins again after its end", async () => {
    const notes: string[] = [];
    await playOut((space) => {
      space.process("parent", async (ports) => {
        notes.push(`parent ${await ports.spawn("child")} ${await ports.spawn("child")}`);
        await ports.clock.sleep(100);
        notes.push(`parent ${await ports.spawn("child")}`);
      });
      space.process("child", async ({ clock, process }) => {
        notes.push(`child ${process.life} at ${clock.now() - KERNEL_EPOCH_MS}`);
        await clock.sleep(50);
      }, { isSpawned: true });
      space.process("never", async () => void notes.push("never"), { isSpawned: true });
    });
    expect(notes).toEqual(["child 1 at 0", "parent started running", "child 2 at 100", "parent started"]);
  });

  it("is not missed where nobody begins it, and is refused where its host is gone", async () => {
    const codes: string[] = [];
    const { ending } = await playOut(
      (space) => {
        space.process("neighbour", ({ faults }) => faults.reach("neighbour.moment"), { host: "far" });
        space.process("parent", async (ports) => {
          await ports.clock.sleep(1);
          await ports.spawn("child").catch((failure: { code: string }) => codes.push(failure.code));
        });
        space.process("child", async () => undefined, { isSpawned: true, host: "far" });
      },
      { faults: [{ at: "neighbour.moment", kind: "host-dead" }] },
    );
    expect([codes, ending]).toEqual([["SPAWN_FAILED"], { how: "finished" }]);
  });
});

describe("two processes that claim one row", () => {
  it("never both win, in any order", async () => {
    const wins = new Map<number, number>();
    await everyOrder(async (chooser) => {
      let won = 0;
      await playOut(
        (space) => {
          const state = space.ledger("ledger");
          for (const name of ["one", "two"]) {
            space.process(name, async (ports) => {
              const ledger = ports.ledger(state);
              if ((await ledger.read("rows", "a")) !== undefined) return;
              const answer = await ledger.transition("row.claimed", [{ table: "rows", id: "a", when: "absent", set: { by: name } }]);
              if (answer.outcome === "applied") won += 1;
            });
          }
        },
        { chooser },
      );
      wins.set(won, (wins.get(won) ?? 0) + 1);
    });
    expect([...wins.keys()]).toEqual([1]);
  });
});

/** One caller makes a row with two seconds of patience, tries again 10 ms later, and then counts the rows. */
async function playLedger({ fault, serviceMs = 0 }: { fault: ArmedFault; serviceMs?: number }): Promise<{ saw: string[]; journal: string[] }> {
  const saw: string[] = [];
  const codeOf = (failure: { code?: string; message: string }): string => (failure.code === "FAULT_NEEDS_SERVICE" ? failure.message : (failure.code ?? failure.message));
  let state!: ReturnType<Parameters<Parameters<typeof playOut>[0]>[0]["ledger"]>;
  await playOut(
    (space) => {
      state = space.ledger("ledger", { serviceMs });
      space.process("caller", async (ports) => {
        const ledger = ports.ledger(state);
        const note = (what: string): void => void saw.push(`${what} at ${ports.clock.now() - KERNEL_EPOCH_MS}`);
        const make = () => ledger.transition("row.made", [{ table: "rows", id: "a", when: "absent" }]);
        const isFirst = await ports.faults.reach("caller.before").then(() => true, (failure) => void saw.push(codeOf(failure)));
        if (isFirst === undefined) return;
        const waiting = withinDeadline(ports.clock, 2_000, make()).then(
          (answer) => note(answer.outcome === "deadline" ? "deadline" : answer.value.outcome),
          (failure) => note(codeOf(failure)),
        );
        void ports.clock.sleep(1).then(() => ports.faults.reach("caller.sent"));
        await waiting;
        await ports.clock.sleep(10);
        const again = await make().catch(codeOf);
        const rows = await ledger.list("rows").catch(codeOf);
        if (typeof rows === "string") note(`${String(again)}, ${rows}`);
        else note(`${rows.length} row${rows.length === 1 ? "" : "s"}`);
      });
    },
    { ...WORLD, faults: [fault] },
  );
  const journal = state.journal.map(({ seq, atMs, by, reason, outcome, why = "" }) => `${seq} ${atMs - KERNEL_EPOCH_MS} ${by} ${reason} ${outcome} ${why}`.trim());
  return { saw, journal };
}

/** Runs the rule in a process of a world, and throws what it throws. */
async function inside(rule: (ports: ProcessPorts, space: Parameters<Parameters<typeof playOut>[0]>[0]) => Promise<void>): Promise<void> {
  const { states, ending } = await playOut((space) => space.process("tester", (ports) => rule(ports, space)));
  expect([ending, states.map(({ status, failure }) => `${status} ${failure}`)]).toEqual([{ how: "finished" }, ["ended "]]);
}
