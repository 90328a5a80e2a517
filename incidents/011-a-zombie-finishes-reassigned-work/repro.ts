/**
 * Case 011: a zombie finishes reassigned work.
 *
 * An agent stalls with an artefact in its hands, longer than its lease lasts. Its item is given to another, under the same owner name.
 * It wakes, and believes that the item is still its own: it renews the lease, gives the lock back and calls the item done. Each of
 * these writes asks for the owner's name, and the name is right.
 *
 * Models a ledger with one item and one lock, a supervisor that takes an item back when its lease has run out, two agents, and a
 * neighbour that waits for the lock. Leaves out what the work is, and an agent that stops by itself when its lease is over.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { playAlone, staying, type System } from "@casebook/explore";
import { supervisionStaleEpochWrite } from "@casebook/guards";
import { claim, type Lease, type LedgerFields } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, asynchronousRunner, type Build, createSimulation, type FaultKind, type LedgerState, type ProcessPorts } from "@casebook/sim/kernel";

const EPOCH = "2026-09-03T09:00:00Z";
const SECOND_MS = 1_000;
const LEASE_MS = 90 * SECOND_MS;
const WORK_MS = 40 * SECOND_MS;
const POLL_MS = 5 * SECOND_MS;
const ITEM = "part";
const LOCK = "report";
/** Attempts at the item; after the last one it is left. */
const ATTEMPTS = 3;
const HEAL_MS = 600 * SECOND_MS;

export interface Work {
  /** What an agent is called in the ledger: one name for whoever does this part, or a new one for each begin. */
  readonly owner: "stable" | "own";
  /** What a write has to match. */
  readonly fence: "none" | "owner" | "owner-and-epoch";
  /** How long the first agent stands still behind its artefact; 0: not at all. */
  readonly stalledMs: number;
  readonly watcher: "nobody" | "guard";
}

export function build(work: Work): Build<Told> {
  return (space) => {
    const ledger = space.ledger("ledger");
    const store = space.artefacts("store");
    ledger.tables.set("items", new Map([[ITEM, { id: ITEM, status: "open", owner: null, epoch: 0, expiresAtMs: 0, under: 0, uri: null }]]));
    ledger.tables.set("locks", new Map([[LOCK, { id: LOCK, owner: null, epoch: 0, under: 0 }]]));
    space.process("supervisor", (ports) => handOut(ports, ledger));
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      space.process(`agent-${attempt}`, (ports) => doItem(ports, ledger, (uri) => ports.artefacts(store).put(uri, `by ${ports.process.name}`), work), { isSpawned: true });
    }
    space.process("neighbour", (ports) => waitForLock(ports, ledger));
    return { facts: () => tell(ledger) };
  };
}

/** Begins an agent, and another one each time a lease has run out. */
async function handOut(ports: ProcessPorts, state: LedgerState): Promise<void> {
  const { clock } = ports;
  const ledger = ports.ledger(state);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await ports.spawn(`agent-${attempt}`);
    for (;;) {
      await clock.sleep(POLL_MS);
      const item = await ledger.read("items", ITEM);
      if (item?.["status"] === "done") return;
      if (item === undefined || Number(item["expiresAtMs"]) > clock.now()) continue;
      const { status = null, epoch = null } = item;
      const taken = await ledger.transition("taken-back", [
        { table: "items", id: ITEM, when: { status, epoch }, set: { status: "open", owner: null } },
        { table: "locks", id: LOCK, when: {}, set: { owner: null } },
      ]);
      if (taken.outcome === "applied") break;
    }
  }
}

async function doItem(ports: ProcessPorts, state: LedgerState, put: (uri: string) => Promise<void>, { owner: naming, fence }: Work): Promise<void> {
  const { clock, faults, process } = ports;
  const ledger = ports.ledger(state);
  const item = await ledger.read("items", ITEM);
  const before = item?.["epoch"] === 0 ? undefined : ({ owner: "", epoch: Number(item?.["epoch"]), expiresAtMs: 0 } satisfies Lease);
  const taken = claim(before, naming === "stable" ? "extractor" : process.name, clock.now(), LEASE_MS);
  if (!("lease" in taken)) return;
  const { owner, epoch, expiresAtMs } = taken.lease;
  const mine = { owner, epoch, under: epoch };
  const claimed = await ledger.transition("claim", [
    { table: "items", id: ITEM, when: { status: "open", epoch: epoch - 1 }, set: { ...mine, status: "claimed", expiresAtMs } },
    { table: "locks", id: LOCK, when: { owner: null }, set: mine },
  ]);
  if (claimed.outcome === "refused") return;
  await faults.reach("agent.after-claim");
  await clock.sleep(WORK_MS);
  const uri = `${ITEM}/${epoch}`;
  await put(uri);
  await faults.reach("agent.after-artefact");
  const when: LedgerFields = fence === "none" ? {} : fence === "owner" ? { owner } : { owner, epoch };
  const write = (what: string, table: string, id: string, set: LedgerFields) => ledger.transition(what, [{ table, id, when, set: { ...set, under: epoch } }]);
  await write("heartbeat", "items", ITEM, { expiresAtMs: clock.now() + LEASE_MS });
  await write("release", "locks", LOCK, { owner: null });
  await write("finish", "items", ITEM, { status: "done", uri });
}

