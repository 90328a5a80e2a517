/** The export of a supervisor's ledger: as the supervisor itself left it, well and known to be bad, and as it may be found. */
import { journalText } from "@casebook/supervisor/judge";
import { REFERENCE_POLICIES, type SupervisorPolicies } from "@casebook/supervisor";
import { playRun, scenarioCalled } from "@casebook/supervisor/scenarios";
import { describe, expect, it } from "vitest";
import { look, type Looked } from "../examine/look.fixture.ts";
import { writeHuman } from "../report/human.ts";
import { FIXTURE_NOW_MS, ledgerLines, LEDGER_STEPS, type LedgerStep, NIGHT, nightRecord, runLedger, withFile, writtenAt } from "../presets/fixtures/index.ts";

const ledger = runLedger();
const said = ({ report }: Looked) => report.rows.filter(({ verdict }) => verdict !== "PASS").map(({ verdict, subject, because, reason }) => [verdict, subject, because, reason].filter((one) => one !== undefined).join(" | "));
const more = (...rows: LedgerStep["rows"]) => look(runLedger([...NIGHT, { at: "2026-09-02T07:58:00Z", reason: "test", rows }]));
const withText = (text: string) => look(runLedger(NIGHT, text));

const runRowOf = (state: string) => ({ ...LEDGER_STEPS.begun.rows[0][2], state, cause: "cancelled_by_operator" });

async function played(scenario: string, policies: Partial<SupervisorPolicies> = {}) {
  const { world } = scenarioCalled(scenario);
  const { snapshot } = await playRun({ ...world, settings: { ...world.settings, policies: { ...REFERENCE_POLICIES, ...policies } } });
  if (snapshot === undefined) throw new Error("the run left no snapshot");
  // Everybody had the time to give back what he held.
  const nowMs = snapshot.atMs + 10 * 60_000;
  return look(withFile(ledger, ledger.registry, writtenAt(snapshot.atMs, journalText(snapshot.journal)), ""), { nowMs });
}

describe("a ledger that a supervisor left", () => {
  it("of a run whose tool hung is well: it was cancelled at its deadline, and nothing is open", async () => {
    const { exit, report } = await played("tool_hang/three-vendors");
    expect({ exit, rows: report.rows.map(({ subject, because }) => `${subject}: ${because}`) }).toEqual({
      exit: 0,
      rows: ["custom: 1 run, 1 file", "run-1: cancelled (deadline), done 11/15; nobody waits; leases past 0/0; obligations open 0/18"],
    });
  });

  it("says to a stranger why the run stopped, what can be resumed, and where its rows are", async () => {
    const { report } = await played("tool_hang/three-vendors");
    expect(writeHuman(report, { homes: [] }).split("\n\n").find((block) => block.startsWith("run "))).toBe(
      [
        "run      run-1, cancelled",
        "  why     run-1 was cancelled 900 s after it began: its time was over; vendor-1 had held section-1-2 for the longest",
        "          time. Written by supervisor.",
        "  resume  A run that resumes it has 4 items to do (section-1-2, section-1-3, section-1-4 had been started); what is done",
        "          stays done (11).",
        "  look    Its rows as they stood are in the artefact store at run-1/as-it-stood/supervisor.",
      ].join("\n"),
    );
  });

  it.each<readonly [string, string, Partial<SupervisorPolicies>, readonly string[]]>([
    ["forgets what is owed", "tool_hang/three-vendors", { settling: "obligations-kept" }, ["supervision/no-open-obligation"]],
    ["forgets slots and locks", "tool_hang/three-vendors", { settling: "slots-and-locks-kept" }, ["supervision/nothing-held"]],
    ["writes completion without the predicate", "placed/cancel-against-completion", { recordWrite: "completion-without-predicate" }, ["supervision/one-terminal-record"]],
  ])("alarms where it %s", async (_what, scenario, policies, alarms) => {
    expect((await played(scenario, policies)).alarms).toEqual(alarms);
  });
});

