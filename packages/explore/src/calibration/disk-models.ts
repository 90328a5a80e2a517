/** Small systems with one known bug each that needs a disk which forgets; see `models.ts`. Each with the fault that shows it. */
import type { ArmedFault, CellState, ProcessPorts, Space } from "@casebook/sim/kernel";
import type { System } from "../system.ts";
import { noise } from "./models.ts";

export interface WithFault<Facts> {
  readonly system: System<Facts>;
  readonly fault: ArmedFault;
}

const HOST = "box";

/** Bytes of a text of ASCII. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * A writer replaces `/a` by way of `/t`, syncs the file, renames, and acknowledges without having synced the directory. The power
 * goes when it has acknowledged: the rename may be lost.
 */
export function renameWithoutDirectorySync(noisy: { processes: number; steps: number }): WithFault<{ acknowledged: boolean; content: string }> {
  const calls = ["open", "write", "sync", "rename", "acknowledge"];
  return {
    fault: { at: "step", process: "writer", nth: calls.length, kind: "power-loss" },
    system: {
      name: "calibration/rename-without-directory-sync",
      claim: "What was acknowledged survives a power loss.",
      durability: "posix-min",
      build(space) {
        const acknowledged = space.cell("acknowledged", false);
        space.process("writer", (ports) => replaceOnce(ports, acknowledged), { host: HOST });
        noise(space, noisy.processes, noisy.steps);
        const files = space.files(HOST);
        return { facts: () => ({ acknowledged: acknowledged.value, content: files.text("/a") ?? "none" }) };
      },
      checks: [
        {
          id: "file/acknowledged-is-there",
          when: "end",
          alarm: ({ acknowledged, content }) => (acknowledged && content !== "new" ? `acknowledged, and /a holds ${content}` : undefined),
        },
      ],
    },
  };
}

async function replaceOnce({ disk, process, cell }: ProcessPorts, acknowledged: ReturnType<Space["cell"]>): Promise<void> {
  if (process.life > 1) return;
  const file = await disk.open("/t", "w");
  await file.write(bytesOf("new"));
  await file.sync();
  await disk.rename("/t", "/a");
  await cell(acknowledged as CellState<boolean>).write(true);
}

/**
 * A writer appends lines to a log. It dies in the middle of one, starts again, and appends the next without looking whether the
 * last line had ended: the two are glued, and the one that was acknowledged cannot be read.
 */
export function gluedAppend(noisy: { processes: number; steps: number }): WithFault<{ acknowledged: readonly string[]; readable: readonly string[] }> {
  return {
    fault: { at: "disk.write", process: "writer", nth: 1, kind: "torn-write" },
    system: {
      name: "calibration/glued-append",
      claim: "Every line that was acknowledged can be read.",
      durability: "posix-min",
      healMs: 120_000,
      build(space) {
        const acknowledged = space.cell<readonly string[]>("acknowledged", []);
        space.process("writer", async ({ cell, disk, process }) => {
          const file = await disk.open("/log", "a");
          const line = `life-${process.life}`;
          await file.write(bytesOf(`${line}\n`));
          await file.sync();
          await cell(acknowledged).update((lines) => [...lines, line]);
        }, { host: HOST });
        noise(space, noisy.processes, noisy.steps);
        const files = space.files(HOST);
        return { facts: () => ({ acknowledged: acknowledged.value, readable: (files.text("/log") ?? "").split("\n").filter((line) => /^life-\d$/.test(line)) }) };
      },
      checks: [
        {
          id: "log/acknowledged-is-readable",
          when: "end",
          alarm: ({ acknowledged, readable }) => {
            const lost = acknowledged.filter((line) => !readable.includes(line));
            return lost.length === 0 ? undefined : `acknowledged and not readable: ${lost.join(", ")}`;
          },
        },
      ],
    },
  };
}
