/**
 * Case 013: a lost machine is not a killed process.
 *
 * A supervisor takes an item back when the connection to its agent ends. A killed process closes its connections, so every test with a
 * kill is green within milliseconds. A machine that is gone closes nothing: the item stays with it until something else runs out.
 *
 * Models a supervisor, agents, a broker that hears from them, and a watch on the lease of one item, each on a machine of its own. Leaves
 * out the keepalive of the connection itself, which is longer than all of these by default, and what the work is.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { playAlone, staying, type System } from "@casebook/explore";
import { commitFile } from "@casebook/file-commit";
import { lockStale } from "@casebook/guards";
import { type Ledger, type LedgerFields, type LedgerRow, withinDeadline } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, asynchronousRunner, type Build, createSimulation, type FaultKind, type LedgerState, type ProcessPorts, type Space } from "@casebook/sim/kernel";
import type { ItemRow } from "@casebook/supervisor/judge";
import { exportedRun } from "@casebook/supervisor/scenarios";

const EPOCH = "2026-09-03T09:00:00Z";
const SECOND_MS = 1_000;
const RENEW_MS = 30 * SECOND_MS;
const CALL_MS = 5 * SECOND_MS;
const WORK_MS = 60 * SECOND_MS;
/** An agent tells the broker so often that it is there. */
const BEAT_MS = 20 * SECOND_MS;
/** The lease is looked at when it runs out, and at least so often. */
const LOOK_MS = 45 * SECOND_MS;
/** The run's time, and when an operator looks at what is left of it. */
const RUN_MS = 600 * SECOND_MS;
const ITEM = "part";
const AGENTS = 3;
/** What the operator has of the ledger then: the run and its item, as a supervisor keeps them. */
const EXPORT = "/ledger.jsonl";

export interface Loss {
  /** What becomes of the first agent, right behind its claim. */
  readonly lost: "nothing" | "process" | "machine" | "network";
  /** What the supervisor takes an item back for. */
  readonly evidence: "connection-end" | "connection-end-or-expiry";
  readonly leaseMs: number;
  /** A broker takes a consumer for gone that was silent so long. */
  readonly silenceMs: number;
  readonly watcher: "nobody" | "guard";
}

const FAULTS = {
  nothing: [],
  process: [{ at: "agent.after-claim", kind: "kill" }],
  machine: [{ at: "agent.after-claim", kind: "host-dead" }],
  network: [{ at: "agent.after-claim", kind: "host-unreachable", forMs: 300 * SECOND_MS }],
} as const satisfies Record<Loss["lost"], readonly ArmedFault[]>;

export function build(loss: Loss): Build<Told> {
  return (space) => {
    const ledger = space.ledger("ledger");
    ledger.tables.set("items", new Map([[ITEM, { id: ITEM, status: "open", owner: null, epoch: 0, renewedAtMs: 0, expiresAtMs: 0 }]]));
    space.process("supervisor", (ports) => supervise(ports, ledger, loss));
    for (let number = 1; number <= AGENTS; number += 1) space.process(`agent-${number}`, (ports) => work(ports, ledger, loss), { isSpawned: true });
    space.process("broker", (ports) => hearAgents(ports, loss), { isDaemon: true });
    space.process("lease-watch", (ports) => watchLease(ports, ports.ledger(ledger), loss), { isDaemon: true });
    return { facts: () => tell(space, ledger) };
  };
}

/** Begins an agent, and another when it takes the item back, as long as the run lasts. */
async function supervise(ports: ProcessPorts, state: LedgerState, { evidence }: Loss): Promise<void> {
  const { clock, network } = ports;
  const ledger = ports.ledger(state);
  const untilMs = clock.now() + RUN_MS;
  let agent = 1;
  await ports.spawn("agent-1");
  let receiving = network.receive();
  for (;;) {
    const heard = await withinDeadline(clock, Math.max(0, untilMs - clock.now()), receiving);
    if (heard.outcome !== "done") return;
    receiving = network.receive();
    const { kind, from } = heard.value;
    const isEnd = kind === "closed" && from === `agent-${agent}`;
    const isExpiry = kind === "message" && from === "lease-watch";
    if (isEnd) note(ports, "connection-ended", { agent });
    if (!isEnd && !(isExpiry && evidence === "connection-end-or-expiry")) continue;
    const { status = null, epoch = null }: LedgerFields = (await ledger.read("items", ITEM)) ?? {};
    if (status === "done") return;
    if (agent === AGENTS) continue;
    if (status === "claimed") {
      const taken = await ledger.transition("taken-back", [{ table: "items", id: ITEM, when: { status, epoch }, set: { status: "open", owner: null } }]);
      if (taken.outcome === "refused") continue;
      note(ports, "taken-back");
    }
    agent += 1;
    await ports.spawn(`agent-${agent}`);
  }
}

