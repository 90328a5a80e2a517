/**
 * Small systems with one known bug each, to see what a search finds and how fast. Written down here in full, because a figure
 * about a search says nothing without the model it was taken on. Noise: processes of private steps that only add schedules.
 */
import type { CellState, ProcessPorts, Space } from "@casebook/sim/kernel";
import type { System } from "../system.ts";

export function noise(space: Space, processes: number, steps: number): void {
  for (let number = 1; number <= processes; number += 1) {
    const own = space.cell(`noise-${number}`, 0);
    space.process(`noise-${number}`, (ports) => busy(ports, own, steps));
  }
}

async function busy(ports: ProcessPorts, own: ReturnType<Space["cell"]>, steps: number): Promise<void> {
  for (let step = 1; step <= steps; step += 1) await ports.cell(own as CellState<number>).write(step);
}

/** Two processes read a counter and write it back, one greater. One write can be lost. */
export function lostUpdate(noisy: { processes: number; steps: number }): System<{ counter: number }> {
  return {
    name: "calibration/lost-update",
    claim: "Two that each add one leave two.",
    build(space) {
      const counter = space.cell("counter", 0);
      for (const name of ["adder-1", "adder-2"]) {
        space.process(name, async (ports) => {
          const seen = await ports.cell(counter).read();
          await ports.cell(counter).write(seen + 1);
        });
      }
      noise(space, noisy.processes, noisy.steps);
      return { facts: () => ({ counter: counter.value }) };
    },
    checks: [{ id: "counter/complete", when: "end", alarm: ({ counter }) => (counter === 2 ? undefined : `counter ${counter} of 2`) }],
  };
}

/**
 * A worker looks at its lease and then works; a second process takes the lease over, after `steps` steps of a long task of its
 * own. The worker that looked before and works after is the zombie. Two noise processes of as many steps run beside.
 */
export function zombie(steps: number): System<{ workedAs: string }> {
  return {
    name: "calibration/zombie",
    claim: "Nobody works on a lease that another has taken over.",
    build(space) {
      const lease = space.cell("lease", "worker");
      const own = space.cell("reclaimer-own", 0);
      let workedAs = "";
      space.process("worker", async (ports) => {
        const holder = await ports.cell(lease).read();
        if (holder !== "worker") return;
        const now = await ports.cell(lease).update((value) => value);
        workedAs = now;
      });
      space.process("reclaimer", async (ports) => {
        await busy(ports, own, steps);
        await ports.cell(lease).write("reclaimer");
      });
      noise(space, 2, steps);
      return { facts: () => ({ workedAs }) };
    },
    checks: [{ id: "lease/holder-works", when: "end", alarm: ({ workedAs }) => (workedAs === "reclaimer" ? "the worker worked after the reclaimer had the lease" : undefined) }],
  };
}

/** Two dispatchers look at a task and start it when nobody has; looking and claiming are two steps. */
export function doubleDispatch(noisy: { processes: number; steps: number }): System<{ starts: number }> {
  return {
    name: "calibration/double-dispatch",
    claim: "One task is started once.",
    build(space) {
      const claim = space.cell("claim", "free");
      const starts = space.cell("starts", 0);
      for (const name of ["dispatcher-1", "dispatcher-2"]) {
        space.process(name, async (ports) => {
          if ((await ports.cell(claim).read()) !== "free") return;
          await ports.cell(claim).write(name);
          await ports.cell(starts).update((count) => count + 1);
        });
      }
      noise(space, noisy.processes, noisy.steps);
      return { facts: () => ({ starts: starts.value }) };
    },
    checks: [{ id: "task/started-once", when: "end", alarm: ({ starts }) => (starts <= 1 ? undefined : `${starts} starts`) }],
  };
}

/** Fails only when three orderings meet: the second writes after the first has read, and the first again before the second reads. */
export function depthThree(): System<{ seen: string }> {
  return {
    name: "calibration/depth-3",
    claim: "The handshake is never half done.",
    build(space) {
      const a = space.cell("a", 0);
      const b = space.cell("b", 0);
      let seen = "";
      space.process("first", async (ports) => {
        await ports.cell(a).write(1);
        const other = await ports.cell(b).read();
        await ports.cell(a).write(2);
        seen += `first ${other};`;
      });
      space.process("second", async (ports) => {
        const before = await ports.cell(a).read();
        await ports.cell(b).write(1);
        const after = await ports.cell(a).read();
        seen += `second ${before} ${after};`;
      });
      noise(space, 1, 6);
      return { facts: () => ({ seen }) };
    },
    checks: [
      {
        id: "handshake/whole",
        when: "end",
        // a was 1 on both looks, and the first saw b written between: three orderings.
        alarm: ({ seen }) => (seen.includes("second 1 1;") && seen.includes("first 1;") ? seen : undefined),
      },
    ],
  };
}

/** The claim race of `count` dispatchers: each writes its own cell, reads the claim, writes its own again, then claims or skips. */
export function claimRace(count: number): System<{ claim: string; ledger: readonly string[] }> {
  return {
    name: `calibration/claim-race-${count}`,
    claim: "One claim has one start.",
    build(space) {
      const claim = space.cell("claim", "free");
      const ledger = space.cell<readonly string[]>("ledger", []);
      for (let number = 1; number <= count; number += 1) {
        const name = `dispatcher-${number}`;
        const own = space.cell(`own-${number}`, 0);
        space.process(name, async (ports) => {
          await ports.cell(own).write(1);
          const isFree = (await ports.cell(claim).read()) === "free";
          await ports.cell(own).write(2);
          if (isFree) await ports.cell(claim).write(name);
          await ports.cell(ledger).update((rows) => [...rows, `${isFree ? "start" : "skip"} ${name}`]);
        });
      }
      return { facts: () => ({ claim: claim.value, ledger: ledger.value }) };
    },
    checks: [
      {
        id: "claim/one-start",
        when: "end",
        alarm: ({ ledger }) => {
          const starts = ledger.filter((row) => row.startsWith("start")).length;
          return starts === 1 ? undefined : `${starts} starts of one claim`;
        },
      },
    ],
  };
}
