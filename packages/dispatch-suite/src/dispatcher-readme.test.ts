/** Holds the README of the dispatcher to a run: its example stands here and is played. Here, because the scenarios are. */
import { readFileSync } from "node:fs";
import { ALLOWED_MOVES } from "@casebook/dispatcher/judge";
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { playScenario, RULES, SCENARIOS } from "./index.ts";

const readme = readFileSync(new URL("../../dispatcher/README.md", import.meta.url), "utf8").replaceAll("\r\n", "\n");
const own = readFileSync(new URL("dispatcher-readme.test.ts", import.meta.url), "utf8").replaceAll("\r\n", "\n");

it("the README shows this example, and what it prints", async () => {
  const printed: string[] = [];
  await example((line) => void printed.push(line));
  const code = own.slice(own.indexOf("// example:start\n") + 17, own.lastIndexOf("  // example:end"));
  expect(readme).toContain("```ts\n" + code.replace(/^ {2}/gm, "") + "```\n");
  expect(readme).toContain("```text\n" + printed.join("\n") + "\n```\n");
});

it("the README names every rule, every move and every known-bad dispatcher", () => {
  const rows = [
    ...RULES.map(({ number, id, text }) => `| ${number} | \`${id}\` | ${text} |`),
    ...KNOWN_BAD_DISPATCHERS.map(({ name, policies }) => `| ${name} | \`${Object.entries(policies).map(([policy, word]) => `${policy}: ${word}`).join(", ")}\` |`),
  ];
  expect(rows.filter((row) => !readme.includes(`${row}\n`))).toEqual([]);
  expect(ALLOWED_MOVES.filter((move) => !readme.includes(`\`${move}\``))).toEqual([]);
});

async function example(say: (line: string) => void): Promise<void> {
  // example:start
  const f10 = SCENARIOS.find(({ id }) => id === "F10")!;
  for (const recovery of ["find-by-key", "start-again"] as const) {
    const { layers, checks } = await playScenario(f10, { name: recovery, policies: { recovery } }, await findRunner(), { schedules: 0 });
    say(`${recovery}: ${layers!.attemptsCreated} attempt, ${layers!.executionsStarted} started`);
    for (const { id, alarm } of checks) if (alarm !== undefined) say(`  ${id}: ${alarm}`);
  }
  // example:end
}