async function work(ports: ProcessPorts, state: LedgerState, { leaseMs }: Loss): Promise<void> {
  const { clock, network, process } = ports;
  const ledger = ports.ledger(state);
  await network.request("broker", "here", CALL_MS);
  await network.send("supervisor", "here");
  const epoch = Number((await ledger.read("items", ITEM))?.["epoch"]) + 1;
  let expiresAtMs = clock.now() + leaseMs;
  const lease = () => ({ renewedAtMs: expiresAtMs - leaseMs, expiresAtMs });
  const claimed = await ledger.transition("claimed", [{ table: "items", id: ITEM, when: { status: "open", epoch: epoch - 1 }, set: { status: "claimed", owner: process.name, epoch, ...lease() } }]);
  if (claimed.outcome === "refused") return;
  note(ports, "claimed");
  await ports.faults.reach("agent.after-claim");
  const mine = { status: "claimed", owner: process.name, epoch };
  const doneAtMs = clock.now() + WORK_MS;
  let beatAtMs = clock.now() + BEAT_MS;
  let renewAtMs = clock.now() + RENEW_MS;
  while (clock.now() < doneAtMs) {
    await clock.sleep(Math.max(0, Math.min(beatAtMs, renewAtMs, doneAtMs, expiresAtMs) - clock.now()));
    // By its own clock, and needs nobody to tell it.
    if (clock.now() >= expiresAtMs) return note(ports, "stopped-itself");
    if (clock.now() >= beatAtMs) {
      beatAtMs += BEAT_MS;
      await withinDeadline(clock, CALL_MS, network.send("broker", "here"));
    }
    if (clock.now() >= renewAtMs) {
      renewAtMs += RENEW_MS;
      const nextMs = clock.now() + leaseMs;
      const renewed = await withinDeadline(clock, CALL_MS, ledger.transition("renewed", [{ table: "items", id: ITEM, when: mine, set: { renewedAtMs: nextMs - leaseMs, expiresAtMs: nextMs } }]));
      if (renewed.outcome === "done" && renewed.value.outcome === "refused") return note(ports, "stopped-itself");
      if (renewed.outcome === "done") expiresAtMs = nextMs;
    }
  }
  await ports.faults.reach("agent.before-finish");
  const finishing = ledger.transition("finished", [{ table: "items", id: ITEM, when: mine, set: { status: "done" } }]);
  const finished = await withinDeadline(clock, Math.max(0, expiresAtMs - clock.now()), finishing);
  if (finished.outcome !== "done") note(ports, "stopped-itself");
}

/** Takes an agent for gone when its connection ends or when nothing was heard of it for too long. Nobody acts on it here. */
async function hearAgents(ports: ProcessPorts, { silenceMs }: Loss): Promise<void> {
  const { clock, network } = ports;
  const heardAtMs = new Map<string, number>();
  let receiving = network.receive();
  for (;;) {
    const next = Math.min(...heardAtMs.values()) + silenceMs;
    const heard = heardAtMs.size === 0 ? { outcome: "done", value: await receiving } as const : await withinDeadline(clock, Math.max(0, next - clock.now()), receiving);
    if (heard.outcome === "done") {
      receiving = network.receive();
      const { kind, from } = heard.value;
      if (kind === "message") {
        heardAtMs.set(from, clock.now());
        await heard.value.answer("known");
      } else if (heardAtMs.delete(from)) note(ports, "broker-gave-up", { agent: from });
      continue;
    }
    for (const [agent, atMs] of heardAtMs) {
      if (atMs + silenceMs > clock.now()) continue;
      heardAtMs.delete(agent);
      note(ports, "broker-gave-up", { agent });
    }
  }
}

/** Says when the lease on the item has run out, or when nobody has claimed it for as long as a lease lasts. Once for each claim. */
async function watchLease(ports: ProcessPorts, { read }: Pick<Ledger, "read">, { leaseMs }: Loss): Promise<void> {
  const { clock } = ports;
  let untilMs = clock.now() + leaseMs;
  let seen = "";
  for (;;) {
    const item = await read("items", ITEM);
    if (item === undefined || item["status"] === "done") return;
    const now = `${String(item["status"])} ${String(item["epoch"])}`;
    const isNews = now !== seen;
    if (item["status"] === "claimed") untilMs = Number(item["expiresAtMs"]);
    else if (isNews) untilMs = clock.now() + leaseMs;
    seen = now;
    if (clock.now() < untilMs) {
      await clock.sleep(Math.min(untilMs - clock.now(), LOOK_MS));
      continue;
    }
    if (item["status"] === "claimed") note(ports, "lease-expired", { epoch: Number(item["epoch"]) });
    await ports.network.send("supervisor", "expired");
    await clock.sleep(LOOK_MS);
  }
}

