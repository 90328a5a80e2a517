/**
 * Random small systems that share a disk, for comparing searches with each other: processes that open, write, append, sync, rename,
 * remove, list and look, with a crash at any of their calls, a power loss that leaves any of its images, or a call that is refused.
 * The facts are everything that anybody saw and what is on the disks at the end. Times are left out of what is seen.
 */
import { type ArmedFault, createStream, type Durability, type ProcessPorts, type RandomStream } from "@casebook/sim/kernel";
import { Volume } from "memfs";
import type { System } from "../system.ts";
import type { RandomSystem } from "./random-system.ts";

type Move =
  | { readonly do: "write" | "append" | "read" | "unlink" | "make" | "list" | "look" | "syncDirectory"; readonly path: string }
  | { readonly do: "rename"; readonly path: string; readonly to: string };

/** Few, so that they meet. The directory is another process's only way to change what a path means. */
const PATHS: readonly string[] = ["/a", "/a", "/d/c", "/d", "/b"];
const DIRECTORIES: readonly string[] = ["/", "/d", "/a"];
const AT_THE_START = { "/a": "old", "/d/c": "old" };

export function randomDiskSystem(seed: number): RandomSystem {
  const stream = createStream(seed, "random disk system");
  const processes = 2 + (stream.below(4) === 0 ? 1 : 0);
  const programs = Array.from({ length: processes }, () => Array.from({ length: 1 + stream.below(3) }, () => drawMove(stream)));
  const durability: Durability = stream.below(3) === 0 ? "kill" : "posix-min";
  return { system: systemOf(seed, programs, durability), faults: drawFaults(stream) };
}

function drawMove(stream: RandomStream): Move {
  const path = PATHS[stream.below(PATHS.length)] as string;
  const all = ["write", "write", "append", "read", "unlink", "make", "list", "look", "syncDirectory"] as const;
  const at = stream.below(all.length + 3);
  if (at >= all.length) return { do: "rename", path, to: PATHS[stream.below(PATHS.length)] as string };
  const move = all[at] as (typeof all)[number];
  return { do: move, path: move === "list" || move === "look" ? (DIRECTORIES[stream.below(DIRECTORIES.length)] as string) : path };
}

function drawFaults(stream: RandomStream): readonly ArmedFault[] {
  const process = `process-${stream.below(2)}`;
  const nth = 1 + stream.below(4);
  switch (stream.below(8)) {
    case 0:
      return [];
    case 6:
      return [{ at: "disk.sync", kind: "error", process }];
    case 7:
      return [
        { at: "step", kind: "kill-restart", process, nth, forMs: 5 },
        { at: "step", kind: "power-loss", process: `process-${stream.below(2)}`, nth: 1 + stream.below(2), forMs: 5, ...(stream.below(2) === 0 ? { after: 0 } : {}) },
      ];
    case 1:
      return [{ at: "disk.rename", kind: "error", errno: "EPERM", nth: 1 + stream.below(2) }];
    case 2:
      return [{ at: "disk.write", kind: "torn-write", process, forMs: 5 }];
    case 3:
      return [{ at: "step", kind: "kill", process, nth }];
    default:
      return [{ at: "step", kind: "power-loss", process, nth, forMs: 5 }];
  }
}

function systemOf(seed: number, programs: readonly (readonly Move[])[], durability: Durability): System<string> {
  const volume = Volume.fromJSON(AT_THE_START);
  return {
    name: `calibration/random-disk-${seed}`,
    claim: "For comparing searches.",
    onThrow: "ends",
    durability,
    healMs: 10,
    build(space) {
      space.disk("box", volume);
      const seen = programs.map(() => [] as string[]);
      // The last of three lives elsewhere, with a disk of its own.
      programs.forEach((moves, at) => space.process(`process-${at}`, (ports) => follow(ports, moves, seen[at] as string[]), { host: at === 2 ? "other" : "box" }));
      const files = space.files("box");
      const contentOf = (path: string): string => files.text(path) ?? files.list(path)?.join() ?? "none";
      const states = (): string => space.states().map(({ status, life }) => `${status} ${life}`).join(",");
      return { facts: () => JSON.stringify([PATHS.map(contentOf), seen, states()]) };
    },
    checks: [],
  };
}

async function follow({ disk, process }: ProcessPorts, moves: readonly Move[], seen: string[]): Promise<void> {
  const mark = process.name.slice(-1);
  const text = Uint8Array.of(mark.charCodeAt(0));
  for (const move of moves) {
    try {
      switch (move.do) {
        case "write":
        case "append": {
          const file = await disk.open(move.path, move.do === "write" ? "w" : "a");
          await file.write(text);
          if (move.do === "append") await file.sync();
          break;
        }
        case "read": {
          const file = await disk.open(move.path, "r");
          seen.push(`read ${String.fromCharCode(...(await file.read(10, 0)))}`);
          break;
        }
        case "list":
          seen.push(`list ${(await disk.readdir(move.path)).map(({ name }) => name).sort().join()}`);
          break;
        case "look":
          seen.push(`look ${JSON.stringify({ ...(await disk.stat(move.path)), modifiedAtMs: 0 })}`);
          break;
        case "make":
          await disk.mkdir(move.path);
          break;
        case "unlink":
          await disk.unlink(move.path);
          break;
        case "rename":
          await disk.rename(move.path, move.to);
          break;
        case "syncDirectory":
          await disk.syncDirectory(move.path === "/d" ? "/d" : "/");
          break;
      }
    } catch (failure) {
      seen.push(`${move.do} ${(failure as { code?: string }).code ?? String(failure)}`);
    }
  }
}
