/**
 * The rules of supervision as data. Their sentences are those that our own supervisor is held to; a letter behind a number is another
 * place at which the same sentence is asked. What cannot be asked from outside is in the list as well, with the reason.
 */
import type { ArmedFault } from "@casebook/sim/kernel";
import { type Cause, specOf, SUPERVISOR_RULES, type SupervisorRule } from "@casebook/supervisor/rules";
import type { UncheckedRule } from "../play/playable.ts";
import { type CheckedSupervisionRule, MOMENTS, type SupervisionRule } from "./rule.ts";
import { endedAt, type SupervisionSeen } from "./seen.ts";

const SENTENCES = Object.keys(SUPERVISOR_RULES) as SupervisorRule[];
const DEADLINE_MS = 900_000;
/** Longer than any lease, with a tool's work. */
const PAUSE_MS = 200_000;
/** Of a lost machine: beyond its lease by far. */
const AWAY_MS = 300_000;
const LIMIT_MS = 60_000;

const INVARIANTS = SENTENCES.slice(0, 6);
const LEFT_CLEAN: readonly SupervisorRule[] = ["supervision/one-terminal-record", "supervision/nothing-held", "supervision/no-open-obligation", "supervision/items-terminal"];

const one = specOf("one-agent");
const vendors = specOf("three-vendors");
const pipeline = specOf("pipeline");
const tree = specOf("spawn-tree");
/** Two agents, each with one lock and in want of the other's. */
const crossed = {
  agents: [{ name: "left" }, { name: "right" }],
  items: [
    { name: "join", toolMs: 40_000, locks: ["index", "report"] },
    { name: "split", toolMs: 40_000, locks: ["report", "index"] },
  ],
} as const;

/** In the middle of the run, with work done and work to do. */
const hang: ArmedFault = { at: MOMENTS.called, kind: "hang", nth: 2 };
const hangIn = (agents: number): ArmedFault[][] => Array.from({ length: agents }, (_, at) => [{ at: MOMENTS.called, kind: "hang", process: `worker-${at + 1}` }]);
const atDeadline = [{ moment: MOMENTS.deadline, atMs: DEADLINE_MS - 1 }];

const completes = (): readonly Cause[] => ["completed"];
const isStuck = ({ tools }: SupervisionSeen): boolean => tools.some(({ endedAtMs }) => endedAtMs === undefined);
/** A tool that never answers keeps a run from completing, and is no deadlock. */
const runsOutOfTime = (seen: SupervisionSeen): readonly Cause[] => (isStuck(seen) ? ["deadline"] : ["completed"]);

/** Nobody called a tool, nothing is wrong with the ledger, and the run's time went by: each waits for the other's lock. */
function isCrossed(seen: SupervisionSeen): boolean {
  return seen.begun.length >= 2 && seen.tools.length === 0 && (endedAt(seen)?.atMs ?? 0) >= seen.run.deadlineAtMs;
}

type Given = Omit<CheckedSupervisionRule, "sentence" | "from" | "level" | "case" | "needs" | "faults" | "budget" | "asks"> & Partial<CheckedSupervisionRule>;

/** The digits of the number say whose sentence it is. */
function checked(rule: Given): CheckedSupervisionRule {
  const from = SENTENCES[Number(rule.number.slice(1, 3)) - 1] as SupervisorRule;
  const { asks = [] } = rule;
  return { sentence: SUPERVISOR_RULES[from], from, level: "required", case: CASES[from], needs: [], faults: [], budget: { schedules: 2, arms: 16 }, ...rule, asks: [from, ...asks.filter((id) => id !== from)] };
}

const CASES: Readonly<Record<SupervisorRule, string>> = {
  "supervision/one-terminal-record": "010",
  "supervision/no-descendant-executing": "009",
  "supervision/nothing-held": "009",
  "supervision/no-open-obligation": "009",
  "supervision/items-terminal": "012",
  "supervision/within-budget": "009",
  "supervision/finishes-what-can-be-finished": "013",
  "supervision/says-why": "009",
  "supervision/tells-agents-first": "009",
  "supervision/diagnosis-has-a-limit": "009",
  "supervision/refuses-late-writes": "011",
};

