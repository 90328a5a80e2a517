/**
 * Begins an agent below a parent: a slot and the budget for it, then its record, then what it owes its parent, then the process. Each is
 * a step of its own, so that a parent may die between any two; what it leaves is found by its run and given back behind the record.
 */
import type { Ledger, LedgerChange } from "@casebook/ports";
import { attempt } from "./bounded.ts";
import type { Counter, RunRow, SlotRow } from "./judge/index.ts";
import { POINTS } from "./points.ts";
import { obligationId } from "./run-spec.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

export type Spawned =
  | { readonly outcome: "spawned"; readonly owner: string; readonly process: string }
  | { readonly outcome: "exhausted"; readonly counter: Counter }
  /** No slot is free, the run is over, or the ledger did not answer. */
  | { readonly outcome: "not-spawned"; readonly why: string };

export interface Child {
  readonly run: string;
  readonly name: string;
  readonly parent: string;
}

/** Slots that are tried before it is given up. */
const MAX_TRIES = 8;

export async function spawnAgent(ports: SupervisorPorts, settings: SupervisorSettings, child: Child): Promise<Spawned> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const slots = await attempt(ports, settings.callMs, () => ports.ledger.list("slots", { run: null, isLost: false }));
    if (slots.outcome === "failed") return { outcome: "not-spawned", why: slots.why };
    const slot = slots.value[0] as SlotRow | undefined;
    if (slot === undefined) return { outcome: "not-spawned", why: "no-free-slot" };
    const spawned = await spawnAt(ports, settings, child, slot.id);
    if (spawned !== "try-another") return spawned;
  }
  return { outcome: "not-spawned", why: "no-slot-answers" };
}

async function spawnAt(ports: SupervisorPorts, settings: SupervisorSettings, child: Child, process: string): Promise<Spawned | "try-another"> {
  const { ledger, faults } = ports;
  const { run, name, parent } = child;
  // Of this begin only: who is begun again is another owner. A stable name is what a bad fence goes by.
  const owner = settings.policies.fence === "owner-name" ? name : ports.ids.next(name);
  const takeSlot: LedgerChange = { table: "slots", id: process, when: { run: null, isLost: false }, set: { run, agent: name, owner } };
  const admitted = await attempt(ports, settings.callMs, () => spend(ports, settings, run, takeSlot));
  if (admitted.outcome === "failed") return { outcome: "not-spawned", why: admitted.why };
  if (admitted.value !== "spent") return admitted.value === "slot-taken" ? "try-another" : admitted.value;
  await faults.reach(POINTS.afterAdmitted);
  const agentId = `${run}/${owner}`;
  const record = (): ReturnType<Ledger["transition"]> =>
    ledger.transition("agent.recorded", [
      { table: "agents", id: agentId, when: "absent", set: { run, name, parent, process, owner, status: "running" } },
      { table: "runs", id: run, when: { state: "running" } },
    ]);
  const recorded = await attempt(ports, settings.callMs, record);
  if (recorded.outcome === "failed" || recorded.value.outcome === "refused") return giveUp(recorded.outcome === "failed" ? recorded.why : "run-is-over");
  await faults.reach(POINTS.afterChildRecord);
  const owing = await attempt(ports, settings.callMs, () =>
    ledger.transition("obligation.opened", [
      { table: "obligations", id: obligationId(run, owner), when: "absent", set: { run, debtor: owner, creditor: parent, kind: "agent", status: "open", why: null } },
      { table: "runs", id: run, when: { state: "running" }, add: { obligationsOpen: 1 } },
    ]),
  );
  if (owing.outcome === "failed" || owing.value.outcome === "refused") return giveUp(owing.outcome === "failed" ? owing.why : "run-is-over");
  const begun = await attempt(ports, settings.callMs, () => ports.spawner.spawn(process));
  if (begun.outcome === "done" && begun.value === "started") {
    ports.log.write("info", "supervisor.agent-spawned", { run, agent: name, owner, process, parent });
    return { outcome: "spawned", owner, process };
  }
  // The machine does not answer, or somebody who was given up still runs there. It is not tried again.
  await attempt(ports, settings.callMs, () =>
    ledger.transition("slot.lost", [
      { table: "slots", id: process, when: { owner }, set: { run: null, agent: null, owner: null, isLost: true } },
      { table: "agents", id: agentId, when: {}, set: { status: "lost" } },
      { table: "obligations", id: obligationId(run, owner), when: { status: "open" }, set: { status: "closed", why: "not-spawned" } },
      { table: "runs", id: run, when: {}, add: { obligationsOpen: -1 } },
    ]),
  );
  return "try-another";

  async function giveUp(why: string): Promise<Spawned> {
    await attempt(ports, settings.callMs, () => ledger.transition("slot.freed", [{ table: "slots", id: process, when: { owner }, set: { run: null, agent: null, owner: null } }]));
    return { outcome: "not-spawned", why };
  }
}

type Spent = "spent" | "slot-taken" | Spawned;

async function spend({ ledger }: SupervisorPorts, { policies, spawnTokens }: SupervisorSettings, run: string, takeSlot: LedgerChange): Promise<Spent> {
  const row = (await ledger.read("runs", run)) as RunRow | undefined;
  if (row === undefined) return { outcome: "not-spawned", why: "unknown-run" };
  const add = { agents: 1, tokens: spawnTokens };
  // Two spawns at the same moment both pass a check that is not part of the spending.
  if (policies.spending === "check-then-spend") {
    if (row.agents >= row.maxAgents) return { outcome: "exhausted", counter: "agents" };
    const answer = await ledger.transition("agent.admitted", [takeSlot, { table: "runs", id: run, when: { state: "running" }, add }]);
    return answer.outcome === "applied" ? "spent" : answer.at === 0 ? "slot-taken" : { outcome: "not-spawned", why: "run-is-over" };
  }
  const atMost = { agents: row.maxAgents, tokens: row.maxTokens };
  const answer = await ledger.transition("agent.admitted", [takeSlot, { table: "runs", id: run, when: { state: "running" }, add, atMost }]);
  if (answer.outcome === "applied") return "spent";
  if (answer.at === 0) return "slot-taken";
  return answer.why === "over" ? { outcome: "exhausted", counter: answer.field as Counter } : { outcome: "not-spawned", why: "run-is-over" };
}
