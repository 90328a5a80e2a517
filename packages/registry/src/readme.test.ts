/** Holds the package's README to a run: its example stands here and is played. */
import { readFileSync } from "node:fs";
import { createTask, parityFacts, readRegistry, type RegistryLocation } from "@casebook/registry";
import { createWorld } from "@casebook/sim";
import { expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const own = readFileSync(new URL("readme.test.ts", import.meta.url), "utf8");

it("the README shows this example, and what it prints", async () => {
  const printed: string[] = [];
  await example((...words) => void printed.push(words.map(print).join(" ")));
  const code = own.slice(own.indexOf("// example:start\n") + 17, own.lastIndexOf("  // example:end"));
  expect(readme).toContain("```ts\n" + code.replace(/^ {2}/gm, "") + "```\n");
  expect(readme).toContain("```text\n" + printed.join("\n") + "\n```\n");
});

function print(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function example(say: (...words: unknown[]) => void): Promise<void> {
  // example:start
  const { ports } = createWorld({ seed: 1, epoch: 0 });
  const location: RegistryLocation = { path: "/tasks.json", shape: { kind: "bare-array" } };
  const text = '[{"id": "backup", "cronExpression": "0 3 * * *"}, {"id": "report", "fireAt": "soon"}]';
  const file = await ports.disk.open(location.path, "w");
  await file.write(new TextEncoder().encode(text));
  await file.close();

  for (const policy of ["reject-file", "quarantine-entry"] as const) {
    const reading = await readRegistry(ports, location, policy);
    say(policy, reading.outcome, parityFacts(reading));
  }
  const written = await createTask(ports, location, { id: "backup", fireAt: 1_790_000_000_000 });
  say(written.outcome === "refused" ? written.say : written.outcome);
  // example:end
}
