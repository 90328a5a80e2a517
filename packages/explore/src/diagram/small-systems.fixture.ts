/** Systems whose diagrams are short enough to be read in a test. */
import { playAlone } from "../replay.ts";
import { judge } from "../judge.ts";
import { simulationOf } from "../search.ts";
import { staying } from "../strategies.ts";
import type { System } from "../system.ts";
import { type TraceDocument, traceDocument } from "../trace/document.ts";
import { Watch } from "../trace/watch.ts";
import { type ArmedFault, type Chooser, macrotasks, asynchronousRunner } from "@casebook/sim/kernel";

/** A client asks a bridge to start a session, and asks once more when it does not know whether that happened. */
export function asksTwice(names: { client: string; bridge: string } = { client: "client", bridge: "bridge" }): System<{ starts: number }> {
  return {
    name: "small/asks-twice",
    claim: "One prompt is started once.",
    build(space) {
      let starts = 0;
      space.process(
        names.bridge,
        async (ports) => {
          for (;;) {
            const delivery = await ports.network.receive();
            if (delivery.kind === "closed") continue;
            starts += 1;
            await ports.faults.reach("bridge.after-start");
            await delivery.answer("started");
          }
        },
        { isDaemon: true },
      );
      space.process(names.client, async (ports) => {
        for (let attempt = 1; attempt <= 2; attempt += 1) {
          const reply = await ports.network.request(names.bridge, { prompt: "p1", attempt }, 1_000);
          if (reply.outcome === "ok") return;
        }
      });
      return { facts: () => ({ starts }) };
    },
    checks: [{ id: "prompt/started-once", when: "end", alarm: ({ starts }) => (starts <= 1 ? undefined : `${starts} starts of one prompt`) }],
    faults: { points: ["bridge.after-start"], kinds: ["kill", "kill-restart", "stop-continue"] },
  };
}

/** A writer that syncs the file and, where it survives that, its directory; how many files are there at the end. */
export function writesOneFile(durability: "kill" | "posix-min" = "posix-min"): System<{ files: number }> {
  return {
    name: "small/writes-one-file",
    claim: "What is synced stays.",
    durability,
    build(space) {
      space.process("writer", async ({ disk, process }) => {
        if (process.life > 1) return;
        const file = await disk.open("/a", "w");
        await file.write(Uint8Array.of(1, 2, 3));
        await file.sync();
        await disk.syncDirectory("/");
      }, { host: "box" });
      return { facts: () => ({ files: space.files("box").list("/")?.length ?? 0 }) };
    },
    checks: [],
  };
}

export async function tracedRun<Facts>(system: System<Facts>, faults: readonly ArmedFault[] = [], chooser: Chooser = { choose: staying }): Promise<TraceDocument> {
  const watch = new Watch();
  const simulation = simulationOf(system, chooser, faults, undefined, false, watch);
  await playAlone(simulation.execution, asynchronousRunner(macrotasks));
  return traceDocument(system, { execution: simulation.execution, watch, judged: judge(system, simulation), token: "casebook-1.small", source: "" });
}
