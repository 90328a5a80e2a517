/** A case that is none: small systems whose searches end in every way that a search can end. */
import type { AnySystem, System } from "@casebook/explore";
import type { ProcessPorts } from "@casebook/sim/kernel";
import type { Library } from "./searchable.ts";

interface Told {
  readonly starts: number;
  readonly lost: number;
}

/** Two dispatchers and one task. `claims`: in one step, or after a look. */
function dispatchers(name: string, claims: "in-one-step" | "after-a-look", expect: "holds" | "fails"): System<Told> {
  return {
    name: `900/${name}`,
    claim: "One task is started at most once.",
    expect,
    build(space) {
      const claim = space.cell("claim", "free");
      let starts = 0;
      let lost = 0;
      const take = async (ports: ProcessPorts): Promise<boolean> => {
        if (claims === "in-one-step") return ports.cell(claim).compareAndSet("free", ports.process.name);
        if ((await ports.cell(claim).read()) !== "free") return false;
        await ports.cell(claim).write(ports.process.name);
        return true;
      };
      for (const one of ["first", "second"]) {
        space.process(one, async (ports) => {
          if (!(await take(ports))) {
            lost += 1;
            return;
          }
          await ports.faults.reach("dispatcher.after-claim");
          starts += 1;
        });
      }
      return { facts: () => ({ starts, lost }) };
    },
    checks: [{ id: "task/started-once", when: "end", alarm: ({ starts }) => (starts <= 1 ? undefined : `${starts} starts of one task`) }],
    sometimes: { "a dispatcher lost the race": ({ lost }) => lost > 0, "the task was started three times": ({ starts }) => starts === 3 },
    faults: { points: ["dispatcher.after-claim", "dispatcher.never"], kinds: ["kill", "slow"] },
  };
}

/** Asks again and again, for longer than it may. */
const endless: System<object> = {
  name: "900/endless",
  claim: "It ends.",
  maxSteps: 50,
  build(space) {
    const cell = space.cell("cell", 0);
    space.process("asker", async (ports) => {
      for (;;) await ports.cell(cell).read();
    });
    return { facts: () => ({}) };
  },
  checks: [],
};

/** Fails when nothing happens, and never ends when it is killed and comes back. */
const failsAndLoops: System<{ writes: number }> = {
  name: "900/fails-and-loops",
  claim: "It writes nothing.",
  maxSteps: 50,
  build(space) {
    const cell = space.cell("cell", 0);
    space.process("writer", async (ports) => {
      await ports.faults.reach("writer.begins");
      do await ports.cell(cell).update((count) => count + 1);
      while (ports.process.life > 1);
    });
    return { facts: () => ({ writes: cell.value }) };
  },
  checks: [{ id: "writer/silent", when: "end", alarm: ({ writes }) => (writes === 0 ? undefined : `${writes} writes`) }],
  faults: { points: ["writer.begins"], kinds: ["kill-restart"] },
};

/** Remembers from one execution to the next, which no world can decide. */
function forgetful(): System<{ runs: number }> {
  let runs = 0;
  return {
    name: "900/remembers",
    claim: "It runs once.",
    build(space) {
      const cell = space.cell("cell", 0);
      space.process("writer", async (ports) => {
        runs += 1;
        await ports.cell(cell).write(runs);
      });
      return { facts: () => ({ runs }) };
    },
    checks: [{ id: "writer/once", when: "end", alarm: ({ runs: seen }) => (seen === 1 ? "it ran" : undefined) }],
  };
}

export const FIXTURE_SOURCE = "0badcafe";

export const SYSTEMS: readonly AnySystem[] = [
  dispatchers("claim", "in-one-step", "holds"),
  dispatchers("look-then-claim", "after-a-look", "fails"),
  dispatchers("believed", "after-a-look", "holds"),
  dispatchers("blamed", "in-one-step", "fails"),
  endless,
  failsAndLoops,
];

export function libraryOf(systems: readonly AnySystem[], source: string = FIXTURE_SOURCE): Library {
  return () => Promise.resolve({ number: "900", systems, source });
}

export const FIXTURE_LIBRARY: Library = () => Promise.resolve({ number: "900", systems: [...SYSTEMS, forgetful()], source: FIXTURE_SOURCE });
