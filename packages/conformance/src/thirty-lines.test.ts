/** The example in memory, and the same with each of its protections taken out: each turns the rule red that is named for it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inMemory } from "../examples/in-memory.ts";
import type { DispatcherAdapter } from "./index.ts";
import { runConformance } from "./node/index.ts";

const SOURCE = readFileSync(join(import.meta.dirname, "../examples/in-memory.ts"), "utf8");

/** What is taken out, what stands there instead, and the checks that have to fail. */
const PROTECTIONS: readonly [protection: string, find: string, replace: string, fails: readonly string[]][] = [
  ["what is known is not taken again", 'if (known !== undefined) return known.revision === task.revision ? "duplicate" : "conflict";', "", ["F01/dispatch/two-jobs", "C03/answers"]],
  ["another text is a conflict", 'known.revision === task.revision ? "duplicate" : "conflict"', '"duplicate"', ["F01/dispatch/two-jobs", "C06/dispatch/two-jobs"]],
  ["the runtime is asked by key before a start", "const session = await sessions.find(id);", "const session = (await sessions.list()).find((one) => one.id === tasks.get(id)?.view.session);", ["F09/starts", "F10/starts", "F10c/dispatch/guessed-restart"]],
  ["a lost answer is no failure", ".catch(() => undefined)", "", ["F10c/states"]],
  ["a start that nobody heard is made again", 'const missing = ', 'if (tasks.get(id)?.view.state === "running") continue;\n        const missing = ', ["C11/states"]],
  ["what waits for another waits", "!== \"done\"", "=== undefined", ["F08/dispatch/start-without-permit", "F14/dispatch/start-without-permit"]],
  ["a busy agent gets no second session", "other.task.agent === task.agent && ", "false && ", ["F07/dispatch/start-without-permit"]],
  ["one look after the other", "(looking = looking.then(look))", "(looking = look())", ["C04/starts"]],
  ["a failed session is no end that others wait for", '=== "ended" ? "done" : "failed"', '=== "ended" ? "done" : "done"', ["F08/starts", "F10e/states"]],
];

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "conformance-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function without(at: number): Promise<DispatcherAdapter> {
  const [, find, replace] = PROTECTIONS[at] as (typeof PROTECTIONS)[number];
  expect(SOURCE.split(find)).toHaveLength(2);
  const path = join(folder, `without-${at}.ts`);
  writeFileSync(path, SOURCE.replace(find, replace));
  return ((await import(pathToFileURL(path).href)) as { inMemory: DispatcherAdapter }).inMemory;
}

describe("thirty lines in memory", () => {
  it("pass what they declare, and what nobody looked at is said", async () => {
    const { planned, passed, unsupported, notChecked, rules } = await runConformance(inMemory);
    expect({ planned, passed, unsupported, notChecked }).toEqual({ planned: 14, passed: 14, unsupported: 35, notChecked: 14 });
    expect(rules.filter(({ verdict }) => verdict === "not checked").every(({ says = "" }) => says.length > 20)).toBe(true);
  });

  it.each(PROTECTIONS.map(([protection, , , fails], at) => ({ protection, fails, at })))("fail $fails without this: $protection", async ({ fails, at }) => {
    const { rules } = await runConformance(await without(at), { only: [...new Set(fails.map((check) => check.split("/")[0] as string))] });
    const failed = rules.flatMap(({ failures = [] }) => failures.map(({ check }) => check));
    expect(failed).toEqual(expect.arrayContaining([...fails]));
  });
});
