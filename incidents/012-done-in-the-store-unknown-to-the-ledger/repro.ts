/**
 * Case 012: done in the store, unknown to the ledger.
 *
 * An agent puts its artefact into the store, and 106 ms later tells the ledger that the item is done. Its machine is lost between the
 * two. The work is there; the ledger says that somebody is at it.
 *
 * Models one agent at a time, a supervisor that takes an item back or does not, a ledger and an artefact store. Loses the machine either
 * at the named moment, or at a moment that is drawn evenly from the length of the run. Leaves out what the work is.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { playAlone, staying, type System } from "@casebook/explore";
import { commitFile } from "@casebook/file-commit";
import { supervisionUnknownArtefact } from "@casebook/guards";
import type { LedgerRow } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, type ArtefactsState, asynchronousRunner, type Build, createSimulation, createStream, type FaultKind, type LedgerState, type ProcessPorts, KERNEL_EPOCH_MS, type Runner } from "@casebook/sim/kernel";
import type { ItemRow } from "@casebook/supervisor/judge";
import { exportedRun } from "@casebook/supervisor/scenarios";

const EPOCH = "2026-09-03T09:00:00Z";
const SECOND_MS = 1_000;
/** The article's two figures. */
export const WINDOW_MS = 106;
export const RUN_MS = 900 * SECOND_MS;
/** Of a claim here: as long as the run, so that nobody needs to renew it. */
const LEASE_MS = RUN_MS;
const POINT = "agent.after-artefact";
/** What the operator has of the ledger afterwards, and when: its rows, as a supervisor keeps them. The run goes on until the day is over. */
const EXPORT = "/ledger.jsonl";
const LOOKS_MS = 4_000 * SECOND_MS;
const DEADLINE_MS = 24 * 3_600 * SECOND_MS;

export interface Runs {
  readonly runs: number;
  readonly items: number;
  /** Between the artefact and the transition. */
  readonly windowMs: number;
  readonly lost: "never" | "at-the-named-point" | "at-random";
  /** What the supervisor does when a lease has run out. */
  readonly expiry: "taken-back" | "ignored";
  readonly watcher: "nobody" | "guard";
}

type OneRun = Pick<Runs, "items" | "windowMs" | "expiry"> & { readonly lostAtMs: number | undefined };

const nameOf = (at: number): string => `part-${at + 1}`;

/** One run, whose items fill its length: each is worked at, put, and told of, one after the other. `keep` is handed the ledger. */
export function build(run: OneRun, keep: (ledger: LedgerState) => void = () => undefined): Build<Told> {
  return (space) => {
    const ledger = space.ledger("ledger");
    keep(ledger);
    const store = space.artefacts("store");
    ledger.tables.set("items", new Map(Array.from({ length: run.items }, (_, at): [string, LedgerRow] => [nameOf(at), { id: nameOf(at), position: at, status: "open", epoch: 0, expiresAtMs: 0 }])));
    space.process("supervisor", (ports) => supervise(ports, ledger, run));
    for (const agent of AGENTS) space.process(agent, (ports) => work(ports, ledger, store, run), { isSpawned: true });
    return { facts: () => tell(ledger, store) };
  };
}

const AGENTS = ["agent-1", "agent-2"] as const;

async function supervise(ports: ProcessPorts, state: LedgerState, { expiry }: OneRun): Promise<void> {
  const ledger = ports.ledger(state);
  await ports.spawn(AGENTS[0]);
  await ports.clock.sleep(RUN_MS + LEASE_MS);
  const left = (await ledger.list("items")).filter(({ status }) => status !== "done");
  if (expiry === "ignored" || left.length === 0) return;
  await ledger.transition("taken-back", left.map(({ id, epoch = null }) => ({ table: "items", id, when: { epoch }, set: { status: "open" } })));
  await ports.spawn(AGENTS[1]);
}

