/**
 * Case 010: two terminal records for one run.
 *
 * The last agent discharges the last obligation, and the run completes. In that instant an operator cancels it. Each writes the end of
 * the run, and the state and its record are one transition that holds only while the run runs, so that one of them loses. A second
 * way of writing, for completions only, does not ask what the run's state is: there both are written.
 *
 * Models the supervisor of `packages/supervisor` with one agent, three items and an operator's command beside it. Leaves out what a
 * reader does who finds two records.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import type { System } from "@casebook/explore";
import { commitFile } from "@casebook/file-commit";
import { supervisionOneTerminalRecord } from "@casebook/guards";
import type { LedgerRow } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, asynchronousRunner, type Build, type FaultKind } from "@casebook/sim/kernel";
import { DEFAULT_BUDGET, endRun, POINTS, REFERENCE_POLICIES, type RunSpec, type SupervisorPolicies, type SupervisorPorts } from "@casebook/supervisor";
import { CAUSES, journalText, type RunRow, type TerminalRecord } from "@casebook/supervisor/judge";
import { playRun, type RunWorld, settingsOf } from "@casebook/supervisor/scenarios";

const EPOCH = "2026-09-03T09:00:00Z";
const WORK_MS = 40_000;
const RUN = "run-1";
/** What the operator has of the ledger afterwards: its transitions, a line each. */
const EXPORT = "/ledger.jsonl";

export interface Race {
  /** How a completion is written: under the same predicate as a cancellation, or by a second way that has none. */
  readonly completion: SupervisorPolicies["recordWrite"];
  readonly items: number;
  /** Since the beginning; undefined: nobody cancels. */
  readonly cancelledAtMs: number | undefined;
  /** Whether the completion stands still until the operator's command has looked and is about to write. */
  readonly meets: "in-that-instant" | "by-chance";
  readonly watcher: "nobody" | "guard";
}

const MEETING: ArmedFault = { at: POINTS.beforeCompletion, kind: "hold", until: POINTS.afterClassify };

function specOf({ items }: Pick<Race, "items">): RunSpec {
  return { id: RUN, budget: { ...DEFAULT_BUDGET, wallClockMs: 600_000 }, agents: [{ name: "solo" }], items: Array.from({ length: items }, (_, at) => ({ name: `part-${at + 1}`, toolMs: WORK_MS })) };
}

function worldOf(race: Race): RunWorld {
  return {
    spec: specOf(race),
    slots: 2,
    settings: { policies: { ...REFERENCE_POLICIES, recordWrite: race.completion } },
    // Two who write in the same instant do it side by side.
    schedule: "in-turn",
    faults: race.meets === "in-that-instant" ? [MEETING] : [],
    ...(race.cancelledAtMs === undefined ? {} : { operatorCancelsAtMs: race.cancelledAtMs }),
  };
}

export interface Seen extends Facts {
  /** Terminal records of the run, as `<cause> by <who>`, in the order of writing. */
  readonly records: readonly string[];
  /** What the run's own row says. */
  readonly state: string;
  /** Ends that were refused, because the run had ended already. */
  readonly refused: number;
  readonly alarms: readonly string[];
}

/** Of records as they stand in the ledger. */
export function judge(records: readonly Pick<TerminalRecord, "writtenBy" | "cause">[]) {
  return supervisionOneTerminalRecord({ run: RUN, records, knownCauses: CAUSES });
}

async function oneRace({ ports }: World, race: Race): Promise<Seen> {
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  const runner = asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) });
  const { snapshot, steps, hash } = await playRun(worldOf(race), runner);
  if (snapshot === undefined) throw new Error("READER_MISSED: the world ended before anybody looked.");
  ports.log.write("info", "executed", { steps, trace: hash });
  await commitFile(ports, EXPORT, new TextEncoder().encode(journalText(snapshot.journal)));
  const rows = <T>(table: string): readonly T[] => (snapshot.tables.get(table) ?? []) as unknown as readonly T[];
  const records = rows<TerminalRecord>("records").toSorted((one, two) => one.atMs - two.atMs);
  const finding = race.watcher === "guard" ? judge(records) : undefined;
  return {
    records: records.map(({ cause, writtenBy }) => `${cause} by ${writtenBy}`),
    state: rows<{ readonly state: string }>("runs").map(({ state }) => state).join(),
    refused: snapshot.journal.filter(({ reason, outcome }) => reason === "run.ended" && outcome === "refused").length,
    alarms: finding === undefined ? [] : [finding.guard],
  };
}

/** What a search looks at: who wrote which end, sorted. */
export interface Found {
  readonly records: readonly string[];
}

const written = (text: string) => ({ cause: text.split(" by ")[0] as TerminalRecord["cause"], writtenBy: text.split(" by ")[1] ?? "" });

