/** Holds the package's README to a run: its example stands here and is played, and its table is that of the kernel. */
import { readFileSync } from "node:fs";
import { createWorld } from "@casebook/sim";
import { assertFired, createSimulation, macrotasks, play } from "@casebook/sim/kernel";
import { createNodeFs } from "@casebook/sim/node-fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../README.md");

it.each([
  ["example", example],
  ["node-fs", nodeFs],
] as const)("the README shows this %s, and what it prints", async (name, play) => {
  const printed: string[] = [];
  await play((line) => void printed.push(line));
  const own = read("readme.test.ts");
  const start = `// ${name}:start\n`;
  const code = own.slice(own.indexOf(start) + start.length, own.lastIndexOf(`  // ${name}:end`));
  expect(readme).toContain("```ts\n" + code.replace(/^ {2}/gm, "") + "```\n");
  expect(readme).toContain("```text\n" + printed.join("\n") + "\n```\n");
});

it("the README has the table of what happens to a process as the kernel has it", () => {
  const rows = (text: string): string[] => [...text.matchAll(/^(?: \* )?(\| (?:what happens|kill|stop|host|power).*\|)$/gm)].map(([, row = ""]) => row.replaceAll(/ +/g, " "));
  expect(rows(read("kernel/process-state.ts"))).toHaveLength(7);
  expect(rows(readme)).toEqual(rows(read("kernel/process-state.ts")));
});

async function example(print: (line: string) => void): Promise<void> {
  // example:start
  const { execution } = createSimulation(
    (space) => {
      space.process("worker", async ({ faults, network }) => {
        await network.receive();
        await faults.reach("worker.before-answer");
      });
      space.process("asker", async ({ clock, network }) => {
        const reply = await network.request("worker", "do it", 5_000);
        print(`asker, at ${clock.now()}: ${JSON.stringify(reply)}`);
      });
      return { facts: () => ({}) };
    },
    // Always the first of the calls that wait; a search tries the others.
    { epoch: 0, chooser: { choose: () => 0 }, faults: [{ at: "worker.before-answer", kind: "host-dead" }] },
  );
  await play(execution, macrotasks);
  assertFired(execution);
  for (const { process, plan, outcome } of execution.steps) print(`${process.name}: ${plan.name} ${outcome}`);
  // example:end
}

async function nodeFs(print: (line: string) => void): Promise<void> {
  // node-fs:start
  const world = createWorld({ seed: 1, epoch: 0 });
  await world.run(async ({ disk }) => {
    const fs = createNodeFs(disk);
    await fs.promises.writeFile("/a", "text");
    await fs.promises.rename("/a", "/missing/b").catch(({ message }: Error) => print(message));
  });
  for (const { operation, object, outcome } of world.trace.events) print(`${operation} ${object} ${outcome}`);
  // node-fs:end
}
