/**
 * Begins an agent below a parent: a slot and the budget for it, then its record, then what it owes its parent, then the process. Each is
 * a step of its own, so that a parent may die between any two; what it leaves is found by its run and given back behind the record.
 * Each step may be tried again under the same owner: who finds its own write has made it, and spends nothing twice.
 */
import type { LedgerChange, LedgerRow, TransitionAnswer } from "@casebook/ports";
import { attempt, fewCalls, persist } from "./bounded.ts";
import type { Counter, RunRow } from "./judge/index.ts";
import { POINTS } from "./points.ts";
import { obligationId } from "./run-spec.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

export type Spawned =
  | { readonly outcome: "spawned"; readonly owner: string; readonly process: string }
  | { readonly outcome: "exhausted"; readonly counter: Counter }
  /** No slot is free, none answers, or the run is over. */
  | { readonly outcome: "not-spawned"; readonly why: string }
  /** The ledger did not answer as long as it was tried. `unfinished`: what it may hold of it already; who begins it again goes on from there. */
  | { readonly outcome: "unanswered"; readonly unfinished: Unfinished | undefined };

export interface Unfinished {
  readonly owner: string;
  readonly process: string;
}

export interface Child {
  readonly run: Pick<RunRow, "id" | "deadlineAtMs">;
  readonly name: string;
  readonly parent: string;
}

/** Slots that are tried before it is given up. */
const MAX_SLOTS = 8;
export async function spawnAgent(ports: SupervisorPorts, settings: SupervisorSettings, child: Child, unfinished?: Unfinished): Promise<Spawned> {
  const tried = new Set<string>();
  let place = unfinished;
  while (tried.size < MAX_SLOTS) {
    if (place === undefined) {
      const slots = await persist(ports, fewCalls(ports, settings, child.run), () => ports.ledger.list("slots", { run: null, isLost: false }));
      if (slots === undefined) return { outcome: "unanswered", unfinished: undefined };
      // A stale answer offers again what is taken.
      const slot = slots.find(({ id }) => !tried.has(id));
      if (slot === undefined) return { outcome: "not-spawned", why: "no-free-slot" };
      // Of this begin only: who is begun anew is another owner. A stable name is what a bad fence goes by.
      place = { owner: settings.policies.fence === "owner-name" ? child.name : ports.ids.next(child.name), process: slot.id };
    }
    tried.add(place.process);
    const spawned = await spawnAt(ports, settings, child, place);
    if (spawned !== "try-another") return spawned;
    place = undefined;
  }
  return { outcome: "not-spawned", why: "no-slot-answers" };
}

async function spawnAt(ports: SupervisorPorts, settings: SupervisorSettings, child: Child, place: Unfinished): Promise<Spawned | "try-another"> {
  const { ledger, faults } = ports;
  const { name, parent } = child;
  const run = child.run.id;
  const { owner, process } = place;
  const unanswered: Spawned = { outcome: "unanswered", unfinished: place };
  const takeSlot: LedgerChange = { table: "slots", id: process, when: { run: null, isLost: false }, set: { run, agent: name, owner } };
  const admitted = await persist(ports, fewCalls(ports, settings, child.run), () => spend(ports, settings, run, takeSlot));
  if (admitted === undefined) return unanswered;
  if (admitted !== "spent") return admitted === "slot-taken" ? "try-another" : admitted;
  await faults.reach(POINTS.afterAdmitted);
  const agentId = `${run}/${owner}`;
  const agent = { run, name, parent, process, owner, status: "running" };
  const recorded = await persist(ports, fewCalls(ports, settings, child.run), () =>
    ledger.transition("agent.recorded", [
      { table: "agents", id: agentId, when: "absent", set: agent },
      { table: "runs", id: run, when: { state: "running" } },
    ]),
  );
  if (recorded === undefined) return unanswered;
  if (!isMade(recorded, agent)) return giveUp();
  await faults.reach(POINTS.afterChildRecord);
  const owed = { run, debtor: owner, creditor: parent, kind: "agent", status: "open", why: null };
  const owing = await persist(ports, fewCalls(ports, settings, child.run), () =>
    ledger.transition("obligation.opened", [
      { table: "obligations", id: obligationId(run, owner), when: "absent", set: owed },
      { table: "runs", id: run, when: { state: "running" }, add: { obligationsOpen: 1 } },
    ]),
  );
  if (owing === undefined) return unanswered;
  if (!isMade(owing, owed)) return giveUp();
  const begun = await attempt(ports, settings.callMs, () => ports.spawner.spawn(process));
  if (begun.outcome === "done" && begun.value === "started") {
    ports.log.write("info", "supervisor.agent-spawned", { run, agent: name, owner, process, parent });
    return { outcome: "spawned", owner, process };
  }
  // The machine does not answer, or somebody who was given up still runs there. It is not tried again.
  await persist(ports, fewCalls(ports, settings, child.run), () =>
    ledger.transition("slot.lost", [
      { table: "slots", id: process, when: { owner }, set: { run: null, agent: null, owner: null, isLost: true } },
      { table: "agents", id: agentId, when: {}, set: { status: "lost" } },
      { table: "obligations", id: obligationId(run, owner), when: { status: "open" }, set: { status: "closed", why: "not-spawned" } },
      { table: "runs", id: run, when: {}, add: { obligationsOpen: -1 } },
    ]),
  );
  return "try-another";

  async function giveUp(): Promise<Spawned> {
    await attempt(ports, settings.callMs, () => ledger.transition("slot.freed", [{ table: "slots", id: process, when: { owner }, set: { run: null, agent: null, owner: null } }]));
    return { outcome: "not-spawned", why: "run-is-over" };
  }
}

/** By this try, or by an earlier one whose answer was lost: then it is refused, and the row is there as it was to be. */
function isMade(answer: TransitionAnswer, fields: Readonly<Record<string, LedgerRow[string]>>): boolean {
  return answer.outcome === "applied" || (answer.at === 0 && Object.entries(fields).every(([field, value]) => answer.row?.[field] === value));
}

type Spent = "spent" | "slot-taken" | Spawned;

async function spend({ ledger }: SupervisorPorts, { policies, spawnTokens }: SupervisorSettings, run: string, takeSlot: LedgerChange): Promise<Spent> {
  const row = (await ledger.read("runs", run)) as RunRow | undefined;
  // A stale answer: whoever begins an agent knows of the run.
  if (row === undefined) throw Object.assign(new Error("RUN_NOT_SEEN"), { code: "RUN_NOT_SEEN" });
  const add = { agents: 1, tokens: spawnTokens };
  // Two spawns at the same moment both pass a check that is not part of the spending.
  if (policies.spending === "check-then-spend") {
    if (row.agents >= row.maxAgents) return { outcome: "exhausted", counter: "agents" };
    const answer = await ledger.transition("agent.admitted", [takeSlot, { table: "runs", id: run, when: { state: "running" }, add }]);
    return isMade(answer, takeSlot.set ?? {}) ? "spent" : answer.outcome === "refused" && answer.at === 0 ? "slot-taken" : { outcome: "not-spawned", why: "run-is-over" };
  }
  const atMost = { agents: row.maxAgents, tokens: row.maxTokens };
  const answer = await ledger.transition("agent.admitted", [takeSlot, { table: "runs", id: run, when: { state: "running" }, add, atMost }]);
  if (answer.outcome === "applied" || isMade(answer, takeSlot.set ?? {})) return "spent";
  if (answer.at === 0) return "slot-taken";
  return answer.why === "over" ? { outcome: "exhausted", counter: answer.field as Counter } : { outcome: "not-spawned", why: "run-is-over" };
}