/** The two ends alone, of a run whose last obligation has just been closed: the same code, without the agents. */
function buildEnds(completion: Race["completion"]): Build<Found> {
  return (space) => {
    const ledger = space.ledger("ledger");
    const row: RunRow = {
      id: RUN, state: "running", cause: null, begunBy: "supervision", supervisor: "supervisor", startedAtMs: 0, deadlineAtMs: Number.MAX_SAFE_INTEGER, itemsTotal: 0, itemsDone: 0,
      itemsFailed: 0, obligationsOpen: 0, agents: 0, tokens: 0, toolCalls: 0, maxAgents: 1, maxTokens: 1, maxToolCalls: 1, isSettled: false,
    };
    ledger.tables.set("runs", new Map([[RUN, row as unknown as LedgerRow]]));
    const settings = settingsOf({ policies: { ...REFERENCE_POLICIES, recordWrite: completion }, patienceMs: PATIENCE_MS });
    const end = (name: string, cause: "completed" | "cancelled_by_operator"): void => {
      space.process(name, (ports) => {
        const own: SupervisorPorts = {
          clock: ports.clock, ids: ports.ids, log: ports.log, faults: ports.faults, messages: ports.network, ledger: ports.ledger(ledger),
          artefacts: { put: () => Promise.resolve(), head: () => Promise.resolve(undefined) },
          spawner: { spawn: (process) => ports.spawn(process) },
          self: { process: name, life: ports.process.life },
        };
        return endRun(own, settings, row, { cause, counter: null, stuckAgent: null, stuckItem: null, cycle: [], trace: null });
      });
    };
    end("supervisor", "completed");
    end("operator", "cancelled_by_operator");
    return { facts: () => ({ records: [...(ledger.tables.get("records")?.values() ?? [])].map(({ cause, writtenBy }) => `${String(cause)} by ${String(writtenBy)}`).toSorted() }) };
  };
}

const PATIENCE_MS = 120_000;
const KINDS: readonly FaultKind[] = ["slow", "stop-continue", "lost-answer"];

function system(completion: Race["completion"], expect: "holds" | "fails", claim: string): System<Found> {
  return {
    name: `010/${completion}`,
    claim,
    expect,
    build: buildEnds(completion),
    checks: [{ id: supervisionOneTerminalRecord.about.id, when: "end", alarm: ({ records }) => judge(records.map(written))?.message }],
    sometimes: {
      "the run completed": ({ records }) => records.some((text) => text.startsWith("completed")),
      "the operator's cancellation was written": ({ records }) => records.some((text) => text.endsWith("by operator")),
    },
    faults: { points: ["ledger.transition"], kinds: KINDS },
  };
}

const RACE: Race = { completion: "completion-without-predicate", items: 3, cancelledAtMs: 130_000, meets: "in-that-instant", watcher: "nobody" };

export function systemOf(completion: string): System<Found> {
  const found = systems.find(({ name }) => name === `010/${completion}`);
  if (found === undefined) throw new Error(`SYSTEM_UNKNOWN: case 010 has no system "${completion}"; there are ${systems.map(({ name }) => name).join(", ")}.`);
  return found;
}

/** What can be searched: two who write the end of one run, in every order of their calls. */
export const systems = [
  system("completion-without-predicate", "fails", "A completion is written whatever the state of the run is."),
  system("conditional", "holds", "Every end of a run is written only while it runs."),
] as const;

function scene(name: string, race: Race, expect: Seen): Scene<Race, Seen> {
  return { name, run: oneRace, with: race, expect };
}

const COMPLETED: Seen = { records: ["completed by supervisor"], state: "completed", refused: 0, alarms: [] };

export const secondPath = scene("second-path", RACE, { ...COMPLETED, records: ["cancelled_by_operator by operator", "completed by supervisor"] });
export const conditional = scene("conditional", { ...RACE, completion: "conditional", watcher: "guard" }, { ...COMPLETED, records: ["cancelled_by_operator by operator"], state: "cancelled", refused: 1 });
export const nobodyCancels = scene("nobody-cancels", { ...RACE, cancelledAtMs: undefined, meets: "by-chance", watcher: "guard" }, COMPLETED);
/** A minute earlier: the same second way, and no race. */
export const earlier = scene("a-minute-earlier", { ...RACE, cancelledAtMs: 70_000, meets: "by-chance", watcher: "guard" }, { ...COMPLETED, records: ["cancelled_by_operator by operator"], state: "cancelled" });

export const repro = defineRepro({
  id: "010",
  claim: "A run that is cancelled in the instant in which it completes gets two terminal records when one way of writing its end does not ask whether it still runs.",
  seed: 10,
  epoch: EPOCH,
  broken: secondPath,
  fixed: conditional,
  control: nobodyCancels,
  shown: [secondPath, conditional, nobodyCancels],
  more: [earlier],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(16)} ${counters(facts)}`),
});

function counters({ records, state, refused, alarms }: Seen): string {
  const isSilent = records.length !== 1 && alarms.length === 0;
  return `records=${records.length} (${records.join(", ")}) state=${state} refused=${refused} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`;
}

await runAsScript(import.meta, repro);
