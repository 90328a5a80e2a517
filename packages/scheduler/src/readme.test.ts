import { readFileSync } from "node:fs";
import { createMemorySource, createScheduler, POLICY_WORDS, REFERENCE_POLICIES } from "@casebook/scheduler";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const page = read("../README.md");
const lines: string[] = [];
const print = (line: string): void => void lines.push(line);

async function example(): Promise<void> {
  // example:start
  const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
  const schedule = { kind: "cron", expression: "0 5 * * *", zone: undefined } as const;
  const source = createMemorySource([{ id: "daily", enabled: true, schedule, lastRunAtMs: undefined }]);
  for (const start of ["2026-07-03T12:00:00Z", "2026-07-06T08:00:00Z", "2026-07-06T08:05:00Z"]) {
    world.setClock(Date.parse(start));
    await world.run(async (ports) => {
      const scheduler = createScheduler(ports, { source, zone: "UTC", statePath: "/state.json", dispatch: async () => undefined });
      const report = await scheduler.pass();
      print(`${start} ${JSON.stringify(report.outcome === "passed" ? report.discarded : report.problem)}`);
      for (const { key, reason, outcome } of scheduler.fires()) print(`  ${key} ${reason} ${outcome}`);
    });
  }
  // example:end
}

describe("the README of the scheduler", () => {
  it("shows an example that stands in this file, and the output that it prints", async () => {
    const [, code = ""] = read("readme.test.ts").match(/\/\/ example:start\n([\s\S]*?)^ *\/\/ example:end/m) ?? [];
    expect(page).toContain(`\`\`\`ts\n${code.replace(/^ {2}/gm, "")}\`\`\`\n`);
    await example();
    expect(page).toContain(`\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`);
  });

  it("has every policy in its table, with the reference first and then the other words", () => {
    const rows = Object.entries(POLICY_WORDS).map(([name, words]) => {
      const reference = REFERENCE_POLICIES[name as keyof typeof REFERENCE_POLICIES];
      const others = Object.keys(words).filter((word) => word !== reference);
      return `| \`${name}\` | \`${reference}\` | ${others.map((word) => `\`${word}\``).join(", ")} |`;
    });
    expect([...page.matchAll(/^\| `\w+` \|.*\|$/gm)].map(([row]) => row.replace(/ \|[^|]*\|$/, " |"))).toEqual(rows);
  });
});
