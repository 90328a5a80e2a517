import { describe, expect, it } from "vitest";
import { look } from "../examine/look.fixture.ts";
import { type Fixture, receiptLine, receiptLog, RECEIPT_LINES, withFile } from "../presets/fixtures/index.ts";
import { customPreset } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import type { Tree } from "../tree.ts";
import { readReceiptLog } from "./receipt-log.ts";

const LINES = RECEIPT_LINES.map((line, index) => receiptLine(line, index + 1));
const LOG = receiptLog().registry;
const of = (...lines: readonly string[]) => receiptLog(lines.join(""));
const cut = (line = "") => `${line.slice(0, 60)}\n`;

const told = async (fixture: Fixture) => {
  const { report, exit } = await look(fixture);
  return { exit, rows: report.rows.map(({ verdict, because }) => `${verdict} ${because}`), findings: report.findings };
};

describe("a log of command receipts", () => {
  it("passes with what was read of it, and nothing is due", async () => {
    const { report, exit } = await look(receiptLog());
    expect({ exit, rows: report.rows.map(({ verdict, because }) => `${verdict} ${because}`) }).toEqual({ exit: 0, rows: ["PASS 6 receipts of 3 commands, 1 file"] });
    expect(report.outside).toEqual([{ check: "due, claimed, seen", because: "custom has no registry here, so nothing is known to be due" }]);
  });

  it("is read from its file as well, under any name", async () => {
    expect((await told({ ...receiptLog(), places: [LOG] })).rows).toEqual(["PASS 6 receipts of 3 commands, 1 file"]);
  });

  it("names the line and the byte of what cannot be read, and of the command that it may be about", async () => {
    const { exit, findings } = await told(of(...LINES.slice(0, 5), cut(LINES[5])));
    const [begun, end] = [4, 5].map((count) => LINES.slice(0, count).join("").length);
    expect(exit).toBe(1);
    expect(findings.map(({ guard, where, proof }) => [guard, where, proof.at(-1)])).toEqual([
      ["receipts/state-regression", { path: LOG, line: 5, byteOffset: begun }, `byte ${begun}`],
      ["receipts/damaged", { path: LOG, line: 6, byteOffset: end }, `byte ${end}`],
    ]);
    expect(findings[1]?.message).toBe(`1 of 6 lines cannot be read, up to 0 good ones after them: ${LOG}:6 TRUNCATED`);
  });

  it("does not point at an open command behind which everything can be read", async () => {
    const begun = receiptLine({ key: "a-1", state: "pending", at: "2026-09-02T07:00:00Z" }, 7);
    const { findings } = await told(of(...LINES.slice(0, 5), cut(LINES[5]), begun));
    expect(findings.map(({ guard, where }) => [guard, where?.line])).toEqual([["receipts/state-regression", 5], ["receipts/damaged", 6]]);
  });

  it("warns of damage that is about no open command, and does not fail for it", async () => {
    const { exit, findings } = await told(of("?\n", ...LINES));
    expect([exit, findings.map(({ guard, severity }) => `${severity} ${guard}`)]).toEqual([0, ["warning receipts/damaged"]]);
  });

  it("counts what it does not list", async () => {
    const { findings } = await told(of(...Array.from({ length: 250 }, () => "?\n"), ...LINES));
    expect(findings.find(({ guard }) => guard === "receipts/damaged")?.counts).toMatchObject({ lines: 256, unreadable: 250 });
  });

  it("is read in its newest generation after a repair", async () => {
    const repaired = withFile(of(cut(LINES[0]), ...LINES.slice(1)), `${LOG}.g000003`, LINES.join(""), "");
    expect(await told(withFile(repaired, `${LOG}.g000002`, "?\n", ""))).toMatchObject({ exit: 0, findings: [] });
  });
});

describe("a log that says too little is not run, and passes for nothing", () => {
  it.each([
    ["empty", "", `${LOG} is empty`],
    ["of another shape", '{"id":1}\n{"id":2}\n', `none of the 2 lines of ${LOG} is a receipt in the shape that is known`],
    ["of a newer version", LINES.join("").replaceAll('"schema":1', '"schema":2'), `6 of 6 lines of ${LOG} are of a newer version, and what they say is not known here`],
  ])("%s", async (_, text, because) => {
    expect(await told(receiptLog(text))).toMatchObject({ exit: 3, rows: [`NOT RUN ${because}`] });
  });

  it("refused", async () => {
    const { exit, rows } = await told(withFile(receiptLog(), `${LOG}`, { kind: "file", refuses: "EACCES" }, ""));
    expect({ exit, rows }).toEqual({ exit: 3, rows: [`NOT RUN ${LOG} may not be read by this user (EACCES)`] });
    const only = async (guard: string) => (await look(withFile(receiptLog(), LOG, { kind: "file", refuses: "EACCES" }, ""), { only: [guard] })).exit;
    expect([await only("receipts/gap"), await only("lock/stale")]).toEqual([3, 0]);
  });
});

describe("the words that describe one", () => {
  it.each([
    [{}, "neither --registry nor --receipts says which file it is"],
    [{ receipts: " " }, "--receipts is empty; give the path of the log of receipts"],
    [{ registry: "/jobs.json" }, "--registry needs --schedule <pointer>, such as --schedule /schedule/expr"],
  ])("%j are not enough", (words, why) => {
    expect(customPreset(words)).toEqual({ outcome: "problem", code: "CUSTOM_WORDS_INVALID", message: `CUSTOM_WORDS_INVALID: ${why}.` });
  });
});

describe("a log that changes while it is read", () => {
  const pattern = { glob: LOG, mayTakeMs: 1 };
  /** The sizes that the file has, one for each time that somebody asks. */
  const changing = (text: string, sizes: number[]): Tree => {
    const tree = memoryTree({ [LOG]: text });
    return { ...tree, stat: async (path) => ({ ...(await tree.stat(path)), size: sizes.shift() ?? text.length }) };
  };

  it("is read again when its last line was not there yet", async () => {
    const text = LINES.join("");
    const { log, notRead } = await readReceiptLog(changing(text, [text.length - 40, text.length]), LOG, pattern, {});
    expect([log?.survey.receipts, log?.survey.damage.lines, notRead]).toEqual([6, 0, []]);
  });

  it("is torn when nobody is at work on it", async () => {
    const torn = LINES.join("").slice(0, -40);
    const { log } = await readReceiptLog(memoryTree({ [LOG]: torn }), LOG, pattern, {});
    expect(log?.survey.damage.counts).toEqual({ TORN_TAIL: 1 });
  });

  it("is not run when it is shortened every time", async () => {
    let pauses = 0;
    const sizes = Array.from({ length: 4 }, () => 99_999);
    const { log, notRead } = await readReceiptLog(changing(LINES.join(""), sizes), LOG, pattern, { pause: async () => void (pauses += 1) });
    expect([log, pauses, notRead.map(({ reason, message }) => `${reason}: ${message}`)]).toEqual([
      undefined,
      3,
      [`unstable-input: ${LOG} changed during each of 4 reads; run again when its writer is quiet`],
    ]);
  });
});
