/** A receipt log over JSON lines: the example in Python as the README.md shows it, and the same with each of its protections taken out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodeOf, reportText } from "../../index.ts";
import { replayReceiptProgramConformance, runReceiptProgramConformance } from "../index.ts";
import { EXAMPLES, failedChecks, program, python } from "./program.fixture.ts";

const README = readFileSync(join(EXAMPLES, "../README.md"), "utf8");

/** What is taken out, what stands there instead, and the checks that have to fail. */
const PROTECTIONS: readonly (readonly [protection: string, find: string, replace: string, fails: readonly string[]])[] = [
  ["the newest record of a key is its state", 'elif json.loads(body)["key"] == key:', 'elif state is None and json.loads(body)["key"] == key:', ["RC06/kept"]],
  ["a torn tail is not glued", 'begin = "" if text == "" or text.endswith("\\n") else "\\n"', 'begin = ""', ["RC10/after-stands", "RC10b/after-stands", "RC10c/after-stands"]],
  ["a checksum is compared", 'checksum != "%08x" % zlib.crc32(body.encode())', 'not body.endswith("}")', ["RC01b/contract"]],
  ["damage is no absence", "is_damaged = True", "continue", ["RC01/no-old-state", "RC02/not-absent"]],
  ["what is not kept is not acknowledged", '    ask("disk.append", path=LOG', '    return {"outcome": "acknowledged"}\n    ask("disk.append", path=LOG', ["RC06/kept"]],
];

describe("the receipt log in Python", () => {
  it("passes what it declares, and is shown in the README.md with what is printed", { timeout: 480_000 }, async (context) => {
    const report = await runReceiptProgramConformance(await python(context, "receipt_lines.py"), { share: 0.1 });
    expect(README).toContain(`\`\`\`python receipt-lines\n${readFileSync(join(EXAMPLES, "receipt_lines.py"), "utf8")}\`\`\``);
    expect(README).toContain(`\`\`\`text receipts-judged\n${reportText(report)}\n\`\`\``);
    expect(exitCodeOf(report)).toBe(0);
  });

  it.for(PROTECTIONS)("fails by name without this: %s", { timeout: 240_000 }, async ([, find, replace, fails], context) => {
    const only = fails.map((check) => check.split("/")[0] as string);
    expect(failedChecks(await runReceiptProgramConformance(await python(context, "receipt_lines.py", find, replace), { only, share: 0.1 }))).toEqual(fails);
  });

  // What is lost with the power is a choice, and needs more than the one schedule of a tenth of the budget.
  it("fails by name without this: a record is synced before it is acknowledged", { timeout: 480_000 }, async (context) => {
    const unsynced = await python(context, "receipt_lines.py", 'ask("disk.sync", path=LOG)', "pass");
    expect(failedChecks(await runReceiptProgramConformance(unsynced, { only: ["RC06b"] }))).toEqual(["RC06b/kept"]);
  });

  it("shows its failure again from one line", async (context) => {
    const glued = await python(context, "receipt_lines.py", 'else "\\n"', 'else ""');
    const { rules } = await runReceiptProgramConformance(glued, { only: ["RC10"], share: 0.1 });
    const again = await replayReceiptProgramConformance(glued, rules[0]?.failures?.[0]?.replay ?? "");
    expect(again.outcome === "fails" && again.failures.map(({ seen }) => seen)).toEqual(rules[0]?.failures?.map(({ seen }) => seen));
  });
});

describe("a receipt log that", () => {
  it.each([
    ["answers everything with ok", 'return write({ return: "ok" });', 'append answered "ok". Answer { outcome: "acknowledged" | "refused", number? }'],
    ["asks for sessions", 'if (call.do === "append") return write({ ask: "sessions.list" }); if (call.error) return write({ throw: call.says });', "append rejected with there is no sessions.list; there are disk.read, "],
  ])("%s has no green report", async (_what, act, says) => {
    const report = await runReceiptProgramConformance(program(act, { kind: "receipt-log" }), { only: ["RC06"] });
    expect(exitCodeOf(report)).toBe(1);
    expect(report.rules[0]?.failures?.[0]?.seen.slice(0, says.length)).toBe(says);
  });
});
