/** Holds the package's README to a run: its example stands here and is played. */
import { readFileSync } from "node:fs";
import { REFERENCE_POLICIES } from "@casebook/supervisor";
import { knownBad, SUPERVISOR_RULES } from "@casebook/supervisor/known-bad";
import { judgeRun, playRun, playScenario, recordsOf, scenarioCalled } from "@casebook/supervisor/scenarios";
import { expect, it } from "vitest";
import { POINTS } from "./points.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8").replaceAll("\r\n", "\n");
const own = readFileSync(new URL("readme.test.ts", import.meta.url), "utf8").replaceAll("\r\n", "\n");

it("the README shows this example, and what it prints", async () => {
  const printed: string[] = [];
  await example((...words) => void printed.push(words.map(print).join(" ")));
  const code = own.slice(own.indexOf("// example:start\n") + 17, own.lastIndexOf("  // example:end"));
  expect(readme).toContain("```ts\n" + code.replace(/^ {2}/gm, "") + "```\n");
  expect(readme).toContain("```text\n" + printed.join("\n") + "\n```\n");
});

it("the README names every rule, every known-bad supervisor and every window", () => {
  const rows = [
    ...Object.entries(SUPERVISOR_RULES).map(([id, text]) => `| \`${id}\` | ${text} |`),
    ...knownBad.map(({ name, breaks }) => `| ${name} | ${breaks.map((id) => `\`${id.slice("supervision/".length)}\``).join(", ")} |`),
  ];
  expect(rows.filter((row) => !readme.includes(`${row}\n`))).toEqual([]);
  expect(Object.values(POINTS).filter((point) => !readme.includes(`\`${point.slice("supervisor.".length)}\``))).toEqual([]);
});

function print(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function example(say: (...words: unknown[]) => void): Promise<void> {
  // example:start
  const hang = scenarioCalled("tool_hang/three-vendors");
  const { snapshot } = await playRun(hang.world);
  for (const { state, cause, stuckAgent, stuckItem, done, failed, notFinished } of recordsOf("run-1", snapshot!)) {
    say(state, cause, "by", stuckAgent, "with", stuckItem);
    say({ done: done.length, failed: failed.length, notFinished: notFinished.length });
  }
  say("alarms:", judgeRun("run-1", snapshot!).length);

  const away = scenarioCalled("ledger_blackhole/one-agent");
  for (const cancelOrder of ["propagate-first", "classify-first"] as const) {
    const classification = cancelOrder === "propagate-first" ? "bounded" : "unbounded";
    const { observation, causes } = await playScenario(away, { policies: { ...REFERENCE_POLICIES, cancelOrder, classification } });
    say(`${cancelOrder}: ${observation}; ${causes.join(", ")}`);
  }
  // example:end
}
