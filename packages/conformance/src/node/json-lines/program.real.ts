/** Programs over JSON lines: the example in Python, the lines of the README.md, and programs that talk, die, hang or lie. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { type ConformanceReport, exitCodeOf, reportMarkdown } from "../../index.ts";
import { runProgramConformance } from "../index.ts";
import { type Program, startChild } from "./child.ts";

const EXAMPLE = join(import.meta.dirname, "../../../examples/json_lines.py");
const folder = mkdtempSync(join(tmpdir(), "conformance-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;
/** `act` sees `call` and answers a line; what it does not answer is answered with null. */
function program(act: string, capabilities: readonly string[] = []): Program {
  const path = join(folder, `program-${(written += 1)}.mjs`);
  writeFileSync(
    path,
    `import { createInterface } from "node:readline";
const write = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
createInterface({ input: process.stdin }).on("line", async (text) => {
  const call = JSON.parse(text);
  if (call.do === "hello") return write({ return: { name: "lines", version: "1.0.0", capabilities: ${JSON.stringify(capabilities)} } });
  ${act}
  write({ return: null });
});`,
  );
  return { command: process.execPath, args: [path], silenceMs: 2_000 };
}

const first = ({ rules }: ConformanceReport): string => `${rules[0]?.number} ${rules[0]?.verdict}: ${rules[0]?.failures?.[0]?.seen ?? rules[0]?.says}`.replaceAll(process.execPath, "node");

async function python(context: TestContext): Promise<Program> {
  const found: Program = { command: "python3", args: [EXAMPLE] };
  const child = startChild(found, () => undefined);
  await child.exchange({ call: 0, do: "hello" }).catch((failure: Error) => context.skip(`NOT RUN (missing-dependency): ${failure.message}`));
  child.kill();
  return found;
}

describe("the example in Python", () => {
  it("passes what it declares, and the report says what was out of the kit's hands", { timeout: 240_000 }, async (context) => {
    const report = await runProgramConformance(await python(context), { share: 0.1 });
    expect(report.rules.flatMap(({ failures = [] }) => failures.map(({ check, seen }) => [check, seen]))).toEqual([]);
    expect([report.planned, report.passed, report.unsupported, report.notChecked]).toEqual([18, 18, 22, 11]);
    expect(reportMarkdown(report)).toContain("what the program does between two calls was not, so a failure may not play again.");
  });

  it("fails by name when it starts without asking", async (context) => {
    const { command } = await python(context);
    const path = join(folder, "careless.py");
    writeFileSync(path, readFileSync(EXAMPLE, "utf8").replace('session = ask("sessions.find", key=key)', "session = None"));
    const report = await runProgramConformance({ command, args: [path] }, { only: ["F10"], share: 0.1 });
    expect(report.rules[0]?.failures?.map(({ check }) => check)).toEqual(expect.arrayContaining(["F10/starts", "F10/dispatch/guessed-restart"]));
  });
});

describe("a program that", () => {
  it.each<readonly [what: string, program: Program, says: string]>([
    ["prints to standard output", program('if (call.do === "tick") process.stdout.write("looking for work\\n");'), 'C01 FAIL: tick rejected with ADAPTER_CHILD_TALKS: node printed "looking for work" on standard output, which is no JSON. Print what is meant for people to standard error.'],
    ["dies in the middle", program('if (call.do === "submit") { process.stderr.write("out of paper\\n"); process.exit(7); }'), "C01 FAIL: submit rejected with ADAPTER_CHILD_EXITED: node ended in the middle (exit code 7). It said: out of paper. Keep it running until standard input ends."],
    ["never answers", program('if (call.do === "submit") return;'), "C01 FAIL: submit rejected with ADAPTER_CHILD_SILENT: node wrote no line for 2 s. Flush standard output after each line, and answer every line."],
    ["answers everything with ok", program('return write({ return: "ok" });'), "C01 FAIL: submit answered \"ok\". Answer one of accepted, duplicate, conflict, rejected"],
    ["asks for what there is not", program('if (call.do === "submit") return write({ return: "accepted" }); if (call.do === "observe") return write({ return: [] }); if (call.do === "tick") return write({ ask: "disk.format" }); if (call.error) return write({ throw: call.says });'), "C01 FAIL: tick rejected with there is no disk.format; there are "],
  ])("%s has no green report", async (_what, bad, says) => {
    const report = await runProgramConformance(bad, { only: ["C01"] });
    expect([report.passed, exitCodeOf(report)]).toEqual([0, 1]);
    expect(first(report).slice(0, says.length)).toBe(says);
  });

  it("answers what it is told has no green report", async () => {
    const report = await runProgramConformance(program('if (call.do === "submit") return write({ return: "accepted" }); if (call.do === "observe") return write({ return: [] }); if (call.do === "tell") return write({ return: call.notice.kind });', ["holds"]), { only: ["F16"] });
    expect([first(report), exitCodeOf(report)]).toEqual(['F16 FAIL: tell answered "hold". Answer nothing: what came of it is in the list', 1]);
  });

  it("is not there has no verdict, in every rule", async () => {
    const report = await runProgramConformance({ command: "no-such-program", args: [] });
    expect([report.planned, report.notRun, exitCodeOf(report)]).toEqual([40, 40, 3]);
    expect(first(report)).toBe("C01 NOT RUN: ADAPTER_CHILD_MISSING: no-such-program could not be started: ENOENT. Install it, or name another command.");
  });

  it("says nothing of itself, or promises two calls at once, has no verdict", async () => {
    const silent = program("").args[0] as string;
    writeFileSync(silent, readFileSync(silent, "utf8").replace(/return write\(\{ return: \{ name.*\n/, "return write({ return: {} });\n"));
    expect(first(await runProgramConformance({ command: process.execPath, args: [silent] }))).toBe("C01 NOT RUN: ADAPTER_INVALID: it has no name. Reports and replays carry it.");
    expect(first(await runProgramConformance(program("", ["concurrent-calls"])))).toBe("C01 NOT RUN: ADAPTER_INVALID: over JSON lines there is one call at a time. Do not declare concurrent-calls.");
  });
});

describe("the README.md", () => {
  it("shows the lines that the kit writes", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
    const shown = /```text lines\n([^]*?)```/.exec(page)?.[1] ?? "";
    const kit = shown.split("\n").filter((line) => line.startsWith("kit      ")).map((line) => JSON.parse(line.slice("kit      ".length)) as Record<string, unknown>);
    const heard = join(folder, "heard.jsonl");
    await runProgramConformance(
      program(`
  const { appendFileSync } = await import("node:fs");
  appendFileSync(${JSON.stringify(heard)}, text + "\\n");
  if (call.do === "create") return write({ ask: "disk.read", path: "/tasks.json" });
  if (call.do === "submit") return write({ return: "accepted" });
  if (call.do === "observe") return write({ return: [] });`),
      { only: ["C01"], share: 0.1 },
    );
    const lines = readFileSync(heard, "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Record<string, unknown>);
    const keys = (one: Record<string, unknown> | undefined): string[] => Object.keys(one ?? {});
    const like = (wanted: Record<string, unknown>) => lines.find((line) => line["do"] === wanted["do"] && ("answer" in wanted) === ("answer" in line));
    for (const wanted of kit.slice(1)) expect(keys(like(wanted))).toEqual(keys(wanted));
  });
});
