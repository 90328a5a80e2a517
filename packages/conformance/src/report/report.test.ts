import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inMemory } from "../../examples/in-memory.ts";
import { type ConformanceReport, exitCodeOf, failureText, reportMarkdown, reportText } from "../index.ts";
import { replayConformance, runConformance } from "../node/index.ts";
import { readReport } from "./read-report.ts";
import { reportJsonSchema } from "./report-schema.ts";

/** Asks the runtime by a key that changes with every look, so that it finds nothing. */
const forgetful = {
  ...inMemory,
  name: "forgetful",
  create: (ports: Parameters<typeof inMemory.create>[0]) => inMemory.create({ ...ports, sessions: { ...ports.sessions, find: async () => undefined } }),
};

describe("a report", () => {
  it("says first what it is not, and lists what nobody looked at", async () => {
    const text = reportMarkdown(await runConformance(inMemory, { only: ["C05", "F09", "F12"] }));
    expect(text).toBe(`# in-memory 1.0.0

planned 1, passed 1, failed 0, not run 0; outside of that: unsupported 1, not checked 1

1 scenario is a floor and no certificate: few tasks, one fault at a time, schedules by sample.

Declares: after, one-per-agent, concurrent-calls. Rules: C05, F09, F12. Seed 1, the budget as written.

| rule | level | | sentence | seen |
| --- | --- | --- | --- | --- |
| C05 | required | unsupported | Two dispatchers over one disk start nothing twice. | it does not declare durable, many-dispatchers |
| F09 | required | PASS | A crash at any step, between intent and session too, starts nothing twice and leaves nothing out. | 76 executions, 37 places of the fault |
| F12 | not-checked | not checked | A missing tool is NOT RUN. | its subject is the reporter of a test suite, and no dispatcher |
`);
  });

  it("comes back as it was, and not when its counts were made prettier", async () => {
    const report = await runConformance(forgetful, { only: ["F10", "F12"] });
    expect(await readReport(JSON.stringify(report))).toEqual({ outcome: "report", report: JSON.parse(JSON.stringify(report)) as ConformanceReport });
    expect(await readReport(JSON.stringify({ ...report, failed: 0, passed: 1 }))).toMatchObject({ outcome: "unusable", says: "REPORT_INVALID: passed: says 1, but the rules hold 0. Read it with the version that wrote it." });
    expect(await readReport("{")).toMatchObject({ code: "REPORT_NOT_JSON" });
  });

  it("has a published schema, which is the one that it is read with", () => {
    const path = join(import.meta.dirname, "../../schema/conformance-report.schema.json");
    const text = `${JSON.stringify(reportJsonSchema(), undefined, 2)}\n`;
    if (process.env["CASEBOOK_WRITE_SCHEMA"] === "1") writeFileSync(path, text);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("is no verdict when nothing was planned", async () => {
    expect(exitCodeOf(await runConformance(inMemory, { only: ["F12"] }))).toBe(3);
  });
});

describe("a report for a terminal", () => {
  it("names the rules that failed before it shows any of them, and none where none did", async () => {
    const lines = async (adapter: typeof inMemory) => reportText(await runConformance(adapter, { only: ["C03", "F07", "F10"] })).split("\n");
    expect((await lines(forgetful)).slice(0, 4)).toEqual([
      "forgetful 1.0.0: planned 3, passed 0, failed 3, not run 0",
      "outside of that: unsupported 0, not checked 0",
      "3 scenarios are a floor and no certificate: few tasks, one fault at a time, schedules by sample.",
      "failed: C03, F07, F10",
    ]);
    expect(await lines(inMemory)).toHaveLength(3);
  });
});

describe("what an adapter calls itself and throws", () => {
  const loud = (text: string, name = "loud"): typeof inMemory => ({ ...inMemory, name, create: () => ({ submit: () => Promise.reject(new Error(text)), observe: () => [] }) });

  it("takes one line, and ends no block and no row of a table", async () => {
    const report = await runConformance(loud("boom\n```\n# all passed\u001B[2J |", "loud\n# all passed"), { only: ["C01"] });
    for (const text of [reportText(report), reportMarkdown(report)]) {
      expect(text.split("\n").filter((line) => line.startsWith("# all passed"))).toEqual([]);
      expect(text).toContain("\n  seen    submit rejected with boom ``` # all passed\\u{1b}[2J |\n");
      expect(text).not.toContain("\u001B");
    }
    expect(reportText(report).split("\n")[0]).toBe("loud # all passed 1.0.0: planned 1, passed 0, failed 1, not run 0");
    expect(reportMarkdown(report).split("\n")[0]).toBe("# loud # all passed 1.0.0");
  });

  it("is cut where nobody would read on", async () => {
    const report = await runConformance(loud("x".repeat(100_000)), { only: ["C01"] });
    for (const text of [reportText(report), reportMarkdown(report)]) expect(text).toContain(`  seen    submit rejected with ${"x".repeat(478)}…\n`);
  });
});

describe("a failure", () => {
  it("says the sentence, what was seen, where it parts, how to see it again, and which case shows it", async () => {
    const { rules } = await runConformance(forgetful, { only: ["F10"] });
    const starts = rules[0]?.failures?.find(({ check }) => check === "F10/starts");
    const text = failureText(starts as NonNullable<typeof starts>);
    expect(text).toMatchInlineSnapshot(`
      "F10/starts: A crash after the start and before its answer is no reason to start again.
        seen    TASK-1 was started 12 times, and 1 would be right
        under   no fault
        parts   at step 11
        step  dispatcher-1@desk  client
              │                  │                  - time moves to 1,000 ms
           1  │                  ●                  clock.wake
           2  │                  ●                  network.send to dispatcher-1 = {"kit":"submit","at":0}
           3  ●◀─────────────────┤                  network.deliver from client, sent at 2 = {"kit":"submit…
           4  ●                  │                  network.receive = client: {"kit":"submit","at":0}
           5  ●                  │                  network.answer to client = {"answer":"accepted"}
           6  ├─────────────────▶●                  network.deliver from dispatcher-1, sent at 5 = {"answer…
              │                  │                  - time moves to 10,000 ms
           7  ●                  │                  clock.wake
           8  ●                  │                  sessions.start = TASK-1 started session-0001
           9  ●                  │                  faults.reach sessions.started
              │                  │                  - time moves to 20,000 ms
          10  ●                  │                  clock.wake
          11  ●                  │                  sessions.start = TASK-1 started session-0002
        replay  casebook-1.conformance:F10.1....61f6742762b808da.0b97dcd6
        case    016: casebook explain 016
      "
    `);
  });

  it("shows the steps of an execution once in a rule, in a terminal and for people", async () => {
    const report = await runConformance(forgetful, { only: ["F10", "F10c"] });
    const [failures = [], others = []] = report.rules.map((rule) => rule.failures);
    // Under one line at least two checks fail, and each rule has a line of its own.
    expect(failures.map(({ check, replay }) => [check, replay === failures[0]?.replay])).toEqual([["F10/starts", true], ["F10/dispatch/guessed-restart", true]]);
    const drawn = (text: string): number => text.split("step  dispatcher-1@desk").length - 1;
    const lines = new Set([...failures, ...others].map(({ replay }) => replay)).size;
    for (const text of [reportText(report), reportMarkdown(report)]) {
      expect(drawn(text)).toBe(lines);
      expect(text).toContain(`  steps   those of F10/starts, above\n  replay  ${failures[0]?.replay}\n`);
    }
    // What is handed over as data is whole.
    expect(failures.every(({ diagram }) => diagram !== "")).toBe(true);
  });

  it("is seen again from its line, and not by a dispatcher that does not have it", async () => {
    const { rules } = await runConformance(forgetful, { only: ["F10"] });
    const line = rules[0]?.failures?.[0]?.replay ?? "";
    const again = await replayConformance(forgetful, line);
    expect(again.outcome === "fails" && again.failures.map(({ check }) => check)).toContain("F10/starts");
    expect(await replayConformance(inMemory, line)).toMatchObject({ outcome: "not-run" });
    expect(await replayConformance(forgetful, line.slice(0, -3))).toMatchObject({ outcome: "not-run", says: expect.stringContaining("TOKEN_") as string });
  });
});