describe("a ledger of runs", () => {
  it("says of each run in one line, and in numbers, what is wrong", async () => {
    const { report, exit } = await look(ledger);
    expect(exit).toBe(0);
    expect(report.runs.map(({ line }) => line)).toEqual([
      "completed, done 2/2; nobody waits; leases past 0/0; obligations open 0/1",
      "running 10 min, done 0/2; writer waits 3 min for reader; leases past 0/1; obligations open 1/1",
    ]);
    expect(report.runs[1]).toMatchObject({ state: "running", waits: [{ who: "writer", forWhom: "reader", over: "item night-2/plan" }], itemsOpen: 2, leasesPastExpiry: 0 });
  });

  it("alarms of a run that is past its deadline without a record, and not before a successor had its time", async () => {
    const after = (minutes: number) => look(ledger, { nowMs: FIXTURE_NOW_MS + minutes * 60_000 });
    expect((await after(6)).report.findings.map(({ guard }) => guard)).not.toContain("supervision/one-terminal-record");
    const late = await after(8);
    expect(late.report.findings.map(({ guard, message }) => `${guard}: ${message}`)).toContain("supervision/one-terminal-record: 0 terminal records, 1 expected");
    expect(said(late)).toEqual([
      "FAIL | night-2 | one-terminal-record, expired-lease-held: running, 3 min past its deadline, done 0/2; writer waits 11 min for reader; leases past 1/1; obligations open 1/1",
    ]);
  });

  it("of a run that begins after the time of the look says nothing, and a clock that is a little behind is borne", async () => {
    const before = (minutes: number) => look(ledger, { nowMs: FIXTURE_NOW_MS - minutes * 60_000 });
    expect(said(await before(20))).toEqual([
      "NOT RUN | night-2 | it began 10 min after the time that was looked at: a clock is wrong, or --now is too early; running 0 s, done 0/2; writer waits 0 s for reader; leases past 0/1; obligations open 1/1 | missing-input",
    ]);
    expect((await before(11)).report.runs[1]?.line).toMatch(/^running 0 s, done 0\/2;/);
    expect(said(await before(11))).toEqual([]);
  });

  it("whose times are in seconds has no verdict, and no run that has stood for fifty years", async () => {
    const inSeconds = ledgerLines(NIGHT).replaceAll(/(\w+AtMs|sinceMs|atMs)":(\d{10})\d{3}/g, '$1":$2');
    expect(said(await withText(inSeconds)).map((one) => one.split("; ")[0])).toEqual([
      "NOT RUN | night-1 | its times lie before 1973, so that they are no milliseconds since 1970, and perhaps seconds",
      "NOT RUN | night-2 | its times lie before 1973, so that they are no milliseconds since 1970, and perhaps seconds",
    ]);
  });

  it("with a record of a newer version guesses nothing from it", async () => {
    const looked = await look(runLedger([LEDGER_STEPS.begun, LEDGER_STEPS.done, { ...LEDGER_STEPS.ended, rows: [["runs", "night-1", { state: "completed", cause: "completed" }], ["records", "record-1", { ...nightRecord(), recordVersion: 2 }]] }]));
    expect(said(looked)).toEqual([
      "NOT RUN | night-1 | its terminal record has version 2, which is not known here; completed, done 2/2; nobody waits; leases past 0/0; obligations open 1/1 | unsupported",
    ]);
  });

  it("says in words what its record says, and nothing of a run that has two, or one that it cannot rely on", async () => {
    const words = ({ report }: Looked) => report.runs.map(({ record }) => record?.why);
    const readable = ["records", "record-2", nightRecord({ cause: "deadline", state: "cancelled", writtenBy: "operator" })] as const;
    expect(words(await look(ledger))).toEqual(["night-1 completed 600 s after it began: all of its 2 items are done. Written by supervisor.", undefined]);
    expect(words(await more(readable))).toEqual([undefined, undefined]);
    expect(words(await withText(ledgerLines(NIGHT).split("\n").toSpliced(1, 1).join("\n")))).toEqual([undefined, undefined]);
  });

  it("prints twelve of the runs that stopped, and counts the others and those that are done", async () => {
    const run = (at: number): LedgerStep["rows"] => [
      ["runs", `many-${at}`, { ...runRowOf("cancelled"), isSettled: true }],
      ["records", `record-many-${at}`, nightRecord({ run: `many-${at}`, state: "cancelled", cause: "cancelled_by_operator", done: [], notFinished: [{ item: "plan", attempts: 1 }] })],
    ];
    const { report } = await more(...Array.from({ length: 14 }, (_, at) => run(at + 10)).flat());
    const block = writeHuman(report, { homes: [] }).split("\n\n").find((one) => one.startsWith("run ")) ?? "";
    expect(block.split("\n").filter((line) => line.startsWith("run "))).toEqual([
      ...Array.from({ length: 12 }, (_, at) => `run      many-${at + 10}, cancelled`),
      "run      2 more stopped before they were done; --json has them all",
      "run      nothing is left to do in 1 of 15 runs that have ended",
    ]);
  });

  it("with two terminal records alarms, whatever else could not be read", async () => {
    const second = ["records", "record-2", { ...nightRecord(), recordVersion: 2 }] as const;
    expect((await more(second)).alarms).toEqual(["supervision/one-terminal-record"]);
  });

  it("with an obligation of a run that it does not have says whose it is", async () => {
    expect(said(await more(["obligations", "night-9/plan", { run: "night-9", debtor: "plan", creditor: "supervisor", kind: "item", status: "open", why: null }]))).toEqual([
      `NOT RUN | custom | 1 obligations of ${ledger.registry} are of the run night-9, which it does not have: whether they are open nobody can ask | missing-input`,
    ]);
  });

  it("with a row in another shape says so of its run, and of no other", async () => {
    expect(said(await more(["items", "night-2/plan", { expiresAtMs: "soon" }]))).toEqual(["NOT RUN | night-2 | an item of the run is not in the shape that is known | unsupported"]);
    expect(said(await more(["runs", "night-2", { deadlineAtMs: null }]))).toEqual(["NOT RUN | night-2 | the row of the run is not in the shape that is known | unsupported"]);
  });

  it("with a state that nobody knows, or another one than its record has, is not called well", async () => {
    expect(said(await more(["runs", "night-2", { state: "fin" }]))).toEqual(["NOT RUN | night-2 | the row of the run is not in the shape that is known | unsupported"]);
    const ended = ["runs", "night-3", { ...runRowOf("completed"), isSettled: true }] as const;
    const record = ["records", "record-night-3", nightRecord({ run: "night-3", state: "cancelled", cause: "cancelled_by_operator", done: [], notFinished: [{ item: "plan", attempts: 1 }] })] as const;
    expect(said(await more(ended, record))).toEqual(["NOT RUN | night-3 | its row says completed, and its terminal record cancelled; completed (cancelled_by_operator), done 0/0; nobody waits; leases past 0/0; obligations open 0/0 | unsupported"]);
  });

  it.each([
    ["is cut in its last line", (text: string) => text.slice(0, -40), "line 5 of LEDGER is no transition"],
    ["misses a transition", (text: string) => text.split("\n").toSpliced(1, 1).join("\n"), "1 transitions of LEDGER are missing between others"],
    ["begins late", (text: string) => text.split("\n").slice(2).join("\n"), "LEDGER begins with transition 3: what came before is not in it"],
  ])("that %s says of no run more than that it may be old", async (_what, change, says) => {
    const looked = await withText(change(ledgerLines(NIGHT)));
    const [layout, ...runs] = said(looked);
    expect([layout?.replaceAll(ledger.registry, "LEDGER"), looked.exit]).toEqual([expect.stringContaining(says), 3]);
    expect(runs.map((line) => line.split(" | ")[0])).toEqual(looked.report.runs.map(() => "NOT RUN"));
    expect(runs.length).toBeGreaterThan(0);
  });

  it.each([
    ["is empty", "\n", "is empty: that is no ledger in which no run is wrong"],
    ["is something else", '{"a":1}\nx\n', "none of the 2 lines of LEDGER is a transition in the shape that is known"],
  ])("that %s is NOT RUN", async (_what, text, says) => {
    const looked = await withText(text);
    expect([said(looked).map((line) => line.replaceAll(ledger.registry, "LEDGER")), looked.exit]).toEqual([[expect.stringContaining(says)], 3]);
  });

  it("whose last line is being written says that it is", async () => {
    const looked = await look(withFile(ledger, ledger.registry, writtenAt(FIXTURE_NOW_MS - 1_000, ledgerLines(NIGHT).slice(0, -40)), ""));
    expect(said(looked)[0]).toContain("its writer may be at work; run again");
  });
});
