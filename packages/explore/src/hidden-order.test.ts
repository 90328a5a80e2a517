/** What one process does and another can see has to count as touching: else a reduced search leaves out orders that differ. */
import type { ArmedFault, ProcessPorts, Build } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import type { Reduction } from "./exhaustive.ts";
import { searchArm } from "./search.ts";
import type { System } from "./system.ts";

function systemOf(build: Build<string>, healMs?: number): System<string> {
  return { name: "hidden/order", claim: "For comparing searches.", onThrow: "ends", build, checks: [], ...(healMs === undefined ? {} : { healMs }) };
}

async function finalStates(system: System<string>, faults: readonly ArmedFault[], reduction: Reduction): Promise<string[]> {
  const states = new Set<string>();
  const report = await searchArm(system, faults, await findRunner(), {
    strategy: "exhaustive",
    reduction,
    goOn: true,
    budget: 20_000,
    onJudged: (judged, { facts }) => void (judged.verdict !== "given-up" && states.add(String(facts()))),
  });
  expect(report).toMatchObject({ isExhausted: true, notRun: undefined });
  return [...states].sort();
}

async function collect(ports: ProcessPorts, seen: unknown[]): Promise<void> {
  for (;;) {
    const delivery = await ports.network.receive();
    if (delivery.kind === "message") seen.push(delivery.body);
  }
}

describe("a reduced search ends in the states of a plain one", () => {
  it("when a fault of a link counts from another fault on, wherever that one fires", async () => {
    const system = systemOf((space) => {
      const seen: unknown[] = [];
      space.process("one", (ports) => ports.faults.reach("moment").catch(() => undefined));
      space.process("two", async (ports) => {
        for (let count = 1; count <= 3; count += 1) await ports.network.send("three", count);
      });
      space.process("three", (ports) => collect(ports, seen), { isDaemon: true });
      return { facts: () => seen.join(" ") };
    });
    const faults: readonly ArmedFault[] = [
      { at: "moment", kind: "error" },
      { at: "network.two->three", kind: "drop", after: 0 },
    ];
    const plain = await finalStates(system, faults, "plain");
    expect(plain).toEqual(["1 2", "1 2 3", "1 3", "2 3"]);
    expect(await finalStates(system, faults, "sleep-sets")).toEqual(plain);
    expect(await finalStates(system, faults, "races")).toEqual(plain);
  });

  it("when a fault of one link counts from a fault of another link on", async () => {
    const system = systemOf((space) => {
      const seen: unknown[] = [];
      space.process("one", (ports) => ports.network.send("three", "other"));
      space.process("two", async (ports) => {
        await ports.network.send("four", 1);
        await ports.network.send("four", 2);
      });
      space.process("three", async (ports) => void (await ports.network.receive()), { isDaemon: true });
      space.process("four", (ports) => collect(ports, seen), { isDaemon: true });
      return { facts: () => seen.join(" ") };
    });
    const faults: readonly ArmedFault[] = [
      { at: "network.one->three", kind: "drop" },
      { at: "network.two->four", kind: "drop", after: 0 },
    ];
    expect(await finalStates(system, faults, "races")).toEqual(await finalStates(system, faults, "plain"));
  });

  it("when one sync of a file is refused and another is not: what the refused one gave up, the other may have made durable before", async () => {
    const system = systemOf((space) => {
      space.process("writer", async ({ disk }) => {
        const file = await disk.open("/file", "w");
        await file.write(Uint8Array.of(1));
        await file.sync();
      }, { host: "host" });
      space.process("syncs", async ({ disk }) => (await disk.open("/file", "a")).sync().catch(() => undefined), { host: "host" });
      return { facts: () => space.unsynced("host").map(({ operation }) => operation).join() };
    });
    const faults: readonly ArmedFault[] = [{ at: "disk.sync", process: "syncs", kind: "error" }];
    const plain = await finalStates(system, faults, "plain");
    expect(plain).toEqual(["create /file", "create /file,write 1 byte at 0 of /file"]);
    expect(await finalStates(system, faults, "sleep-sets")).toEqual(plain);
    expect(await finalStates(system, faults, "races")).toEqual(plain);
  });

  it("when calls that waited for the heal phase are taken in it", async () => {
    const system = systemOf((space) => {
      const cell = space.cell("cell", "nobody");
      space.process("one", (ports) => ports.faults.reach("moment").then(() => ports.clock.sleep(5)), { host: "host" });
      for (const name of ["two", "three"]) {
        const work = async (ports: Parameters<Parameters<typeof space.process>[1]>[0]): Promise<void> => {
          await ports.clock.sleep(1);
          await ports.cell(cell).write(name);
        };
        space.process(name, work, { host: "host", isDaemon: true });
      }
      return { facts: () => cell.value };
    }, 1_000);
    const faults: readonly ArmedFault[] = [{ at: "moment", kind: "host-unreachable" }];
    const plain = await finalStates(system, faults, "plain");
    expect(await finalStates(system, faults, "sleep-sets")).toEqual(plain);
    expect(await finalStates(system, faults, "races")).toEqual(plain);
  });

  it("when messages that several had sent are delivered in the heal phase", async () => {
    const system = systemOf((space) => {
      let seen = "";
      space.process("one", (ports) => ports.faults.reach("moment").then(() => ports.clock.sleep(5)), { host: "host" });
      for (const name of ["two", "three"]) space.process(name, (ports) => ports.clock.sleep(1).then(() => ports.network.send("four", name)));
      space.process(
        "four",
        async (ports) => {
          for (;;) {
            const delivery = await ports.network.receive();
            if (delivery.kind === "message") seen += `${String(delivery.body)} `;
          }
        },
        { host: "host", isDaemon: true },
      );
      return { facts: () => seen };
    }, 1_000);
    const faults: readonly ArmedFault[] = [{ at: "moment", kind: "host-unreachable" }];
    const plain = await finalStates(system, faults, "plain");
    expect(await finalStates(system, faults, "sleep-sets")).toEqual(plain);
    expect(await finalStates(system, faults, "races")).toEqual(plain);
  });
});