async function work(ports: ProcessPorts, state: LedgerState, store: ArtefactsState, { items, windowMs, lostAtMs }: OneRun): Promise<void> {
  const { clock, faults } = ports;
  const ledger = ports.ledger(state);
  if (lostAtMs !== undefined && ports.process.name === AGENTS[0]) void clock.sleep(lostAtMs).then(() => faults.reach("agent.machine-lost"));
  const workMs = Math.floor(RUN_MS / items) - windowMs;
  const open = (await ledger.list("items", { status: "open" })).toSorted((one, two) => Number(one["position"]) - Number(two["position"]));
  for (const { id, epoch: before } of open) {
    const epoch = Number(before) + 1;
    await ledger.transition("claimed", [{ table: "items", id, when: { status: "open" }, set: { status: "claimed", epoch, expiresAtMs: clock.now() + LEASE_MS } }]);
    await clock.sleep(workMs);
    await ports.artefacts(store).put(`${id}/${epoch}`, "done");
    await faults.reach(POINT);
    await clock.sleep(windowMs);
    await ledger.transition("done", [{ table: "items", id, when: { status: "claimed", epoch }, set: { status: "done" } }]);
  }
}

/** What the two stores hold in the end. */
export interface Told {
  readonly items: readonly { readonly item: string; readonly status: string; readonly isDone: boolean; readonly artefacts: number }[];
  /** Claims beyond the first: work that was done again. */
  readonly redone: number;
}

function tell({ tables }: LedgerState, { bodies }: ArtefactsState): Told {
  const rows = [...(tables.get("items")?.values() ?? [])];
  return {
    items: rows.map(({ id, status }) => ({ item: id, status: String(status), isDone: status === "done", artefacts: [...bodies.keys()].filter((uri) => uri.startsWith(`${id}/`)).length })),
    // An item that has an artefact of its first claim, and a second claim.
    redone: rows.filter(({ id, epoch }) => Number(epoch) > 1 && bodies.has(`${id}/1`)).length,
  };
}

export interface Seen extends Facts {
  readonly runs: number;
  /** Runs whose machine was lost between artefact and transition. */
  readonly hits: number;
  /** By items times window, over the length of the run, `<mean>±<standard deviation>` of so many runs. */
  readonly expected: string;
  /** Runs at whose end the store has an artefact of which the ledger does not know. */
  readonly unknown: number;
  /** Runs all of whose items are done. */
  readonly completed: number;
  readonly alarms: readonly string[];
}

export function expectedHits({ runs, items, windowMs }: Pick<Runs, "runs" | "items" | "windowMs">): { readonly share: number; readonly mean: number; readonly sigma: number } {
  const share = (items * windowMs) / RUN_MS;
  return { share, mean: runs * share, sigma: Math.sqrt(runs * share * (1 - share)) };
}

async function manyRuns({ ports, seed }: World, parameters: Runs): Promise<Seen> {
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  const runner = asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) });
  const beganAtMs = ports.clock.now();
  let exported = "";
  const seen = await playRuns(parameters, seed, runner, (steps, trace, ledger) => {
    ports.log.write("info", "executed", { steps, trace });
    exported = exportOf(ledger, beganAtMs);
  }, beganAtMs);
  await ports.clock.sleep(LOOKS_MS);
  await commitFile(ports, EXPORT, new TextEncoder().encode(exported));
  return seen;
}

function exportOf({ tables }: LedgerState, beganAtMs: number): string {
  const rows = [...(tables.get("items")?.values() ?? [])].map(({ id, status, epoch, expiresAtMs }) => ({ name: id, status: status as ItemRow["status"], epoch: Number(epoch), expiresAtMs: Number(expiresAtMs) }));
  const items = rows.map((row) => ({
    ...row,
    owner: row.status === "claimed" ? AGENTS[0] : null,
    claimedAtMs: row.expiresAtMs - LEASE_MS,
    uri: row.status === "done" ? `${row.name}/${row.epoch}` : null,
  }));
  return exportedRun({ beganAtMs, atMs: beganAtMs + LOOKS_MS, deadlineAtMs: beganAtMs + DEADLINE_MS, items });
}

