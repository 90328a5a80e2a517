/** Holds the package's README to a run: its example stands here and is played. */
import { readFileSync } from "node:fs";
import { explore, type System } from "@casebook/explore";
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const own = readFileSync(new URL("readme.test.ts", import.meta.url), "utf8");

it("the README shows this example, and what it prints", async () => {
  const printed: string[] = [];
  await example((line) => void printed.push(line));
  const code = own.slice(own.indexOf("// example:start\n") + 17, own.lastIndexOf("  // example:end"));
  expect(readme).toContain("```ts\n" + code.replace(/^ {2}/gm, "") + "```\n");
  expect(readme).toContain("```text\n" + printed.join("\n") + "\n```\n");
});

async function example(print: (line: string) => void): Promise<void> {
  // example:start
  const system: System<{ starts: number }> = {
    name: "readme/claim",
    claim: "A task is started once.",
    build(space) {
      const claim = space.cell("claim", "free");
      const starts = space.cell("starts", 0);
      for (const name of ["one", "two"]) {
        space.process(name, async (ports) => {
          if ((await ports.cell(claim).read()) !== "free") return;
          await ports.cell(claim).write(name);
          await ports.cell(starts).update((count) => count + 1);
        });
      }
      return { facts: () => ({ starts: starts.value }) };
    },
    checks: [{ id: "claim/started-once", when: "end", alarm: ({ starts }) => (starts <= 1 ? undefined : `${starts} starts`) }],
  };
  const { verdict, executions, findings } = await explore(system, await findRunner());
  print(`${verdict} after ${executions} executions`);
  for (const { check, says, shrunk } of findings) {
    print(`${check}: ${says}, ${shrunk.preemptions} preemption, ${shrunk.failure.steps} steps`);
  }
  // example:end
}
