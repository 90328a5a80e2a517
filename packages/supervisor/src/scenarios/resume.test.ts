/** The example of docs/terminal-record.md: a run is resumed from the bytes of a record, and from nothing else. */
import { readFileSync } from "node:fs";
import { findRunner } from "@casebook/sim/node";
import { type RunSpec, resumedSpec } from "@casebook/supervisor";
import { readTerminalRecord } from "@casebook/supervisor/judge";
import { expect, it } from "vitest";
import { playRun, recordsOf, RUN_ID, scenarioCalled } from "./index.ts";

const runner = await findRunner();
const own = readFileSync(new URL("resume.test.ts", import.meta.url), "utf8").replaceAll("\r\n", "\n");
const page = readFileSync(new URL("../../../../docs/terminal-record.md", import.meta.url), "utf8").replaceAll("\r\n", "\n");

// example:start
function resume(earlier: RunSpec, recordText: string): RunSpec {
  const read = readTerminalRecord(JSON.parse(recordText));
  if (read.outcome !== "ok") throw new Error(read.says);
  return resumedSpec(earlier, read.record, `${earlier.id}-again`);
}
// example:end

it("the page of the terminal record shows this function", () => {
  expect(page).toContain("```ts\n" + own.slice(own.indexOf("// example:start\n") + 17, own.indexOf("// example:end")) + "```\n");
});

it("a run that is resumed from a record does what was not finished, and nothing twice", async () => {
  const { spec, faults } = scenarioCalled("tool_hang/three-vendors").world;
  const first = await playRun({ spec, faults: faults ?? [] }, runner);
  const [record] = first.snapshot?.tables.get("records") ?? [];
  const again = resume(spec, JSON.stringify(record));
  const second = await playRun({ spec: again, artefacts: [...(first.snapshot?.artefacts.keys() ?? [])] }, runner);
  const claimed = second.snapshot?.journal.filter(({ reason, outcome }) => reason === "item.claimed" && outcome === "applied").map(({ changes }) => changes[0]?.id);
  expect(claimed?.toSorted()).toEqual(["section-1-2", "section-1-3", "section-1-4", "section-1-5"].map((name) => `${RUN_ID}-again/${name}`));
  expect(recordsOf(`${RUN_ID}-again`, second.snapshot as NonNullable<typeof second.snapshot>).map(({ cause, done }) => [cause, done.length])).toEqual([["completed", 15]]);
});

it.each([
  ["a newer one", { recordVersion: 2 }, "RECORD_VERSION_UNSUPPORTED: the record has version 2 and this reader knows 1. Read it with the program that wrote it; nothing was resumed."],
  ["one that was cut", { done: undefined }, "RECORD_INVALID: this is no terminal record at done: Invalid input: expected array, received undefined. Nothing was resumed."],
  ["one with a field too many", { retry: true }, 'RECORD_INVALID: this is no terminal record: Unrecognized key: "retry". Nothing was resumed.'],
])("nothing is resumed from %s", async (_name, change, says) => {
  const { snapshot } = await playRun(scenarioCalled("none/one-agent").world, runner);
  const text = JSON.stringify({ ...snapshot?.tables.get("records")?.[0], ...change });
  expect(() => resume(scenarioCalled("none/one-agent").world.spec, text)).toThrow(new Error(says));
});
