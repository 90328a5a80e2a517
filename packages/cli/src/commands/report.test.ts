/** `casebook report`, on an invented machine. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readCatalog } from "../catalog/catalog.ts";
import { caseFile } from "../catalog/schema.ts";
import { commandLine } from "../command-line.ts";
import { DOCUMENTS } from "../documents.ts";
import { contradiction } from "../outside/contradiction.ts";
import { entryOf, formAddress, MAX_ADDRESS_LENGTH, type OutsideReport, renderBlock } from "../outside/render-report.ts";
import { ROOT } from "../root.ts";
import { VERSION } from "../version.ts";
import { type Machine, report, type ReportOptions } from "./report.ts";
import { run } from "./run.ts";

const MACHINE: Machine = {
  nowMs: Date.parse("2026-11-29T23:59:59Z"),
  system: "Linux 6.8.0 x64",
  runtime: "Node 20.19.0",
  person: { homes: ["/home/ann"], users: ["ann"], hosts: ["ann-laptop"] },
  repository: "https://example.org/casebook",
};
const reportOn = (machine: Partial<Machine>, options: Partial<ReportOptions> = {}) =>
  report({ repro: "001", outcome: "reproduced", note: undefined, json: false, ...options }, { ...MACHINE, ...machine });
const documentOf = async (options: Partial<ReportOptions>, machine: Partial<Machine> = {}) =>
  DOCUMENTS.report.parse(JSON.parse((await reportOn(machine, { ...options, json: true })).text));
const plainRun = async (id: string) => (await run([id], { all: false, twice: false, json: false })).text;

describe("the report", () => {
  it("says who ran which bytes where, when, what it printed word for word, and the trace of each mode", async () => {
    const repro = readFileSync(join(ROOT, "incidents/001-one-bad-entry-kills-the-scheduler/repro.ts"));
    const { block } = await documentOf({ note: "as on the page" });
    const [head = "", ran = "", traces = "", note = ""] = block.split(/```(?:text)?\n/).filter((part) => part !== "\n");
    expect(head).toBe(
      [
        "### Case 001: reproduced",
        "",
        "| fact | value |",
        "| --- | --- |",
        "| case | 001 One bad entry kills the whole scheduler registry |",
        "| outcome, as stated | reproduced |",
        "| the run said | OK |",
        `| casebook | ${VERSION} |`,
        "| system | Linux 6.8.0 x64 |",
        "| runtime | Node 20.19.0 |",
        `| code | repro.ts sha-256 ${createHash("sha256").update(repro).digest("hex")} |`,
        "| day (UTC) | 2026-11-29 |",
        "",
        "",
      ].join("\n"),
    );
    expect(ran).toBe(await plainRun("001"));
    expect(traces).toMatch(/^(?:trace [0-9a-f]{16} {2}mode=(?:all-or-nothing|quarantine|healthy)\n){3}$/);
    expect(note).toBe("\n> as on the page\n");
  });

  it("is the same for two people who ran the same bytes", async () => {
    expect((await reportOn({})).text).toBe((await reportOn({})).text);
  });

  it("goes with an entry that case.json takes as soon as name and address are filled in, and not before", async () => {
    const { entry } = await documentOf({});
    const data = JSON.parse(readFileSync(join(ROOT, "template/case.json"), "utf8")) as object;
    const accepted = (change: object) => caseFile.safeParse({ ...data, reproductions: [{ ...entry, ...change }] }).success;
    expect(accepted({ by: "somebody", link: "https://example.org/1" })).toBe(true);
    expect([accepted({}), accepted({ by: "somebody" }), accepted({ link: "https://example.org/1" })]).toEqual([false, false, false]);
    expect(entry["counters"]).toEqual((await plainRun("001")).split("\n").slice(0, 3));
  });

  it("tells nothing of the person or the machine, also in the note", async () => {
    const { text } = await reportOn({ system: "Linux 6.8.0-ann-laptop x64" }, { note: "ann saw it in /home/ann/.claude on ann-laptop\n/home/bob/x" });
    expect(text).toContain("> <user> saw it in ~/.claude on <host>\n> /home/…/x\n");
    expect(text).not.toMatch(/\bann\b|laptop|bob/);
  });

  it("points out on stderr what looks private in the note and is nobody's name", async () => {
    const { aside } = await reportOn({}, { note: "fine\nask bob@mail.example.org" });
    expect(aside).toBe('casebook: note:2: mail address "bob@mail.exa…". Replace it with an invented one.\n');
  });

  it("keeps the counters of a run that is as on the page, also when somebody is called like a word in them", async () => {
    const { block } = await documentOf({}, { person: { homes: ["/home/alarm"], users: ["alarm", "mode"], hosts: ["none"] } });
    expect(block).toContain(await plainRun("001"));
  });

  it("plays nothing when nothing was run, and says so", async () => {
    const { block, entry, verdict } = await documentOf({ outcome: "not run", note: "npm could not install it" });
    expect([verdict, entry["counters"]]).toEqual([undefined, []]);
    expect(block).toContain("| the run said | nothing was played |\n");
    expect(block).not.toContain("```");
  });
});

describe("an outcome that the run contradicts", () => {
  it("is reported as it was stated, with what the run said beside it and on stderr, and decides nothing", async () => {
    const answer = await reportOn({}, { outcome: "not reproduced" });
    const said = 'stated is "not reproduced", and the run showed the mechanism (OK). Both stand in the report; say in --note how they go together.';
    expect([answer.aside, answer.exitCode]).toEqual([`casebook: ${said}\n`, 0]);
    expect(answer.text).toContain(`| outcome, as stated | not reproduced |\n| the run said | OK |\n| to be explained | ${said} |\n`);
    expect((await documentOf({ outcome: "not reproduced" })).contradiction).toBe(said);
  });

  it.each([
    ["reproduced", { OK: false, FAIL: true, "NOT RUN": true }],
    ["not reproduced", { OK: true, FAIL: false, "NOT RUN": true }],
    ["partial", { OK: false, FAIL: false, "NOT RUN": true }],
    ["not run", { OK: true, FAIL: true, "NOT RUN": false }],
  ] as const)("%s: %j", (outcome, contradicted) => {
    for (const verdict of ["OK", "FAIL", "NOT RUN"] as const) expect([verdict, contradiction(outcome, verdict) !== undefined]).toEqual([verdict, contradicted[verdict]]);
    expect(contradiction(outcome, undefined)).toBeUndefined();
  });
});

describe("the address of the form", () => {
  const reportOf = (text: string): OutsideReport => ({
    item: { number: "001", title: "a | title" },
    outcome: "not reproduced",
    run: { verdict: "FAIL", text, counters: [], traces: [] },
    contradiction: undefined,
    version: "0.1.0",
    system: "Linux 6.8.0 x64",
    runtime: "Node 20.19.0",
    code: "repro.ts sha-256 0",
    day: "2026-11-29",
    note: undefined,
  });
  const fieldsOf = (address: string) => Object.fromEntries(new URL(address, "https://example.org/").searchParams);

  it("fills in text fields that the form has, and none of its dropdowns", () => {
    const form = parse(readFileSync(join(ROOT, ".github/ISSUE_TEMPLATE/reproduction.yml"), "utf8")) as { body: { id?: string; type: string }[] };
    const { template, title, ...fields } = fieldsOf(formAddress(reportOf("x"), "the block", MACHINE.repository).address);
    expect([template, title]).toEqual(["reproduction.yml", "Case 001: not reproduced"]);
    const textFields = form.body.filter(({ type }) => type === "input" || type === "textarea").map(({ id }) => id);
    expect(Object.keys(fields)).toEqual(textFields);
    expect(fields).toEqual({ version: "0.1.0", system: "Linux 6.8.0 x64", runtime: "Node 20.19.0", day: "2026-11-29", report: "the block" });
  });

  it("leaves the report out, and nothing else, when it would be longer than servers take", () => {
    const long = formAddress(reportOf("x"), "\u00e4".repeat(400), MACHINE.repository);
    expect(long.holdsReport).toBe(false);
    expect(long.address.length).toBeLessThanOrEqual(MAX_ADDRESS_LENGTH);
    expect(Object.keys(fieldsOf(long.address))).toEqual(["template", "title", "version", "system", "runtime", "day"]);
    expect(formAddress(reportOf("x"), "\u00e4".repeat(250), MACHINE.repository).holdsReport).toBe(true);
  });

  it("says when it is relative, and when the report has to be pasted", async () => {
    const { text } = await reportOn({ repository: undefined }, { note: "long ".repeat(300) });
    expect(text).toContain(
      "\nissues/new?template=reproduction.yml&title=Case+001%3A+reproduced&version=" +
        `${VERSION}&system=Linux+6.8.0+x64&runtime=Node+20.19.0&day=2026-11-29\n` +
        "The address is relative: open it under that of the repository you found casebook in.\n" +
        "The report is too long for an address (2000 characters): paste the block above into the form.\n",
    );
    expect((await reportOn({}, { outcome: "not run" })).text).toContain("\nhttps://example.org/casebook/issues/new?template=");
  });

  it("and the block hold what a scene printed, whatever that is", () => {
    const block = renderBlock(reportOf("```\n| x |\n"));
    expect(block).toContain("````text\n```\n| x |\n````");
    expect(block).toContain(String.raw`| case | 001 a \| title |`);
    expect(entryOf(reportOf("x")).counters).toEqual([]);
  });
});

describe("wrong words for a report", () => {
  it.each([
    [["--repro", "999", "--outcome", "reproduced"], 'no case "999". Known: '],
    [["--repro", "1", "--outcome", "reproduced"], 'no case "1". Did you mean 001? Known: '],
    [["--repro", "001", "--outcome", "not-reproduced"], '--outcome knows "reproduced", "not reproduced", "partial", "not run", not "not-reproduced". Did you mean "not reproduced"?'],
    [["--repro", "001", "--outcome", "failed"], '--outcome knows "reproduced", "not reproduced", "partial", "not run", not "failed".'],
    [["--repro", "001", "--outcome", "partial", "--note", " "], "--note is empty. Say something, or leave it out."],
    [["--repro", "001", "--outcome", "partial", "--note", "x".repeat(2_001)], "--note has 2001 characters, and a report takes 2000. Shorten it, and tell the rest in the form."],
    [["--repro", "001"], '--outcome is missing, and nobody but you can state it: "reproduced", "not reproduced", "partial", "not run".'],
  ])("%j: exit 2, what was meant, and nothing runs", async (words, said) => {
    const { exitCode, stdout, stderr } = await commandLine(["report", ...words]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr.startsWith(`casebook: ${said}`), stderr).toBe(true);
    expect(stderr).toContain("Nothing was run.");
  });

  it("include a planned case, where one is left", async () => {
    const { planned } = await readCatalog(ROOT);
    for (const { number } of planned) {
      const { exitCode, stderr } = await commandLine(["report", "--repro", number, "--outcome", "reproduced"]);
      expect([exitCode, stderr.startsWith(`casebook: case ${number} is planned (`)]).toEqual([2, true]);
    }
    const { exitCode, stderr } = await commandLine(["report", "--repro", "999", "--outcome", "reproduced"]);
    expect([exitCode, stderr.includes('no case "999"')]).toEqual([2, true]);
  });
});
