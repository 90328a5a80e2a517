/**
 * The rules of a dispatcher as data. Numbers that begin with F are faults of the table that our own dispatcher is held to, whose words
 * they take; C and W are of the kit. What a stranger's dispatcher cannot be asked from outside is in the list as well, with the reason.
 */
import { DISPATCH_FAULTS, type FaultNumber } from "@casebook/dispatch-suite/faults";
import type { ArmedFault } from "@casebook/sim/kernel";
import type { GuardName } from "./guards.ts";
import type { UncheckedRule } from "../play/playable.ts";
import type { CheckedRule, DispatchRule, Telling } from "./rule.ts";

/** Five virtual seconds until it is there again. */
const RESTART_MS = 5_000;
/** Too short for a client to be heard out of turn, and no whole second: what is heard in the instant of a look may be heard behind it. */
const AWAY_MS = 500;
/** A session of these rules. */
const RUNS_MS = 30_000;
/** Longer than any lease that an adapter may have. */
const PAUSE_MS = 90_000;
const LONG_MS = 240_000;

const OUTSIDE: readonly GuardName[] = ["dispatch/two-jobs", "dispatch/unattributed-start", "dispatch/start-without-permit", "dispatch/guessed-restart"];
const one = { atMs: 1_000, id: "TASK-1" } as const;
const other = { atMs: 1_000, id: "TASK-2", agent: "QA" } as const;
const ends = { runsForMs: RUNS_MS } as const;
const once = [1, 1] as const;
const never = [0, 0] as const;

const waits = ["waiting", "needs-human"] as const;
const failed = { runsForMs: RUNS_MS, endsAs: "failed" } as const;
/** Behind two looks of the kit, in which what may start has started. */
const LATER_MS = 60_000;

const wake = (atMs: number, task = "TASK-1", to: 1 | 2 = 1): Telling => ({ atMs, to, notice: { kind: "wake", task } });
const approve = (atMs: number, gate: string, from: string): Telling => ({ atMs, notice: { kind: "approve", gate, from } });
const accept = (atMs: number, from: string): Telling => ({ atMs, notice: { kind: "accept", task: "TASK-1", from } });
const report = (atMs: number, id: string): Telling => ({ atMs, notice: { kind: "report", task: "TASK-1", from: "DEV", id } });

const held = (atMs: number): CheckedRule["play"] => ({
  submissions: [one],
  runtime: ends,
  notices: [
    { atMs, notice: { kind: "hold", task: "TASK-1", because: "not yet" } },
    { atMs: atMs + 1_000, notice: { kind: "hold", task: "TASK-1", because: "still not" } },
    { atMs: LATER_MS, notice: { kind: "release", task: "TASK-1", because: "now" } },
  ],
});
const GATED: CheckedRule["play"] = {
  submissions: [{ ...one, gate: "GATE-1" }],
  runtime: ends,
  notices: [approve(20_000, "GATE-1", "SOMEBODY"), approve(LATER_MS, "GATE-1", "LEAD"), approve(LATER_MS, "GATE-1", "LEAD")],
};
/** Of the rules about what was heard: it is there or not, whatever the schedule. */
const KEPT: CheckedRule["budget"] = { schedules: 1, arms: 24 };

const atEachStep = (fault: Omit<ArmedFault, "at" | "process">): { each: ArmedFault } => ({ each: { at: "step", process: "dispatcher-1", ...fault } });

type Played = Omit<CheckedRule, "number" | "sentence" | "case" | "level" | "guards" | "budget" | "needs" | "faults" | "from"> & Partial<CheckedRule>;

function checked(rule: Played & Pick<CheckedRule, "number" | "sentence" | "case">): CheckedRule {
  return { level: "required", from: rule.number, guards: OUTSIDE, needs: [], faults: [], budget: { schedules: "each" in (rule.faults ?? {}) ? 2 : 8, arms: 48 }, ...rule };
}

/** A fault of the table, as an outsider can be played and asked. A letter says which placement. */
function fault(number: FaultNumber, rule: Played): CheckedRule {
  const { sentence, case: shownBy, armed } = DISPATCH_FAULTS[number];
  return checked({ number, sentence, case: shownBy, from: number.slice(0, 3), ...(armed === undefined ? {} : { faults: [armed] }), ...rule });
}

function notChecked(number: FaultNumber, because: string): UncheckedRule {
  return { number, level: "not-checked", sentence: DISPATCH_FAULTS[number].sentence, from: number.slice(0, 3), because };
}

