/**
 * The rules of a dispatcher as data. Numbers that begin with F are those of the faults that our own dispatcher is held to; C are of
 * the kit. What a stranger's dispatcher cannot be asked from outside is in the list as well, with the reason.
 */
import type { ArmedFault } from "@casebook/sim/kernel";
import type { GuardName } from "./guards.ts";
import type { UncheckedRule } from "../play/playable.ts";
import type { CheckedRule, DispatchRule } from "./rule.ts";

/** Five virtual seconds until it is there again. */
const RESTART_MS = 5_000;
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

const atEachStep = (fault: Omit<ArmedFault, "at" | "process">): { each: ArmedFault } => ({ each: { at: "step", process: "dispatcher-1", ...fault } });

function checked(rule: Omit<CheckedRule, "level" | "guards" | "budget" | "needs" | "faults" | "from"> & Partial<CheckedRule>): CheckedRule {
  return { level: "required", from: rule.number, guards: OUTSIDE, needs: [], faults: [], budget: { schedules: "each" in (rule.faults ?? {}) ? 2 : 8, arms: 48 }, ...rule };
}

const notChecked = (number: string, sentence: string, because: string): UncheckedRule => ({ number, level: "not-checked", sentence, from: number, because });

export const DISPATCH_RULES: readonly DispatchRule[] = [
  checked({
    number: "C01",
    sentence: "What was submitted is started once, and the answers and the list say what happened.",
    from: "the kit's control: who does nothing must fail",
    case: "005",
    play: { submissions: [one, other], runtime: ends },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  checked({
    number: "C02",
    sentence: "An instance on an empty disk knows nothing, whatever other instances were told.",
    from: "the kit's control: memory outside of an instance survives what kills a process",
    case: "005",
    play: { submissions: [one], runtime: ends, looksFirst: true },
    starts: { "TASK-1": once },
  }),
  checked({
    number: "F01",
    sentence: "One id with two texts is a conflict that is said, and never two jobs; other tasks go on.",
    case: "005",
    play: { submissions: [one, { ...one, text: "Do the opposite." }, other], runtime: ends },
    starts: { "TASK-1": [0, 1], "TASK-2": once },
  }),
  notChecked("F02", "A task in two places is reported, and neither place is made to win.", "an adapter has no places; whoever has lifecycle folders asks our own suite"),
  checked({
    number: "F03",
    sentence: "A crash in the middle of a write loses nothing that was accepted, and starts nothing twice.",
    case: "001",
    needs: ["durable"],
    play: { submissions: [one, other], runtime: ends, untilMs: LONG_MS },
    faults: { each: { at: "disk.write", kind: "torn-write", process: "dispatcher-1", forMs: RESTART_MS } },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  checked({
    number: "F03b",
    sentence: "A power loss loses nothing that was accepted, and starts nothing twice.",
    from: "F03",
    case: "001",
    needs: ["durable", "power-loss"],
    play: { submissions: [one, other], runtime: ends, durability: "posix-min", untilMs: LONG_MS },
    faults: atEachStep({ kind: "power-loss", forMs: RESTART_MS }),
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  checked({
    number: "F04",
    sentence: "A replace that is refused three times is tried again, and nothing is lost or started twice by it.",
    case: "001",
    needs: ["durable", "replaces-files"],
    play: { submissions: [one, other], runtime: ends },
    faults: { each: { at: "disk.rename", kind: "error", errno: "EPERM", times: 3 } },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  notChecked("F04c", "A move across two file systems is refused, and never done by halves.", "where a dispatcher puts its files is its own affair"),
  checked({
    number: "F05",
    sentence: "The same submission several times, at once and later, is one job.",
    case: "005",
    play: { submissions: [one, one, { ...one, atMs: 15_000 }, { ...one, atMs: 60_000 }], runtime: ends },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  notChecked("F06", "A task that no event announces is found by a scan.", "tasks come by `submit`; the interface has no watcher"),
  checked({
    number: "F07",
    sentence: "A busy agent gets no second session, and its next task starts when it is free.",
    case: "005",
    needs: ["one-per-agent"],
    play: { submissions: [one, { ...one, id: "TASK-2" }], runtime: ends },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  checked({
    number: "F08",
    sentence: "What waits for a task that has not ended well is not started, and the list says that it waits.",
    case: "005",
    needs: ["after"],
    play: { submissions: [one, { ...other, after: ["TASK-1"] }], runtime: { runsForMs: RUNS_MS, endsAs: "failed" } },
    starts: { "TASK-1": once, "TASK-2": [0, 0] },
    states: { "TASK-2": ["waiting", "needs-human"] },
  }),
  checked({
    number: "F09",
    sentence: "A crash at any step, between intent and session too, starts nothing twice and leaves nothing out.",
    case: "005",
    play: { submissions: [one], runtime: ends },
    faults: atEachStep({ kind: "kill-restart", forMs: RESTART_MS }),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  checked({
    number: "F10",
    sentence: "A crash after the start and before its answer is no reason to start again.",
    case: "005",
    play: { submissions: [one], runtime: ends },
    faults: [[{ at: "sessions.started", kind: "kill-restart", forMs: RESTART_MS }]],
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  checked({
    number: "F10b",
    sentence: "At a runtime that forgets keys, a start without an answer is left to a person.",
    from: "F10",
    case: "005",
    level: "recommended",
    needs: ["durable", "keyless-runtime"],
    play: { submissions: [one], runtime: { keys: "none" } },
    faults: [[{ at: "sessions.started", kind: "kill-restart", forMs: RESTART_MS }], [{ at: "sessions.started", kind: "error", errno: "ETIMEDOUT" }]],
    starts: { "TASK-1": once },
    states: { "TASK-1": ["needs-human"] },
  }),
  checked({
    number: "F10c",
    sentence: "A start whose answer is lost is looked up, and not made again.",
    from: "F10",
    case: "005",
    play: { submissions: [one], runtime: ends },
    faults: [[{ at: "sessions.started", kind: "error", errno: "ETIMEDOUT" }]],
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  checked({
    number: "F10d",
    sentence: "A dispatcher that stops for longer than its lease starts nothing twice when it wakes, at a runtime that honours keys.",
    from: "F10",
    case: "005",
    needs: ["durable", "many-dispatchers"],
    play: { submissions: [one], runtime: { keys: "honoured", runsForMs: RUNS_MS }, dispatchers: 2, untilMs: LONG_MS },
    faults: atEachStep({ kind: "stop-continue", forMs: PAUSE_MS }),
    starts: { "TASK-1": once },
    states: { "TASK-1": ["done"] },
  }),
  checked({
    number: "F10e",
    sentence: "A session that failed is not started again by itself, and the list shows it.",
    from: "F10",
    case: "006",
    play: { submissions: [one], runtime: { runsForMs: RUNS_MS, endsAs: "failed" } },
    starts: { "TASK-1": once },
    states: { "TASK-1": ["failed", "needs-human"] },
  }),
  notChecked("F11", "A report that is replayed accepts nothing.", "the interface has no reports and no reviews"),
  notChecked("F12", "A missing tool is NOT RUN.", "its subject is the reporter of a test suite, and no dispatcher"),
  notChecked("F13", "A task from an unknown source is not started.", "the interface has no sources; whoever calls `submit` is trusted"),
  checked({
    number: "F14",
    sentence: "What waited is started once when that ends well, and not before.",
    case: "005",
    needs: ["after"],
    play: { submissions: [{ ...other, after: ["TASK-1"] }, { ...one, atMs: 20_000 }], runtime: ends },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
  }),
  checked({
    number: "F15",
    sentence: "Two looks at once start nothing twice.",
    case: "005",
    needs: ["concurrent-calls"],
    play: { submissions: [one, one, other], runtime: ends, ticksAtOnce: 2 },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
    budget: { schedules: 40, arms: 1 },
  }),
  checked({
    number: "F15b",
    sentence: "Two dispatchers over one disk start nothing twice.",
    from: "F15",
    case: "005",
    needs: ["durable", "many-dispatchers"],
    play: { submissions: [one, { ...one, to: 2 }, { ...other, to: 2 }], runtime: ends, dispatchers: 2 },
    starts: { "TASK-1": once, "TASK-2": once },
    states: { "TASK-1": ["done"], "TASK-2": ["done"] },
    budget: { schedules: 40, arms: 1 },
  }),
  notChecked("F16", "A hold keeps a task from starting until it is released.", "the interface has no holds"),
  notChecked("F17", "A move that somebody else made is refused, on record.", "the interface has no places"),
  checked({
    number: "F18",
    sentence: "A text that changes after it was accepted is a conflict, and starts nothing.",
    case: "005",
    play: { submissions: [one, { ...one, atMs: 60_000, text: "Do something else." }], runtime: ends },
    starts: { "TASK-1": once },
  }),
  notChecked("F19", "A session that no attempt explains is listed, and not adopted.", "which sessions at a shared runtime are its own only a dispatcher knows"),
  checked({
    number: "F20",
    sentence: "A fresh instance over the same disk says the same of every task.",
    case: "003",
    level: "recommended",
    needs: ["durable", "after"],
    play: { submissions: [one, { ...other, after: ["TASK-1"] }], runtime: { runsForMs: RUNS_MS, endsAs: "failed" } },
    faults: atEachStep({ kind: "kill-restart", forMs: RESTART_MS }),
    starts: { "TASK-1": once, "TASK-2": [0, 0] },
    states: { "TASK-1": ["failed", "needs-human"], "TASK-2": ["waiting", "needs-human"] },
    budget: { schedules: 1, arms: 24 },
  }),
  checked({
    number: "W03",
    sentence: "History only grows.",
    from: "rule 3 of the six",
    case: "001",
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
    case: "005",
    level: "recommended",
    needs: ["durable"],
    needsProbe: "attempts",
    play: { submissions: [one], runtime: ends },
    faults: atEachStep({ kind: "kill-restart", forMs: RESTART_MS }),
    starts: { "TASK-1": once },
    guards: ["dispatch/guessed-restart"],
  }),
];