/** Also for more runs than a scene plays. `executed` is told of each. */
export async function playRuns(parameters: Runs, seed: number, runner: Runner, executed: (steps: number, trace: string, ledger: LedgerState) => void = () => undefined, epoch = KERNEL_EPOCH_MS): Promise<Seen> {
  const { runs, items, windowMs, lost, expiry, watcher } = parameters;
  const moments = createStream(seed, "moments");
  const counts = { hits: 0, unknown: 0, completed: 0 };
  const alarms = new Set<string>();
  for (let number = 1; number <= runs; number += 1) {
    let ledger: LedgerState | undefined;
    const lostAtMs = lost === "at-random" ? moments.below(RUN_MS) : undefined;
    const faults: readonly ArmedFault[] = lost === "never" ? [] : [{ at: lost === "at-random" ? "agent.machine-lost" : POINT, kind: "host-dead" }];
    const { execution, facts } = createSimulation(build({ items, windowMs, expiry, lostAtMs }, (one) => (ledger = one)), { chooser: { choose: staying }, faults, epoch });
    await playAlone(execution, runner);
    if (ledger !== undefined) executed(execution.steps.length, execution.hash(), ledger);
    const told = facts();
    const finding = supervisionUnknownArtefact({ run: `run-${number}`, items: told.items });
    if (finding !== undefined) counts.unknown += 1;
    if (finding !== undefined || told.redone > 0) counts.hits += 1;
    if (told.items.every(({ isDone }) => isDone)) counts.completed += 1;
    if (finding !== undefined && watcher === "guard") alarms.add(finding.guard);
  }
  const { mean, sigma } = expectedHits(parameters);
  return { runs, ...counts, expected: lost === "at-random" ? `${mean.toFixed(2)}±${sigma.toFixed(2)}` : "-", alarms: [...alarms] };
}

const KINDS: readonly FaultKind[] = ["kill", "host-dead", "slow", "stop-continue"];

function system(expiry: Runs["expiry"], expect: "holds" | "fails", claim: string): System<Told> {
  return {
    name: `012/${expiry}`,
    claim,
    expect,
    build: build({ items: 2, windowMs: WINDOW_MS, expiry, lostAtMs: undefined }),
    checks: [{ id: supervisionUnknownArtefact.about.id, when: "end", alarm: ({ items }) => supervisionUnknownArtefact({ run: "run", items })?.message }],
    sometimes: { "work was done again": ({ redone }) => expiry === "ignored" || redone > 0 },
    faults: { points: [POINT], kinds: KINDS },
  };
}

/** What can be searched: two items, and one trouble of the agent at the named moment or at a call. */
export const systems = [
  system("ignored", "fails", "What is in the store is known to the ledger, although nobody looks for leases that ran out."),
  system("taken-back", "holds", "What is in the store is known to the ledger, because what nobody finished is done again."),
] as const satisfies readonly System<Told>[];

function scene(name: string, runs: Runs, expect: Seen): Scene<Runs, Seen> {
  return { name, run: manyRuns, with: runs, expect };
}

const NAMED: Runs = { runs: 1, items: 1, windowMs: WINDOW_MS, lost: "at-the-named-point", expiry: "ignored", watcher: "nobody" };
const HIT: Seen = { runs: 1, hits: 1, expected: "-", unknown: 1, completed: 0, alarms: [] };

export const namedPoint = scene("named-point", NAMED, HIT);
export const takenBack = scene("taken-back", { ...NAMED, expiry: "taken-back", watcher: "guard" }, { ...HIT, unknown: 0, completed: 1 });
export const nothingLost = scene("nothing-lost", { ...NAMED, lost: "never", watcher: "guard" }, { ...HIT, hits: 0, unknown: 0, completed: 1 });
/** The same loss at a moment that is drawn: what a test that kills at random finds. */
export const atRandom = scene("at-random", { ...NAMED, runs: 200, lost: "at-random", watcher: "guard" }, { ...HIT, runs: 200, hits: 0, expected: "0.02±0.15", unknown: 0, completed: 0 });
/** A window a hundred times as long, so that there is something to count. */
export const wideWindow = scene("at-random-wide", { ...atRandom.with, runs: 500, windowMs: 100 * WINDOW_MS }, { ...atRandom.expect, runs: 500, hits: 4, expected: "5.89±2.41", unknown: 4, alarms: ["supervision/unknown-artefact"] });

export const repro = defineRepro({
  id: "012",
  claim: "A machine that is lost between the artefact and the transition leaves work that is done in the store and unknown to the ledger, and a loss at a random moment meets that window once in 8,491 runs.",
  seed: 12,
  epoch: EPOCH,
  broken: namedPoint,
  fixed: takenBack,
  control: nothingLost,
  shown: [namedPoint, atRandom, takenBack, nothingLost],
  more: [wideWindow],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(14)} ${counters(facts)}`),
});

function counters({ runs, hits, expected, unknown, completed, alarms }: Seen): string {
  const isSilent = unknown > 0 && alarms.length === 0;
  return `runs=${runs} window_met=${hits} expected=${expected} unknown_to_ledger=${unknown} completed=${completed} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`;
}

await runAsScript(import.meta, repro);
