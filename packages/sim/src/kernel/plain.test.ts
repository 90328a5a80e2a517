/** No two processes hold one object: what one changes after it gave it away, the other does not see. */
import { describe, expect, it } from "vitest";
import { play } from "./drive.ts";
import { createSimulation, macrotasks, type ProcessPorts, type Space } from "./index.ts";
import { plainCopy } from "./plain.ts";

async function played(parts: Readonly<Record<string, (ports: ProcessPorts, space: Space) => Promise<unknown>>>) {
  const { execution, facts } = createSimulation(
    (space) => {
      for (const [name, start] of Object.entries(parts)) space.process(name, (ports) => start(ports, space));
      return { facts: () => space.states().map(({ name, failure }) => `${name} ${failure}`.trim()) };
    },
    { chooser: { choose: () => 0 } },
  );
  await play(execution, macrotasks);
  return facts();
}

describe("a value that leaves a process", () => {
  it("arrives as it was when it was sent, twice when it was duplicated, and is nobody else's", async () => {
    const seen: unknown[] = [];
    await played({
      sender: async (ports) => {
        const body = { count: 1, list: [1] };
        await ports.network.send("receiver", body);
        body.count = 2;
        body.list.push(2);
      },
      receiver: async (ports) => {
        const delivery = await ports.network.receive();
        seen.push(delivery.kind === "message" ? delivery.body : delivery.kind);
      },
    });
    expect(seen).toEqual([{ count: 1, list: [1] }]);
  });

  it("does not change in a cell unless it is written", async () => {
    const seen: unknown[] = [];
    const { execution } = createSimulation(
      (space) => {
        const rows = space.cell<readonly { done: boolean }[]>("rows", [{ done: false }]);
        space.process("one", async (ports) => {
          const [row] = await ports.cell(rows).read();
          if (row !== undefined) row.done = true;
          seen.push(await ports.cell(rows).read());
          seen.push(await ports.cell(rows).compareAndSet([{ done: false }], []));
          seen.push(await ports.cell(rows).read());
        });
        return { facts: () => null };
      },
      { chooser: { choose: () => 0 } },
    );
    await play(execution, macrotasks);
    expect(seen).toEqual([[{ done: false }], true, []]);
  });

  it("is refused when it could not be written down, and says why", async () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const messages = [new Map(), () => 1, Symbol("s"), { when: new Date(0) }, loop].map((value) => {
      try {
        return plainCopy(value);
      } catch (thrown) {
        return (thrown as Error).message.split(";")[0];
      }
    });
    expect(messages).toEqual([
      "VALUE_NOT_PLAIN: a value given to another process is a Map",
      "VALUE_NOT_PLAIN: a value given to another process is a function",
      "VALUE_NOT_PLAIN: a value given to another process is a symbol",
      "VALUE_NOT_PLAIN: a value given to another process is a Date",
      "VALUE_NOT_PLAIN: a value given to another process is nested more than 100 deep, or contains itself",
    ]);
    expect(await played({ one: (ports) => ports.network.send("one", new Map()) })).toEqual([
      "one VALUE_NOT_PLAIN: a value given to another process is a Map; processes share no JavaScript state. Give objects, lists, texts, numbers, true, false and null.",
    ]);
  });
});
