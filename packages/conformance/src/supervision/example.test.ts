/** The example, and the same with each of its protections taken out: each turns the rule red that is named for it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oneAgent } from "../../examples/supervisor.ts";
import { exitCodeOf, reportText, type SupervisorAdapter } from "../index.ts";
import { replaySupervisorConformance, runSupervisorConformance } from "../node/index.ts";

const README = join(import.meta.dirname, "../../README.md");
const SOURCE = readFileSync(join(import.meta.dirname, "../../examples/supervisor.ts"), "utf8");

/** What is taken out, what stands there instead, and the check that has to fail. */
const PROTECTIONS: readonly [protection: string, find: string, replace: string, fails: string][] = [
  ["the end holds only while the run runs", 'id, when: { state: "running" } }', "id, when: {} }", "S01e/supervision/one-terminal-record"],
  ["a successor ends what nobody ended", "clock.sleep(run.deadlineAtMs + GRACE_MS - clock.now());\n      await end(", "clock.sleep(1);\n      void (", "S01/supervision/one-terminal-record"],
  ["an answer that does not come is not waited for", ", clock.sleep(CALL_MS)]).catch", "]).catch", "S01d/contract"],
  ["the agent is told before the ledger is asked", 'await tellAgent(run);\n      await end(ports, run, "deadline");', 'await end(ports, run, "deadline");\n      await tellAgent(run);', "S09/supervision/tells-agents-first"],
  ["the agent listens, and has a clock of its own", "Promise.race([tool.call(name), stopped])", "tool.call(name)", "S02/supervision/no-descendant-executing"],
  ["an agent that hears nothing stops by its own clock", "Promise.race([messages.receive(), clock.sleep(run.deadlineAtMs + GRACE_MS / 2 - clock.now())])", "messages.receive()", "S02e/supervision/no-descendant-executing"],
  ["what is not done is given back with the end", 'status === "done" ? status : "dropped"', "status", "S03/supervision/nothing-held"],
  ["the artefact is there before its item is done", "if (!(await move(name, \"claimed\", { status: \"done\", artefact }))) return;", "", "S07/supervision/finishes-what-can-be-finished"],
  ["the end counts the items as they stand", "table: \"items\", id, when: { status }, set: { status: status === \"done\"", "table: \"items\", id, when: {}, set: { status: status === \"done\"", "S05c/supervision/refuses-late-writes"],
  ["an end that an item came before is tried again", 'throw new Error("an item was moved: look again")', "return", "S05c/supervision/says-why"],
  ["the reason is the one that was given", 'await end(ports, run, "cancelled_by_operator");', 'await end(ports, run, "deadline");', "S08d/supervision/says-why"],
];

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "conformance-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function changed(name: string, find: string, replace: string): Promise<SupervisorAdapter> {
  expect(SOURCE.split(find)).toHaveLength(2);
  const path = join(folder, `${name}.ts`);
  writeFileSync(path, SOURCE.replace(find, replace));
  return ((await import(pathToFileURL(path).href)) as { oneAgent: SupervisorAdapter }).oneAgent;
}

describe("a supervisor of one agent", () => {
  it("passes what it declares, and prints what the README shows", async () => {
    const report = await runSupervisorConformance(oneAgent);
    const printed = `${reportText(report)}\n`;
    const page = readFileSync(README, "utf8");
    if (process.env["CASEBOOK_WRITE_README"] === "1") writeFileSync(README, page.replace(/(```text supervisor-judged\n)[^]*?(```)/, (_all, open, close) => `${open}${printed}${close}`));
    expect(/```text supervisor-judged\n([^]*?)```/.exec(readFileSync(README, "utf8"))?.[1]).toBe(printed);
    expect(exitCodeOf(report)).toBe(0);
  });

  it.each(PROTECTIONS)("fails without this: %s", async (_protection, find, replace, fails) => {
    const rule = fails.split("/")[0] as string;
    const { rules } = await runSupervisorConformance(await changed(fails.replaceAll("/", "-"), find, replace), { only: [rule] });
    expect(rules[0]?.failures?.map(({ check }) => check)).toContain(fails);
  });

  it("puts its artefact before it calls an item done, and fails where it is the other way round", async () => {
    const put = "await insist(ports, run.deadlineAtMs, () => artefacts.put(artefact, result).then(() => true));";
    const done = 'if (!(await move(name, "claimed", { status: "done", artefact }))) return;';
    const { rules } = await runSupervisorConformance(await changed("done-first", `${put}\n        ${done}`, `${done}\n        ${put}`), { only: ["S05b"] });
    expect(rules[0]?.failures?.map(({ check, seen }) => [check, seen])).toEqual([["S05b/supervision/items-terminal", "0 of 3 items are not terminal, 1 are done without an artefact: part-1 is done without an artefact"]]);
  });

  it("shows its failure again from one line, with the step at which it parts from what the rule allows", async () => {
    const adapter = await changed("again", 'id, when: { state: "running" } }', "id, when: {} }");
    const { rules } = await runSupervisorConformance(adapter, { only: ["S01e"] });
    const [failure] = rules[0]?.failures ?? [];
    const again = await replaySupervisorConformance(adapter, failure?.replay ?? "");
    expect(again.outcome === "fails" && again.failures.map(({ seen, partsAtStep }) => [seen, partsAtStep])).toEqual([[failure?.seen, failure?.partsAtStep]]);
    expect(failure?.partsAtStep).toBeGreaterThan(0);
    expect(await replaySupervisorConformance(oneAgent, failure?.replay ?? "")).toEqual({ outcome: "not-run", says: expect.stringContaining("stale-token: ") as string });
  });
});