type Event = "claimed" | "connection-ended" | "broker-gave-up" | "lease-expired" | "taken-back" | "stopped-itself";

function note({ log }: ProcessPorts, event: Event, facts: Readonly<Record<string, string | number>> = {}): void {
  log.write("info", event, facts);
}

/** Times in milliseconds since the first claim; undefined: it did not come to that. */
export interface Told {
  readonly connectionMs: number | undefined;
  readonly brokerMs: number | undefined;
  readonly leaseMs: number | undefined;
  readonly takenBackMs: number | undefined;
  readonly stoppedItselfMs: number | undefined;
  /** Of the claim under which the item was finished; 0: it was not. */
  readonly finishedEpoch: number;
  readonly renewedAtMs: number;
  /** As it stands in the ledger. */
  readonly item: LedgerRow | undefined;
}

function tell({ log }: Space, { tables }: LedgerState): Told {
  const beganAtMs = log.find(({ event, process }) => event === "claimed" && process === "agent-1")?.atMs ?? 0;
  const since = (isIt: (entry: Space["log"][number]) => boolean): number | undefined => {
    const atMs = log.find(isIt)?.atMs;
    return atMs === undefined ? undefined : atMs - beganAtMs;
  };
  const item = tables.get("items")?.get(ITEM);
  return {
    connectionMs: since(({ event, facts }) => event === "connection-ended" && facts["agent"] === 1),
    brokerMs: since(({ event, facts }) => event === "broker-gave-up" && facts["agent"] === "agent-1"),
    leaseMs: since(({ event, facts }) => event === "lease-expired" && facts["epoch"] === 1),
    takenBackMs: since(({ event }) => event === "taken-back"),
    stoppedItselfMs: since(({ event, process }) => event === "stopped-itself" && process === "agent-1"),
    finishedEpoch: item?.["status"] === "done" ? Number(item["epoch"]) : 0,
    renewedAtMs: item?.["status"] === "claimed" ? Number(item["renewedAtMs"]) : Number.NaN,
    item,
  };
}

const FINISHED: System<Pick<Told, "finishedEpoch" | "takenBackMs">>["checks"][number] = {
  id: "item/finished",
  when: "end",
  alarm: ({ finishedEpoch }) => (finishedEpoch > 0 ? undefined : "the item was not finished within ten minutes, by nobody"),
};

const KINDS: readonly FaultKind[] = ["kill", "host-dead", "host-unreachable", "stop-continue"];

function system(evidence: Loss["evidence"], expect: "holds" | "fails", claim: string): System<Pick<Told, "finishedEpoch" | "takenBackMs">> {
  return {
    name: `013/${evidence}`,
    claim,
    expect,
    build: (space) => {
      const { facts } = build({ ...MACHINE, evidence })(space);
      return {
        facts: () => {
          const { finishedEpoch, takenBackMs } = facts();
          return { finishedEpoch, takenBackMs };
        },
      };
    },
    checks: [FINISHED],
    sometimes: { "an item was taken back and finished by another": ({ finishedEpoch }) => finishedEpoch > 1 },
    faults: { points: ["agent.after-claim", "agent.before-finish"], kinds: KINDS },
  };
}

const MACHINE: Loss = { lost: "machine", evidence: "connection-end", leaseMs: 90 * SECOND_MS, silenceMs: 60 * SECOND_MS, watcher: "nobody" };

/** What can be searched: one item, and one loss of its agent in either window. */
export const systems = [
  system("connection-end", "fails", "An item comes back when the connection to its agent ends."),
  system("connection-end-or-expiry", "holds", "An item comes back when the connection to its agent ends, or when its lease runs out."),
] as const;

export function systemOf(evidence: string): (typeof systems)[number] {
  const found = systems.find(({ name }) => name === `013/${evidence}`);
  if (found === undefined) throw new Error(`SYSTEM_UNKNOWN: case 013 has no system "${evidence}"; there are ${systems.map(({ name }) => name).join(", ")}.`);
  return found;
}

export interface Seen extends Facts {
  /** When each found out, since the loss: the end of the connection, the broker's silence, the expiry of the lease. */
  readonly connection: string;
  readonly broker: string;
  readonly lease: string;
  readonly takenBack: string;
  readonly stoppedItself: string;
  /** The claim under which the item was finished. */
  readonly finished: string;
  readonly alarms: readonly string[];
}