/** Wants the lock, by rights only when nobody works under it. */
async function waitForLock(ports: ProcessPorts, state: LedgerState): Promise<void> {
  const ledger = ports.ledger(state);
  // An agent works shorter than this, and a lease lasts longer: it comes when somebody has had the time to stall.
  await ports.clock.sleep(LEASE_MS + POLL_MS);
  for (let tries = 0; tries < 100; tries += 1) {
    const taken = await ledger.transition("lock-taken", [{ table: "locks", id: LOCK, when: { owner: null }, set: { owner: "neighbour", epoch: 0 } }]);
    if (taken.outcome === "applied") return;
    await ports.clock.sleep(POLL_MS);
  }
}

/** Counted from the journal of the ledger. */
export interface Told {
  readonly claims: number;
  /** Writes that were made under a claim that a later one had replaced. */
  readonly lateTried: number;
  readonly lateApplied: readonly string[];
  readonly finishes: number;
  /** Under which epoch the artefact was made that the ledger names, and the newest claim. */
  readonly stands: string;
  /** Whether the neighbour was given the lock while an agent worked under it. */
  readonly isLockShared: boolean;
  readonly alarm: string;
}

const LEASED: readonly string[] = ["claim", "heartbeat", "release", "finish"];

function tell({ journal, tables }: LedgerState): Told {
  const writes = journal
    .filter(({ reason }) => LEASED.includes(reason))
    .flatMap(({ reason: what, by, outcome, changes }) => changes.map(({ table, id, set }) => ({ row: `${table}/${id}`, what, by, epoch: Number(set["under"]), isApplied: outcome === "applied" })));
  const newestAt = (at: number): number => Math.max(0, ...writes.slice(0, at).filter(({ what, isApplied }) => what === "claim" && isApplied).map(({ epoch }) => epoch));
  const late = writes.filter(({ epoch }, at) => epoch < newestAt(at));
  const item = tables.get("items")?.get(ITEM);
  const applied = journal.filter(({ outcome }) => outcome === "applied");
  const lockAt = applied.findIndex(({ reason }) => reason === "lock-taken");
  // Somebody's claim stands before it, and their own finish or the taking back comes behind it.
  const lastClaim = applied.slice(0, Math.max(0, lockAt)).findLast(({ reason }) => reason === "claim");
  const isOver = lastClaim === undefined || applied.slice(applied.indexOf(lastClaim), lockAt).some(({ reason, by }) => reason === "taken-back" || (reason === "release" && by === lastClaim.by));
  return {
    claims: applied.filter(({ reason }) => reason === "claim").length,
    lateTried: late.length,
    lateApplied: late.filter(({ isApplied }) => isApplied).map(({ what }) => what),
    finishes: applied.filter(({ reason }) => reason === "finish").length,
    stands: `${String(item?.["uri"] ?? "nothing").replace(`${ITEM}/`, "epoch ")} of ${String(item?.["epoch"] ?? 0)}`,
    isLockShared: lockAt !== -1 && !isOver,
    alarm: supervisionStaleEpochWrite({ writes })?.message ?? "silent",
  };
}

function system(name: string, expect: "holds" | "fails", claimText: string, work: Partial<Work>): System<Told> {
  return {
    name: `011/${name}`,
    claim: claimText,
    expect,
    build: build({ ...ZOMBIE, stalledMs: 0, ...work }),
    checks: [{ id: supervisionStaleEpochWrite.about.id, when: "end", alarm: ({ alarm }) => (alarm === "silent" ? undefined : alarm) }],
    sometimes: { "an item was claimed twice": ({ claims }) => claims > 1, "somebody wrote late": ({ lateTried }) => lateTried > 0 },
    faults: { points: ["agent.after-claim", "agent.after-artefact"], kinds: KINDS },
    healMs: HEAL_MS,
  };
}