const NO_PLACES = "an adapter has no places; whoever has lifecycle folders asks our own suite";

/** For ever, or until a restart has to do without what was not kept. Some replace a file for a submission only: the first is theirs. */
const REFUSALS: CheckedRule["faults"] = [1, 2, 3, 4, 6].flatMap((nth) => [
  [{ at: "disk.rename", kind: "error", errno: "EPERM", nth, times: 1_000_000 }],
  [
    { at: "disk.rename", kind: "error", errno: "EPERM", nth, times: 60 },
    // Who replaces a file for a submission only is idle long before.
    { at: "step", kind: "kill-restart", process: "dispatcher-1", nth: nth === 1 ? 20 : 200, after: 0, forMs: RESTART_MS },
  ],
]);

/** No error; what is wrong with its file shows to the next life: soon, before the file is replaced, and later, when more was written behind it. */
const SHORT: ArmedFault = { at: "disk.write", kind: "short-write", process: "dispatcher-1" };

export const DISPATCH_RULES: readonly DispatchRule[] = [
  checked({
    number: "C01",
    sentence: "What was submitted is started once, and the answers and the list say what happened.",
    from: "the kit's control: who does nothing must fail",
    case: "005",
    // Between the start of a session and its end.
    play: { submissions: [one, other], runtime: ends, looksAtMs: 25_000 },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  checked({
    number: "C02",
    sentence: "An instance on an empty disk knows nothing, whatever other instances were told.",
    from: "the kit's control: memory outside of an instance survives what kills a process",
    case: "008",
    play: { submissions: [one], runtime: ends, looksFirst: true, elsewhereAtMs: LATER_MS },
    starts: { "TASK-1": once },
  }),
  checked({
    number: "C03",
    sentence: "The same submission several times, at once and later, is one job.",
    from: "the interface: who hears no answer submits again",
    case: "005",
    // Two whose ids begin and end with its own come first: who looks for a part of an id takes theirs for it.
    play: { submissions: [{ atMs: 500, id: "TASK-10", agent: "QA" }, { atMs: 500, id: "A-TASK-1", agent: "OPS" }, one, one, { ...one, atMs: 15_000 }, { ...one, atMs: 60_000 }], runtime: ends },
    starts: { "TASK-1": once, "TASK-10": once, "A-TASK-1": once },
    states: { "TASK-1": ["done"], "TASK-10": ["done"], "A-TASK-1": ["done"] },
  }),
  checked({
    number: "C04",
    sentence: "Two looks at once start nothing twice.",
    from: "the interface: `concurrent-calls`",
    case: "005",
    needs: ["concurrent-calls"],
    play: { submissions: [one, one, other], runtime: ends, ticksAtOnce: 2 },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
    budget: { schedules: 40, arms: 1 },
  }),
  checked({
    number: "C05",
    sentence: "Two dispatchers over one disk start nothing twice.",
    from: "the interface: `many-dispatchers`",
    case: "005",
    needs: ["durable", "many-dispatchers"],
    play: { submissions: [one, { ...one, to: 2 }, { ...other, to: 2 }], runtime: ends, dispatchers: 2 },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
    budget: { schedules: 40, arms: 1 },
  }),
  checked({
    number: "C06",
    sentence: "Another text for a task that was started is a conflict, and starts nothing.",
    from: "the interface: a submission is the only way to another text",
    case: "015",
    play: { submissions: [one, { ...one, atMs: LATER_MS, text: "Do something else." }], runtime: ends },
    starts: { "TASK-1": once },
  }),
  checked({
    number: "C07",
    sentence: "What somebody accepts who is no reviewer is not accepted.",
    from: "the interface: `trust.reviewers`",
    case: "008",
    needs: ["reviews"],
    play: { submissions: [one], runtime: ends, reviewer: "nobody", notices: [accept(LATER_MS, "SOMEBODY")] },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["review"] },
  }),
  checked({
    number: "C08",
    sentence: "A hold and its release are kept through a crash.",
    from: "the interface: `durable` and `holds`",
    case: "002",
    needs: ["durable", "holds"],
    // Behind a submission that had to be made again.
    play: { ...held(8_000), untilMs: LONG_MS },
    faults: atEachStep({ kind: "kill-restart", forMs: AWAY_MS }),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
    budget: KEPT,
  }),
  checked({
    number: "C09",
    sentence: "An approval is kept through a crash.",
    from: "the interface: `durable` and `gates`",
    case: "002",
    needs: ["durable", "gates"],
    play: { ...GATED, untilMs: LONG_MS },
    faults: atEachStep({ kind: "kill-restart", forMs: AWAY_MS }),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
    budget: KEPT,
  }),
  checked({
    number: "C10",
    sentence: "An acceptance is kept through a crash.",
    from: "the interface: `durable` and `reviews`",
    case: "002",
    needs: ["durable", "reviews"],
    // Once: who accepts whatever he is shown would accept it again.
    play: { submissions: [one], runtime: ends, reviewer: "nobody", notices: [accept(LATER_MS, "LEAD")], untilMs: LONG_MS },
    faults: atEachStep({ kind: "kill-restart", forMs: AWAY_MS }),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
    budget: KEPT,
  }),
  checked({
    number: "C11",
    sentence: "A start that never reached the runtime is made again, or left to a person, and not taken for a session.",
    from: "the interface: a rejection of `sessions.start` says that nobody knows",
    case: "016",
    play: { submissions: [one, other], runtime: ends, untilMs: LONG_MS },
    faults: [[{ at: "sessions.start", kind: "error", errno: "ECONNREFUSED" }], [{ at: "sessions.start", kind: "error", errno: "ECONNREFUSED", times: 3 }]],
    starts: { "TASK-1": [0, 1], "TASK-2": [0, 1] },
    states: { "TASK-1": ["done", "needs-human"], "TASK-2": ["done", "needs-human"] },
  }),
  checked({
    number: "C12",
    sentence: "A write that takes only a part of its bytes is finished, so that a later life reads the whole.",
    from: "the interface: `write` may write fewer bytes than it was given",
    case: "018",
    needs: ["durable"],
    play: { submissions: [one, other], runtime: ends, untilMs: LONG_MS },
    faults: { each: SHORT, also: [4, 8, 30].map((nth) => [SHORT, { at: "step", kind: "kill-restart", process: "dispatcher-1", nth, after: 0, forMs: RESTART_MS }]) },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  checked({
    number: "C13",
    sentence: "What is written behind a write that a crash cut off is read by the life after the next crash.",
    from: "the interface: `durable`; RC10 asks it of a receipt log",
    case: "008",
    needs: ["durable"],
    play: { submissions: [one, other], runtime: ends, untilMs: LONG_MS },
    // The second crash comes when more was written: only then is it read again.
    faults: [1, 2, 3, 4].map((nth) => [
      { at: "disk.write", kind: "torn-write", process: "dispatcher-1", nth, forMs: RESTART_MS },
      { at: "step", kind: "kill-restart", process: "dispatcher-1", nth: 40, after: 0, forMs: RESTART_MS },
    ]),
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  fault("F01", {
    play: { submissions: [one, { ...one, text: "Do the opposite." }, other], runtime: ends },
    starts: { "TASK-1": [0, 1], "TASK-2": once },
  }),
  notChecked("F02", NO_PLACES),
  notChecked("F02b", NO_PLACES),
  notChecked("F02c", NO_PLACES),
  notChecked("F02d", NO_PLACES),
  notChecked("F02e", NO_PLACES),
  fault("F03", {
    needs: ["durable"],
    play: { submissions: [one, other], runtime: ends, untilMs: LONG_MS },
    faults: { each: { at: "disk.write", kind: "torn-write", process: "dispatcher-1", forMs: RESTART_MS } },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  fault("F03b", {
    needs: ["durable", "power-loss"],
    play: { submissions: [one, other], runtime: ends, durability: "posix-min", untilMs: LONG_MS },
    faults: atEachStep({ kind: "power-loss", forMs: RESTART_MS }),
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  fault("F04", {
    needs: ["durable", "replaces-files"],
    play: { submissions: [one, other], runtime: ends },
    faults: { each: { at: "disk.rename", kind: "error", errno: "EPERM", times: 3 } },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  fault("F04b", {
    needs: ["durable", "replaces-files"],
    play: { submissions: [one], runtime: ends, untilMs: LONG_MS },
    faults: REFUSALS,
    isRefusedForGood: true,
    starts: { "TASK-1": [0, 1] },
    budget: { schedules: 2, arms: 10 },
  }),
  notChecked("F04c", "where a dispatcher puts its files is its own affair"),
  fault("F05", {
    needs: ["wakes"],
    // At once, before and while it runs, and when it is over.
    play: { submissions: [one], runtime: ends, notices: [5_000, 5_000, 20_000, 25_000, 90_000].map((atMs) => wake(atMs)) },
    starts: { "TASK-1": once },
    startedByMs: { "TASK-1": 9_000 },
    states: { "TASK-1": ["done"] },
  }),
  fault("F05b", {
    needs: ["wakes"],
    play: { submissions: [one, other], runtime: ends, notices: [wake(5_000)] },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  fault("F06", {
    needs: ["wakes"],
    play: { submissions: [one], runtime: ends, notices: [wake(90_000), wake(90_000, "TASK-9")] },
    starts: { "TASK-1": once, "TASK-9": never },
    startedByMs: { "TASK-1": 30_000 },
    states: { "TASK-1": ["done"] },
  }),
  notChecked("F06b", "C01 asks it of everybody: nobody is told anything there"),
  notChecked("F06c", "the interface has no watcher that could break"),
  fault("F07", {
    needs: ["one-per-agent"],
    play: { submissions: [one, { ...one, id: "TASK-2" }], runtime: ends, looksAtMs: 25_000 },
    starts: { "TASK-1": once, "TASK-2": once },
    waitsFor: { "TASK-1": ["TASK-2", "DEV"], "TASK-2": ["TASK-1", "DEV"] },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  fault("F08", {
    needs: ["after"],
    play: { submissions: [one, { ...other, after: ["TASK-1"] }], runtime: failed },
    starts: { "TASK-1": once, "TASK-2": never },
    waitsFor: { "TASK-2": ["TASK-1"] },
    states: { "TASK-2": waits },
  }),
  fault("F08b", {
    needs: ["gates"],
    play: { submissions: [one, { ...other, gate: "GATE-1" }], runtime: ends, notices: [approve(20_000, "GATE-2", "LEAD")] },
    starts: { "TASK-1": once, "TASK-2": never },
    waitsFor: { "TASK-2": ["GATE-1"] },
    states: { "TASK-2": waits },
  }),
  fault("F09", {
    play: { submissions: [one], runtime: ends },
    faults: atEachStep({ kind: "kill-restart", forMs: RESTART_MS }),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F10", {
    play: { submissions: [one], runtime: ends },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F10b", {
    level: "recommended",
    needs: ["durable", "keyless-runtime"],
    play: { submissions: [one], runtime: { keys: "none" } },
    faults: [DISPATCH_FAULTS.F10.armed ?? [], DISPATCH_FAULTS.F10c.armed ?? []],
    starts: { "TASK-1": once },
    states: { "TASK-1": ["needs-human"] },
  }),
  fault("F10c", {
    play: { submissions: [one], runtime: ends },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F10d", {
    needs: ["durable", "many-dispatchers"],
    play: { submissions: [one], runtime: ends, dispatchers: 2, namesake: true, untilMs: LONG_MS },
    // Who stops between its last look and the start is caught by the key alone, which this runtime does not honour.
    faults: { ...atEachStep({ kind: "stop-continue", forMs: PAUSE_MS }), before: "sessions.start", ahead: "disk.write" },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F10e", {
    play: { submissions: [one], runtime: failed },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["failed", "needs-human"] },
  }),
  fault("F10f", {
    needs: ["durable", "many-dispatchers"],
    play: { submissions: [one], runtime: { keys: "honoured", runsForMs: RUNS_MS }, dispatchers: 2, untilMs: LONG_MS },
    faults: atEachStep({ kind: "stop-continue", forMs: PAUSE_MS }),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F10g", {
    needs: ["durable", "power-loss"],
    play: { submissions: [one], runtime: ends, durability: "posix-min" },
    faults: [[{ at: "sessions.started", kind: "power-loss", forMs: RESTART_MS }]],
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F10h", {
    needs: ["silent-runtime"],
    play: { submissions: [one, other], runtime: ends },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  notChecked("F10i", "whether a late answer is heard, and where it would be written, is seen in a dispatcher only; F10d to F10f count what it starts"),
  fault("F10j", {
    level: "recommended",
    needs: ["durable", "keyless-runtime", "silent-runtime"],
    play: { submissions: [one], runtime: { keys: "none" } },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["needs-human"] },
  }),
  fault("F10k", {
    needs: ["silent-runtime"],
    play: { submissions: [one], runtime: ends },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  notChecked("F10l", "by which question a dispatcher learns how a session stands is its own affair"),
  fault("F11", {
    needs: ["reviews"],
    play: { submissions: [one], runtime: ends, reviewer: "nobody", notices: [report(60_000, "REPORT-1"), report(70_000, "REPORT-1"), report(80_000, "REPORT-2")] },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["review"] },
  }),
  notChecked("F12", "its subject is the reporter of a test suite, and no dispatcher"),
  fault("F13", {
    needs: ["sources"],
    play: { submissions: [{ ...one, source: "a stranger" }, other], runtime: ends },
    starts: { "TASK-1": never, "TASK-2": once },
    states: { "TASK-2": ["done"] },
  }),
  fault("F14", {
    needs: ["after"],
    play: { submissions: [{ ...other, after: ["TASK-1"] }, { ...one, atMs: 20_000 }], runtime: ends },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  fault("F14b", {
    needs: ["gates"],
    play: GATED,
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F15", {
    needs: ["concurrent-calls", "wakes"],
    // At the time of a look, in which the task is found.
    play: { submissions: [one], runtime: ends, notices: [wake(10_000)] },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
    budget: { schedules: 40, arms: 1 },
  }),
  fault("F15b", {
    needs: ["durable", "many-dispatchers", "wakes"],
    play: { submissions: [one], runtime: ends, dispatchers: 2, notices: [wake(10_000, "TASK-1", 2)] },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
    budget: { schedules: 40, arms: 1 },
  }),
  fault("F15c", {
    needs: ["durable", "many-dispatchers", "wakes"],
    play: { submissions: [one], runtime: ends, dispatchers: 2, notices: [wake(11_000, "TASK-1", 2)] },
    // Shorter than any lease that is one.
    faults: { ...atEachStep({ kind: "slow", forMs: 2_000 }), before: "sessions.start" },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  fault("F16", {
    needs: ["holds"],
    play: held(3_000),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  notChecked("F17", NO_PLACES),
  fault("F18", {
    needs: ["edits", "gates"],
    play: { submissions: [{ ...one, gate: "GATE-1" }], runtime: ends, notices: [{ atMs: 30_000, notice: { kind: "edit", id: "TASK-1", text: "Do something else." } }, approve(LATER_MS, "GATE-1", "LEAD")] },
    starts: { "TASK-1": never },
    states: { "TASK-1": ["waiting", "conflict", "needs-human"] },
  }),
  fault("F18b", {
    needs: ["reviews"],
    play: { submissions: [one], runtime: ends, reviewer: "nobody", notices: [accept(LATER_MS, "DEV")] },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["review"] },
  }),
  notChecked("F18c", "the moment between an intent and the last look before its start has no name outside of a dispatcher"),
  fault("F19", {
    needs: ["shared-runtime"],
    mayProbe: "strangers",
    play: { submissions: [one], runtime: { runsForMs: LONG_MS }, strangers: [{ atMs: 0, task: "TASK-1" }, { atMs: 15_000, task: "TASK-1" }] },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["running"] },
  }),
  notChecked("F19b", "by which question a dispatcher learns of other sessions is its own affair"),
  fault("F20", {
    level: "recommended",
    needs: ["durable", "after"],
    play: { submissions: [one, { ...other, after: ["TASK-1"] }], runtime: failed },
    faults: atEachStep({ kind: "kill-restart", forMs: RESTART_MS }),
    starts: { "TASK-1": once, "TASK-2": never },
    waitsFor: { "TASK-2": ["TASK-1"] },
    states: { "TASK-1": ["failed", "needs-human"], "TASK-2": waits },
    budget: { schedules: 1, arms: 24 },
  }),
  checked({
    number: "W03",
    sentence: "History only grows.",
    from: "rule 3 of the six",
    case: "018",
    level: "recommended",
    needs: [],
    needsProbe: "history",
    play: { submissions: [one, one, other], runtime: ends },
    faults: atEachStep({ kind: "kill-restart", forMs: RESTART_MS }),
    starts: { "TASK-1": once, "TASK-2": once },
    guards: ["dispatch/history-rewritten"],
  }),
  checked({
    number: "W06",
    sentence: "What is taken up again after a crash has a decision on record.",
    from: "rule 6 of the six",
    case: "016",
    level: "recommended",
    needs: ["durable"],
    needsProbe: "attempts",
    play: { submissions: [one], runtime: ends },
    faults: atEachStep({ kind: "kill-restart", forMs: RESTART_MS }),
    starts: { "TASK-1": once },
    guards: ["dispatch/guessed-restart"],
  }),
];
