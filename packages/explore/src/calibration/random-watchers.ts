/**
 * Small random systems for comparing searches: processes that change a directory, watch it, stop to, and are hit by faults, also at
 * the events. The facts are everything that anybody saw.
 */
import { type ArmedFault, createStream, type FaultKind, type ProcessPorts, type RandomStream, WATCH_FAULTS } from "@casebook/sim/kernel";
import type { System } from "../system.ts";
import type { RandomSystem } from "./random-system.ts";

const CHANGES = ["make", "make", "remove", "rename"] as const;
const LOOKS = ["open", "next", "next", "close", "list"] as const;
const ANY = [...CHANGES, ...LOOKS, "sleep", "reach"] as const;
type Move = (typeof ANY)[number];

const POINT_KINDS: readonly FaultKind[] = ["kill", "kill-restart", "kill-restart", "stop-continue", "hang", "power-loss", "host-dead", "host-unreachable"];

/** One changes, one watches, and a third, if there is one, does anything; its host may be another. */
export function randomWatchers(seed: number): RandomSystem {
  const stream = createStream(seed, "random watchers");
  const draw = <T>(items: readonly T[]): T => items[stream.below(items.length)] as T;
  const drawMoves = (moves: readonly Move[], most: number): Move[] => Array.from({ length: 1 + stream.below(most) }, () => (stream.below(4) === 0 ? draw(ANY) : draw(moves)));
  const programs: Move[][] = [["open", ...drawMoves(LOOKS, 4)], drawMoves(CHANGES, 4)];
  if (stream.below(2) === 0) programs.push(drawMoves(ANY, 2));
  const thirdHost = draw(["one", "one", "two"]);
  const system: System<string> = {
    name: `calibration/random-watchers-${seed}`,
    claim: "For comparing searches.",
    onThrow: "ends",
    healMs: 10,
    build(space) {
      const seen = programs.map((): string[] => []);
      programs.forEach((moves, at) => space.process(`p${at}`, (ports) => follow(ports, moves, seen[at] as string[], at), { host: at === 2 ? thirdHost : "one" }));
      return { facts: () => JSON.stringify([seen, space.states().map(({ status, life }) => `${status} ${life}`)]) };
    },
    checks: [],
  };
  return { system, faults: drawFaults(stream, draw) };
}

function drawFaults(stream: RandomStream, draw: <T>(items: readonly T[]) => T): ArmedFault[] {
  return Array.from({ length: stream.below(3) }, (_, at): ArmedFault => {
    const counts = { nth: 1 + stream.below(2), times: 1 + stream.below(2), forMs: 1, ...(at === 1 && stream.below(2) === 0 ? { after: 0 } : {}) };
    if (stream.below(4) === 0) return { at: "some.moment", kind: draw(POINT_KINDS), ...counts };
    return { at: `watch.p${draw([0, 0, 2])}`, kind: draw(WATCH_FAULTS), ...counts };
  });
}

async function follow({ disk, watch, clock, faults }: ProcessPorts, moves: readonly Move[], seen: string[], at: number): Promise<void> {
  let watcher: Awaited<ReturnType<typeof watch.open>> | undefined;
  const noting = async (what: string, work: Promise<unknown>): Promise<void> => {
    seen.push(`${what} ${await work.then((answer) => JSON.stringify(answer) ?? "ok", (failure: { code: string }) => failure.code)}`);
  };
  for (const move of moves) {
    switch (move) {
      case "make":
        await noting("make", disk.mkdir(`/${at}`));
        break;
      case "remove":
        await noting("remove", disk.rmdir("/0"));
        break;
      case "rename":
        await noting("rename", disk.rename("/0", `/moved-${at}`));
        break;
      case "list":
        await noting("list", disk.readdir("/").then((entries) => entries.map(({ name }) => name).sort()));
        break;
      case "open":
        await noting("open", watch.open("/").then((opened) => void (watcher = opened)));
        break;
      case "next":
        if (watcher !== undefined) await noting("next", watcher.next());
        break;
      case "close":
        if (watcher !== undefined) await noting("close", watcher.close());
        break;
      case "sleep":
        await clock.sleep(1);
        break;
      case "reach":
        await noting("reach", faults.reach("some.moment"));
        break;
    }
  }
}