const KINDS: readonly FaultKind[] = ["stop-continue", "slow", "kill", "host-unreachable", "clock-jump"];
const ZOMBIE: Work = { owner: "stable", fence: "owner", stalledMs: 70 * SECOND_MS, watcher: "nobody" };

export function systemOf(name: string): System<Told> {
  const found = systems.find((one) => one.name === `011/${name}`);
  if (found === undefined) throw new Error(`SYSTEM_UNKNOWN: case 011 has no system "${name}"; there are ${systems.map((one) => one.name).join(", ")}.`);
  return found;
}

/** What can be searched: every order of two agents, their supervisor and the neighbour, with one fault in either window. */
export const systems = [
  system("owner-name", "fails", "A write asks for the owner, and every agent of an item has one name.", {}),
  system("epoch", "holds", "A write asks for the owner and the epoch of its claim.", { fence: "owner-and-epoch" }),
] as const satisfies readonly System<Told>[];

export interface Seen extends Facts {
  readonly claims: number;
  /** Late writes that were applied, of those that were tried. */
  readonly late: string;
  readonly applied: readonly string[];
  readonly finishes: number;
  readonly stands: string;
  readonly lockShared: boolean;
  readonly alarms: readonly string[];
}

async function oneItem({ ports }: World, work: Work): Promise<Seen> {
  const stall: ArmedFault = { at: "agent.after-artefact", kind: "stop-continue", forMs: work.stalledMs };
  const { execution, facts } = createSimulation(build(work), { chooser: { choose: staying }, faults: work.stalledMs > 0 ? [stall] : [], epoch: ports.clock.now() });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { steps: execution.steps.length, trace: execution.hash() });
  const { claims, lateTried, lateApplied, finishes, stands, isLockShared, alarm } = facts();
  return {
    claims,
    late: `${lateApplied.length}/${lateTried}`,
    applied: lateApplied,
    finishes,
    stands,
    lockShared: isLockShared,
    alarms: work.watcher === "nobody" || alarm === "silent" ? [] : [supervisionStaleEpochWrite.about.id],
  };
}

function scene(name: string, work: Work, expect: Seen): Scene<Work, Seen> {
  return { name, run: oneItem, with: work, expect };
}

const ONE: Seen = { claims: 1, late: "0/0", applied: [], finishes: 1, stands: "epoch 1 of 1", lockShared: false, alarms: [] };

/** 70 s behind 40 s of work: it wakes at 110 s, when the second agent has worked for 20 of its 40 s. */
export const zombie = scene("owner-name", ZOMBIE, { ...ONE, claims: 2, late: "3/3", applied: ["heartbeat", "release", "finish"], finishes: 2, stands: "epoch 2 of 2", lockShared: true });
export const fenced = scene("epoch", { ...ZOMBIE, fence: "owner-and-epoch", watcher: "guard" }, { ...ONE, claims: 2, late: "0/3", stands: "epoch 2 of 2" });
export const awake = scene("never-stalled", { ...ZOMBIE, stalledMs: 0, watcher: "guard" }, ONE);
/** It wakes behind the second agent's finish, and takes the item's artefact back to its own. The lock is the neighbour's by then. */
export const later = scene("wakes-later", { ...ZOMBIE, stalledMs: 200 * SECOND_MS, watcher: "guard" }, { ...zombie.expect, late: "2/3", applied: ["heartbeat", "finish"], stands: "epoch 1 of 2", lockShared: false, alarms: ["supervision/stale-epoch-write"] });
/** An owner that is called anew at each begin is a fence by accident. */
export const ownNames = scene("own-names", { ...ZOMBIE, owner: "own", watcher: "guard" }, fenced.expect);
export const unfenced = scene("no-fence", { ...ownNames.with, fence: "none" }, { ...zombie.expect, alarms: ["supervision/stale-epoch-write"] });

export const repro = defineRepro({
  id: "011",
  claim: "An agent that stalls past its lease renews, releases and finishes an item that is another's by then, when each write asks for the owner's name only.",
  seed: 11,
  epoch: EPOCH,
  broken: zombie,
  fixed: fenced,
  control: awake,
  shown: [zombie, fenced, awake],
  more: [later, ownNames, unfenced],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(13)} ${counters(facts)}`),
});

function counters({ claims, late, applied, finishes, stands, lockShared, alarms }: Seen): string {
  const isSilent = applied.length > 0 && alarms.length === 0;
  return (
    `claims=${claims} late_writes_applied=${late} (${applied.join(", ") || "none"}) finishes=${finishes} artefact=${stands} ` +
    `lock_shared=${lockShared ? "yes" : "no"} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
