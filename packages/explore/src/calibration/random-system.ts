/**
 * Random small systems for comparing searches with each other: processes that read, write, lock, send, wait and reach points, and
 * that go one way or another by what they saw. The facts are everything that anybody saw, so that two schedules count as
 * equal only when no process can tell them apart.
 */
import { type ArmedFault, type CellState, createStream, type FaultKind, LINK_FAULTS, type ProcessPorts, type RandomStream, type Space, STEP, STEP_FAULTS } from "@casebook/sim/kernel";
import type { System } from "../system.ts";

export interface RandomSystem {
  readonly system: System<string>;
  readonly faults: readonly ArmedFault[];
}

type Move =
  | { readonly do: "read" | "write" | "add" | "take"; readonly cell: number }
  | { readonly do: "lock" }
  | { readonly do: "send"; readonly to: number }
  | { readonly do: "receive" | "both" }
  | { readonly do: "sleep"; readonly forMs: number }
  | { readonly do: "reach" };

const KINDS: readonly FaultKind[] = ["error", "hang", "slow", "hold", "kill", "kill-restart", "stop-continue", "host-dead", "host-unreachable", "clock-jump"];

export function randomSystem(seed: number): RandomSystem {
  const stream = createStream(seed, "random system");
  const processes = 2 + stream.below(2);
  const cells = 1 + stream.below(2);
  const programs = Array.from({ length: processes }, () => drawProgram(stream, processes, cells));
  const arms = stream.below(2) === 0 ? [] : [drawFault(stream, processes)];
  return { system: systemOf(seed, programs, cells), faults: arms };
}

function drawFault(stream: RandomStream, processes: number): ArmedFault {
  const nth = 1 + stream.below(2);
  const kindOf = (kinds: readonly FaultKind[]): FaultKind => kinds[stream.below(kinds.length)] as FaultKind;
  const nameOf = (): string => `process-${stream.below(processes)}`;
  switch (stream.below(4)) {
    case 0:
      return { at: `network.${nameOf()}->${nameOf()}`, kind: kindOf(LINK_FAULTS), nth, forMs: 5 };
    case 1:
      return { at: STEP, process: nameOf(), kind: kindOf(STEP_FAULTS), nth, forMs: 5 };
    default:
      return { at: "random.moment", kind: kindOf(KINDS), nth, forMs: 5 };
  }
}

function drawProgram(stream: RandomStream, processes: number, cells: number): Move[] {
  return Array.from({ length: 1 + stream.below(3) }, (): Move => {
    const cell = stream.below(cells);
    switch (stream.below(11)) {
      case 0:
      case 1:
        return { do: "read", cell };
      case 2:
      case 3:
        return { do: "write", cell };
      case 4:
        return { do: "add", cell };
      case 5:
        return { do: "take", cell };
      case 6:
        return { do: "lock" };
      case 7:
        return { do: "send", to: stream.below(processes) };
      case 8:
        return { do: stream.below(2) === 0 ? "receive" : "both" };
      case 9:
        return { do: "sleep", forMs: stream.below(2) };
      default:
        return { do: "reach" };
    }
  });
}

function systemOf(seed: number, programs: readonly (readonly Move[])[], cells: number): System<string> {
  return {
    name: `calibration/random-${seed}`,
    claim: "For comparing searches.",
    onThrow: "ends",
    healMs: 10,
    build(space) {
      const shared = Array.from({ length: cells }, (_, at) => space.cell(`cell-${at}`, 0));
      const lock = space.lock("lock");
      const seen = programs.map(() => [] as string[]);
      programs.forEach((moves, at) => {
        // The last one runs where the first does, so that faults of hosts hit two.
        const host = at === 2 ? "process-0" : `process-${at}`;
        space.process(`process-${at}`, (ports) => follow(ports, moves, shared, lock, seen[at] as string[]), { host });
      });
      const states = (): string => space.states().map(({ status, life }) => `${status} ${life}`).join(",");
      return { facts: () => JSON.stringify([shared.map(({ value }) => value), seen, states()]) };
    },
    checks: [{ id: "random/no-seven", when: "end", alarm: (facts) => (facts.includes("7") ? "a seven" : undefined) }],
  };
}

async function follow(
  ports: ProcessPorts,
  moves: readonly Move[],
  cells: readonly ReturnType<Space["cell"]>[],
  lock: ReturnType<Space["lock"]>,
  seen: string[],
): Promise<void> {
  let last = 1;
  const cellAt = (at: number) => ports.cell(cells[at] as CellState<number>);
  for (const move of moves) {
    switch (move.do) {
      case "read":
        last = await cellAt(move.cell).read();
        seen.push(`read ${last}`);
        break;
      case "write":
        // Another value by what was seen, so that the order shows.
        await cellAt(move.cell).write(last + 1);
        break;
      case "add":
        seen.push(`add ${await cellAt(move.cell).update((value) => value * 2 + 1)}`);
        break;
      case "take":
        seen.push(`take ${await cellAt(move.cell).compareAndSet(0, 9)}`);
        break;
      case "lock":
        await ports.lock(lock).acquire();
        seen.push(`locked ${await cellAt(0).read()}`);
        if (last % 2 === 1) await cellAt(0).write(last + 3);
        await ports.lock(lock).release();
        break;
      case "send":
        await ports.network.send(`process-${move.to}`, last);
        break;
      case "receive": {
        const reply = await ports.network.request("process-0", last, 3);
        seen.push(reply.outcome === "ok" ? `ok ${String(reply.body)}` : `${reply.outcome} ${reply.why}`);
        break;
      }
      case "both": {
        // Two calls at once: their order is a choice inside one process.
        const [one, two] = await Promise.all([cellAt(0).read(), cellAt(cells.length - 1).update((value) => value + 2)]);
        seen.push(`both ${one} ${two}`);
        break;
      }
      case "sleep":
        await ports.clock.sleep(move.forMs);
        seen.push(`woke ${ports.clock.now() % 1000}`);
        break;
      case "reach":
        await ports.faults.reach("random.moment").catch(() => void seen.push("refused"));
        break;
    }
  }
}
