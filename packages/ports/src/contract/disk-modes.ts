/**
 * Every mode in which a file can be opened, on a name that is missing, a file and a directory, through every call that a
 * handle has, and with the name taken away behind the handle's back: all combinations, on the disk under test and on an
 * oracle. Leaves out positions and sizes at random (`disk-sequences.ts`).
 */
import type { Disk, OpenFlags } from "../disk.ts";
import type { ContractCase, MakePort } from "./contract.ts";
import { expectSameAnswers, playScript, type DiskStep } from "./disk-script.ts";

const MODES: readonly OpenFlags[] = ["r", "r+", "w", "w+", "wx", "wx+", "a", "a+", "ax", "ax+"];

const TARGETS = ["missing", "file", "directory"] as const;

const write = (bytes: readonly number[], position?: number): DiskStep => ({ do: "write", slot: 1, bytes, position });
const read = (length: number, position: number): DiskStep => ({ do: "read", slot: 1, length, position });
const truncate = (size: number): DiskStep => ({ do: "truncate", slot: 1, size });
const onHandle = (call: "sync" | "fstat" | "close"): DiskStep => ({ do: call, slot: 1 });

/** What is done through the handle; `path` is the name that it was opened by. */
const USES: readonly ((path: string) => readonly DiskStep[])[] = [
  () => [write([7, 8]), write([9]), write([6], 1), write([5])],
  () => [write([7], 3), write([])],
  () => [write([], 9), onHandle("fstat"), write([7])],
  () => [write([7], 9)],
  () => [read(9, 0), read(0, 0), read(2, 4), read(2, 5), read(2, 99)],
  () => [truncate(2), write([7])],
  () => [truncate(7), truncate(0), truncate(3), read(9, 0)],
  () => [onHandle("sync"), onHandle("fstat")],
  () => [onHandle("close"), onHandle("close"), write([7]), read(1, 0), truncate(1), onHandle("sync"), onHandle("fstat")],
  (path) => [{ do: "unlink", path }, { do: "rmdir", path }, write([7], 2), read(9, 0), onHandle("fstat"), { do: "stat", path }],
  (path) => [{ do: "rename", from: path, to: `${path}-moved` }, write([7], 2), read(9, 0), { do: "stat", path: `${path}-moved` }],
  (path) => [
    { do: "open", slot: 2, path: `${path}-other`, flags: "w" },
    { do: "rename", from: `${path}-other`, to: path },
    write([7], 2),
    read(9, 0),
    onHandle("fstat"),
  ],
];

export function diskModes(makeOracle: MakePort<Disk>): ContractCase<Disk> {
  return {
    name: "answers every call through a handle of every mode as the oracle does",
    async run(makePort) {
      const script = everyCombination();
      const expected = await playScript(await makeOracle(), script);
      expectSameAnswers(script, await playScript(await makePort(), script), expected);
    },
  };
}

/** Each on a name of its own, so that no combination sees what another has left. */
function everyCombination(): DiskStep[] {
  const steps: DiskStep[] = [];
  for (const flags of MODES) {
    for (const target of TARGETS) {
      for (const [index, use] of USES.entries()) {
        const path = `/${flags}-${target}-${index}`;
        if (target === "file") steps.push(...fileAt(path));
        if (target === "directory") steps.push({ do: "mkdir", path });
        // Whatever is in the slot is gone: the calls of a mode that was refused must not reach the last handle.
        steps.push({ do: "close", slot: 1 }, { do: "open", slot: 1, path, flags }, ...use(path));
      }
    }
  }
  return steps;
}

function fileAt(path: string): DiskStep[] {
  return [
    { do: "open", slot: 0, path, flags: "w" },
    { do: "write", slot: 0, bytes: [1, 2, 3, 4, 5], position: undefined },
    { do: "close", slot: 0 },
  ];
}