async function oneLoss({ ports }: World, loss: Loss): Promise<Seen> {
  const beganAtMs = ports.clock.now();
  const { execution, facts } = createSimulation(build(loss), { chooser: { choose: staying }, faults: FAULTS[loss.lost], epoch: beganAtMs });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { steps: execution.steps.length, trace: execution.hash() });
  const told = facts();
  await ports.clock.sleep(beganAtMs + RUN_MS - ports.clock.now());
  await commitFile(ports, EXPORT, new TextEncoder().encode(exportOf(told.item, loss, beganAtMs)));
  const text = (ms: number | undefined): string => (ms === undefined ? "never" : `${(ms / SECOND_MS).toFixed(3)}s`);
  // What is left for an operator to see: an item that is claimed, and how old its lease is.
  const locks = Number.isNaN(told.renewedAtMs) ? [] : [{ path: `items/${ITEM}`, atMs: told.renewedAtMs, staleAfterMs: loss.leaseMs }];
  const finding = loss.watcher === "guard" ? lockStale({ locks, nowMs: beganAtMs + RUN_MS }) : undefined;
  return {
    connection: text(told.connectionMs),
    broker: text(told.brokerMs),
    lease: text(told.leaseMs),
    takenBack: text(told.takenBackMs),
    stoppedItself: text(told.stoppedItselfMs),
    finished: told.finishedEpoch === 0 ? "never" : `claim ${told.finishedEpoch}`,
    alarms: finding === undefined ? [] : [finding.guard],
  };
}

function exportOf(item: LedgerRow | undefined, { leaseMs }: Loss, beganAtMs: number): string {
  const { status, owner, epoch, expiresAtMs } = item as LedgerRow & Pick<ItemRow, "status" | "owner" | "epoch" | "expiresAtMs">;
  const uri = status === "done" ? `${ITEM}/${epoch}` : null;
  return exportedRun({ beganAtMs, atMs: beganAtMs + RUN_MS, deadlineAtMs: beganAtMs + RUN_MS, items: [{ name: ITEM, status, owner, epoch, claimedAtMs: expiresAtMs - leaseMs, expiresAtMs, uri }] });
}

function scene(name: string, loss: Loss, expect: Seen): Scene<Loss, Seen> {
  return { name, run: oneLoss, with: loss, expect };
}

const LOST: Seen = { connection: "never", broker: "60.000s", lease: "90.000s", takenBack: "never", stoppedItself: "never", finished: "never", alarms: [] };

export const machineLost = scene("machine", MACHINE, LOST);
export const killed = scene("killed", { ...MACHINE, lost: "process", watcher: "guard" }, { ...LOST, connection: "0.000s", broker: "0.000s", lease: "never", takenBack: "0.000s", finished: "claim 2" });
export const byLease = scene("machine-by-lease", { ...MACHINE, evidence: "connection-end-or-expiry", watcher: "guard" }, { ...LOST, takenBack: "90.000s", finished: "claim 2" });
export const cutOff = scene("cut-off-by-lease", { ...byLease.with, lost: "network" }, { ...byLease.expect, stoppedItself: "90.000s" });
/** Nothing is closed before the network is back. What the agent had sent before it stopped itself arrives with it. */
export const cutOffBroken = scene("cut-off", { ...MACHINE, lost: "network", watcher: "guard" }, { ...LOST, connection: "300.000s", stoppedItself: "90.000s", finished: "claim 1" });
export const nothingLost = scene("nothing-lost", { ...byLease.with, lost: "nothing" }, { ...LOST, connection: "60.000s", lease: "never", finished: "claim 1" });

export const repro = defineRepro({
  id: "013",
  claim: "A supervisor that takes work back when a connection ends recovers from a killed process at once and from a lost machine never, because a lost machine closes nothing.",
  seed: 13,
  epoch: EPOCH,
  broken: machineLost,
  fixed: byLease,
  control: killed,
  shown: [killed, machineLost, byLease, cutOff],
  more: [cutOffBroken, nothingLost],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(16)} ${counters(facts)}`),
});

function counters({ connection, broker, lease, takenBack, stoppedItself, finished, alarms }: Seen): string {
  const isSilent = finished === "never" && alarms.length === 0;
  return (
    `connection_end=${connection} broker_silence=${broker} lease_expiry=${lease} taken_back=${takenBack} stopped_itself=${stoppedItself} ` +
    `finished=${finished} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