const notChecked = (number: string, sentence: string, because: string): UncheckedRule => ({ number, level: "not-checked", sentence, from: "what our own supervisor is asked beyond the eleven", because });

export const SUPERVISION_RULES: readonly SupervisionRule[] = [
  checked({
    number: "S01",
    happens: "one agent; the supervisor is killed, at each of its calls in turn",
    needs: ["successor"],
    play: { run: one },
    faults: { each: { at: "step", process: "supervisor", kind: "kill" } },
    asks: ["supervision/no-descendant-executing", ...LEFT_CLEAN],
    budget: { schedules: 1, arms: 24 },
  }),
  checked({
    number: "S01b",
    happens: "one agent; the supervisor stops for 200 s before one of its transitions, each in turn, and an operator cancels meanwhile",
    needs: ["cancel"],
    // Stopped before one of its transitions, whichever it is, and back when the operator has ended the run; undisturbed it was faster than he.
    play: { run: one, cancelAtMs: 150_000 },
    faults: { each: { at: MOMENTS.beforeTransition, process: "supervisor", kind: "stop-continue", forMs: PAUSE_MS } },
    asks: LEFT_CLEAN,
    budget: { schedules: 2, arms: 16 },
  }),
  checked({
    number: "S01c",
    happens: "one agent; an operator cancels, and one of his transitions is 100 s late, each in turn",
    needs: ["cancel"],
    play: { run: one, cancelAtMs: 60_000 },
    faults: { each: { at: MOMENTS.beforeTransition, process: "operator", kind: "slow", forMs: 100_000 } },
    asks: LEFT_CLEAN,
    budget: { schedules: 2, arms: 8 },
  }),
  checked({
    number: "S01d",
    happens: "one agent; a transition of the supervisor is carried out and its answer is lost, each in turn",
    play: { run: one },
    faults: { each: { at: "ledger.transition", process: "supervisor", kind: "lost-answer" } },
    asks: LEFT_CLEAN,
    budget: { schedules: 1, arms: 16 },
  }),
  // In the instant of the deadline.
  checked({ number: "S01e", happens: "one agent, a tool hangs; an operator cancels in the instant of the deadline", needs: ["cancel"], play: { run: one, cancelAtMs: DEADLINE_MS }, faults: [[hang]], asks: LEFT_CLEAN, budget: { schedules: 6, arms: 1 } }),
  checked({ number: "S02", happens: "one agent, a tool hangs", play: { run: one }, faults: [[hang]] }),
  checked({ number: "S02b", happens: "a tree of agents; the first tool of each hangs, in turn", needs: ["agents", "spawn-trees"], play: { run: tree }, faults: hangIn(4), budget: { schedules: 1, arms: 4 } }),
  checked({ number: "S02c", happens: "a tree of agents; an operator cancels at 100 s, and somebody looks at 230 s", needs: ["agents", "spawn-trees", "cancel"], play: { run: tree, cancelAtMs: 100_000, lookAtMs: 230_000 }, asks: LEFT_CLEAN, budget: { schedules: 4, arms: 1 } }),
  // A lease behind the cancellation, and two graces: who is told nothing, and answered nothing, has asked the ledger by then.
  checked({ number: "S02d", happens: "a pipeline; an operator cancels at 100 s, from when on no message and no answer reaches an agent, and somebody looks at 230 s", needs: ["agents", "needs", "cancel"], play: { run: pipeline, cancelAtMs: 100_000, unheardFromMs: 100_000, lookAtMs: 230_000 }, asks: LEFT_CLEAN, budget: { schedules: 4, arms: 1 } }),
  // A lease behind the deadline, and two graces: who is told nothing has a clock.
  checked({ number: "S02e", happens: "one agent, a tool hangs; from the deadline on no message and no answer reaches an agent, and somebody looks 130 s later", play: { run: one, unheardFromMs: DEADLINE_MS, lookAtMs: DEADLINE_MS + 130_000 }, faults: [[hang]], budget: { schedules: 2, arms: 1 } }),
  checked({ number: "S03", happens: "one agent, a tool hangs", play: { run: one }, faults: [[hang]] }),
  checked({ number: "S03b", happens: "three agents, a tool hangs", needs: ["agents"], play: { run: vendors }, faults: [[{ ...hang, nth: 4 }]], asks: LEFT_CLEAN, budget: { schedules: 2, arms: 1 } }),
  checked({ number: "S04", happens: "one agent, a tool hangs", play: { run: one }, faults: [[hang]] }),
  checked({ number: "S05", happens: "one agent, a tool hangs", play: { run: one }, faults: [[hang]] }),
  checked({ number: "S05b", happens: "one agent is killed before it puts its artefact, or behind that", play: { run: one }, faults: [MOMENTS.beforePut, MOMENTS.kept].flatMap((at) => [1, 2].map((nth) => [{ at, kind: "kill" as const, nth }])), budget: { schedules: 1, arms: 4 } }),
  // Between the reading of the items and the writing of the end.
  checked({ number: "S05c", happens: "one agent; an operator cancels in the instant in which its second item is done", needs: ["cancel"], play: { run: one, cancelAtMs: 80_000 }, ends: () => ["cancelled_by_operator"], asks: ["supervision/says-why", "supervision/refuses-late-writes", ...LEFT_CLEAN], budget: { schedules: 120, arms: 1 } }),
  // Two agents are one too many.
  checked({ number: "S06", happens: "a pipeline, with tokens for one of its two agents", needs: ["agents", "budgets"], play: { run: { ...pipeline, budget: { tokens: 150 } } }, budget: { schedules: 3, arms: 1 } }),
  checked({ number: "S06b", happens: "a tree of four agents, of which three may be begun; the first is slow before each of its transitions in turn", needs: ["agents", "budgets", "spawn-trees"], play: { run: { ...tree, budget: { agents: 3 } } }, faults: { each: { at: MOMENTS.beforeTransition, process: "worker-1", kind: "slow", forMs: 1_000 } }, budget: { schedules: 2, arms: 16 } }),
  checked({ number: "S06c", happens: "one agent, three items, and two calls of a tool", needs: ["budgets"], play: { run: { ...one, budget: { toolCalls: 2 } } }, ends: () => ["budget_tool_calls"], asks: ["supervision/says-why"], budget: { schedules: 3, arms: 1 } }),
  checked({ number: "S07", happens: "one agent, nothing goes wrong", play: { run: one }, asks: INVARIANTS, budget: { schedules: 4, arms: 1 } }),
  checked({ number: "S07b", happens: "three agents, nothing goes wrong", needs: ["agents"], play: { run: vendors }, asks: INVARIANTS, budget: { schedules: 2, arms: 1 } }),
  checked({ number: "S07c", happens: "a pipeline, nothing goes wrong", needs: ["agents", "needs"], play: { run: pipeline }, asks: INVARIANTS, budget: { schedules: 3, arms: 1 } }),
  checked({ number: "S07d", happens: "a tree of agents, nothing goes wrong", needs: ["agents", "spawn-trees"], play: { run: tree }, asks: INVARIANTS, budget: { schedules: 3, arms: 1 } }),
  checked({ number: "S07e", happens: "one agent is killed, at each of its calls in turn", needs: ["replaces-agents"], play: { run: one }, faults: { each: { at: "step", process: "worker-1", kind: "kill" } }, asks: ["supervision/refuses-late-writes", ...LEFT_CLEAN], budget: { schedules: 1, arms: 16 } }),
  checked({ number: "S07f", happens: "one agent loses its host in the middle of a tool, for 300 s or for ever; nobody says so", needs: ["replaces-agents"], play: { run: one }, faults: [[{ at: MOMENTS.called, kind: "host-unreachable", forMs: AWAY_MS }], [{ at: MOMENTS.called, kind: "host-dead", nth: 2 }]], asks: ["supervision/refuses-late-writes", ...LEFT_CLEAN], budget: { schedules: 2, arms: 2 } }),
  checked({ number: "S08", happens: "one agent, nothing goes wrong", play: { run: one }, ends: completes, budget: { schedules: 2, arms: 1 } }),
  checked({ number: "S08b", happens: "one agent, a tool hangs", play: { run: one }, faults: [[hang]], ends: runsOutOfTime }),
  checked({
    number: "S08c",
    happens: "two agents with a lock each, in want of the other's; the first is slow at each of its calls in turn",
    needs: ["agents", "wait-cycles"],
    play: { run: crossed },
    faults: { each: { at: "step", process: "worker-1", kind: "slow", forMs: 1_000 } },
    ends: (seen) => (isCrossed(seen) ? ["deadlock"] : ["completed"]),
    shows: { what: "a wait cycle", isShown: isCrossed },
    asks: LEFT_CLEAN,
    budget: { schedules: 1, arms: 24 },
  }),
  checked({ number: "S08d", happens: "one agent; an operator cancels at 60 s", needs: ["cancel"], play: { run: one, cancelAtMs: 60_000 }, ends: () => ["cancelled_by_operator"], asks: LEFT_CLEAN, budget: { schedules: 2, arms: 1 } }),
  checked({
    number: "S09",
    happens: "one agent, a tool hangs; from the deadline on each call of the ledger takes 5 s longer, for 15 s",
    play: { run: one, moments: atDeadline },
    faults: [[hang, { at: MOMENTS.deadline, kind: "service-slow", service: "ledger", byMs: 5_000, forMs: 15_000 }]],
  }),
  checked({ number: "S09b", happens: "three agents, a tool hangs; the ledger is away from the deadline on, for 10 s", needs: ["agents"], play: { run: vendors, moments: atDeadline }, faults: [[{ ...hang, nth: 4 }, { at: MOMENTS.deadline, kind: "service-away", service: "ledger", forMs: 10_000 }]], asks: LEFT_CLEAN }),
  checked({ number: "S10", happens: "one agent, a tool hangs; the ledger is away from the deadline on, for 10 s", play: { run: one, moments: atDeadline }, faults: [[hang, { at: MOMENTS.deadline, kind: "service-away", service: "ledger", forMs: 10_000 }]], asks: ["supervision/tells-agents-first", ...LEFT_CLEAN] }),
  checked({ number: "S10b", happens: "one agent; the ledger is away from 45 s to 910 s, the deadline is at 900 s", play: { run: one, moments: [{ moment: MOMENTS.midway, atMs: 45_000 }] }, faults: [[{ at: MOMENTS.midway, kind: "service-away", service: "ledger", forMs: DEADLINE_MS + 10_000 - 45_000 }]], asks: LEFT_CLEAN }),
  checked({ number: "S11", happens: "one agent stops for 200 s, with its tool's answer, before it puts its artefact, or behind that", needs: ["replaces-agents"], play: { run: one }, faults: [MOMENTS.answered, MOMENTS.beforePut, MOMENTS.kept].map((at) => [{ at, kind: "stop-continue" as const, forMs: PAUSE_MS }]), asks: ["supervision/finishes-what-can-be-finished", "supervision/items-terminal"], budget: { schedules: 2, arms: 3 } }),
  // It answers while its item is tried again, and when that has come to something.
  checked({ number: "S11b", happens: "one agent; a tool answers when it was given up, and its item is tried again or done", needs: ["tool-limit"], play: { run: one, toolLimitMs: LIMIT_MS }, faults: [50_000, 80_000].map((forMs) => [{ at: MOMENTS.called, kind: "slow" as const, forMs }]), asks: ["supervision/finishes-what-can-be-finished", "supervision/items-terminal"], budget: { schedules: 2, arms: 2 } }),
  notChecked("S12", "A run that resumes another one does what that one did not finish, and nothing twice.", "who resumes a run, and from what, is a run of its own; the kit plays one in each world"),
  notChecked("S13", "A terminal record of a newer version is left alone.", "what a newer record of a foreign supervisor looks like nobody knows yet"),
  notChecked("S14", "Of two supervisors of one run the second leaves it alone.", "who starts supervisors decides how many there are; the kit starts one, and successors and operators beside it"),
  notChecked("S15", "A clock that jumps an hour loses nothing and ends nothing twice.", "which of its clocks a supervisor goes by is its own affair, and an early end is right by an early clock"),
  notChecked("S16", "The record says which agent was stuck with what, since when.", "it is about what a person is shown"),
];
