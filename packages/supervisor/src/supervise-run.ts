/**
 * A supervisor of one run: begins it and its agents, hands out its items, takes back what lost agents held, and ends it: on completion,
 * when a budget is exhausted, or at its deadline. One event after the other; every wait has an end.
 */
import { type MessageDelivery, withinDeadline } from "@casebook/ports";
import { attempt, fewCalls, persist, type PersistOptions } from "./bounded.ts";
import { type Cancelled, cancelRun, type CancelReason } from "./cancel-run.ts";
import { endRun } from "./end-run.ts";
import type { AgentRow, ItemRow, LockRow, ObligationRow, RunRow } from "./judge/index.ts";
import { readToSupervisor, type ToAgent } from "./messages.ts";
import { POINTS } from "./points.ts";
import { beginChanges, obligationId, type RunSpec } from "./run-spec.ts";
import { spawnAgent, type Unfinished } from "./spawn-agent.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";
import { whileRunning } from "./do-item.ts";

/** What the supervisor remembers of an agent; the ledger has the rest. */
interface Agent {
  readonly owner: string;
  readonly name: string;
  readonly process: string;
  isOver: boolean;
  /** Why it is lost, where the ledger does not take note of it yet. */
  lostBy: string | undefined;
  heardAtMs: number;
  /** Handed out and not reported yet. */
  item: string | undefined;
  /** Its question for work that is not answered yet. */
  waiting: ((answer: ToAgent) => Promise<void>) | undefined;
}

interface ToBegin {
  readonly name: string;
  /** What the ledger may hold of it already. */
  readonly unfinished?: Unfinished | undefined;
  /** Before it was tried the last time. */
  readonly pauseMs?: number;
}

/** An agent that could not be begun. */
interface NotBegun extends ToBegin {
  readonly againAtMs: number;
}

export type Supervised = { readonly outcome: "completed" | "failed" | "not-begun" | "lost" } | ({ readonly outcome: "cancelled" } & Pick<Cancelled, "end">);

export async function superviseRun(ports: SupervisorPorts, settings: SupervisorSettings, spec: RunSpec): Promise<Supervised> {
  const { clock, ledger } = ports;
  const begunBy = ports.ids.next("supervision");
  const options = { callMs: settings.callMs, longestCallMs: settings.longestRecordMs, untilMs: clock.now() + settings.leaseMs };
  const beginning = await persist(ports, options, () => ledger.transition("run.begun", beginChanges(spec, { supervision: begunBy, process: ports.self.process }, clock.now())));
  // A stale answer knows nothing of the run yet; the one to the transition does.
  const read = beginning === undefined ? undefined : await persist(ports, options, () => ledger.read("runs", spec.id));
  const row = read ?? (beginning?.outcome === "applied" ? beginning.rows[0] : beginning?.row);
  if (row === undefined) return { outcome: "not-begun" };
  // It may be refused because an earlier try was carried out; or because somebody else supervises this run.
  if (row["begunBy"] !== begunBy) return { outcome: "lost" };
  return new Supervision(ports, settings, row as unknown as RunRow, spec).play();
}

class Supervision {
  readonly #ports: SupervisorPorts;
  readonly #settings: SupervisorSettings;
  readonly #run: RunRow;
  readonly #spec: RunSpec;
  readonly #agents = new Map<string, Agent>();
  #notBegun: readonly NotBegun[] = [];
  #ending: Supervised | undefined;
  #cancelling: Promise<void> | undefined;
  #sweepAtMs = 0;
  /** Somebody else is ending the run. Nothing is begun any more, and it is seen to that it ends. */
  #isBeingEnded = false;

  constructor(ports: SupervisorPorts, settings: SupervisorSettings, run: RunRow, spec: RunSpec) {
    this.#ports = ports;
    this.#settings = settings;
    this.#run = run;
    this.#spec = spec;
  }

  async play(): Promise<Supervised> {
    const { clock, messages } = this.#ports;
    await this.#untilDeadline(async () => {
      for (const { name } of this.#spec.agents) await this.#begin({ name });
    });
    this.#sweepAtMs = clock.now() + this.#settings.leaseMs;
    if (this.#settings.policies.patience === "none") await this.#cancel({ kind: "deadline" });
    let receiving = messages.receive();
    let heardFirst = 0;
    while (this.#ending === undefined) {
      const beginAtMs = this.#isBeingEnded ? Infinity : Math.min(...this.#notBegun.map(({ againAtMs }) => againAtMs));
      const untilMs = Math.min(this.#sweepAtMs, beginAtMs, this.#run.deadlineAtMs);
      const event = await withinDeadline(clock, Math.max(0, untilMs - clock.now()), receiving);
      if (event.outcome === "done") {
        const heardAtMs = clock.now();
        receiving = messages.receive();
        await this.#untilDeadline(() => this.#hear(event.value));
        // What came meanwhile is heard first: whose report waits here is not silent. One of each agent, or a busy run would never be looked at.
        if (clock.now() > heardAtMs && clock.now() >= this.#sweepAtMs && heardFirst < this.#agents.size) {
          heardFirst += 1;
          this.#sweepAtMs = clock.now() + 1;
        }
      }
      if (this.#ending !== undefined) break;
      if (clock.now() >= this.#run.deadlineAtMs) await this.#cancel({ kind: "deadline" });
      else if (clock.now() >= this.#sweepAtMs) {
        heardFirst = 0;
        await this.#untilDeadline(() => this.#sweep());
      } else if (clock.now() >= beginAtMs) await this.#untilDeadline(() => this.#beginAgain());
    }
    return this.#ending;
  }

  /** Nothing that the store keeps waiting may keep the deadline waiting. What is not finished by then goes on beside it, and finds the run over. */
  async #untilDeadline(work: () => Promise<void>): Promise<void> {
    const { clock } = this.#ports;
    await withinDeadline(clock, Math.max(0, this.#run.deadlineAtMs - clock.now()), work());
  }

  async #begin(agent: ToBegin): Promise<void> {
    if (this.#ending !== undefined || this.#isBeingEnded) return;
    const { name } = agent;
    const spawned = await spawnAgent(this.#ports, this.#settings, { run: this.#run, name, parent: "supervisor" }, agent.unfinished);
    if (spawned.outcome === "spawned") return void this.#know(spawned.owner, name, spawned.process);
    if (spawned.outcome === "exhausted") return this.#cancel({ kind: "exhausted", counter: spawned.counter });
    const why = spawned.outcome === "unanswered" ? "ledger-does-not-answer" : spawned.why;
    this.#ports.log.write("warning", "supervisor.agent-not-spawned", { run: this.#run.id, agent: name, why });
    if (spawned.outcome === "unanswered") this.#putOff({ ...agent, unfinished: spawned.unfinished });
    // There is a slot when somebody leaves.
    else if (why !== "run-is-over") this.#putOff({ name, pauseMs: this.#settings.leaseMs });
  }

  /** Until a pause is over that doubles up to a lease. */
  #putOff({ name, unfinished, pauseMs: lastMs }: ToBegin): void {
    const { callMs, leaseMs } = this.#settings;
    const pauseMs = lastMs === undefined ? callMs : Math.min(2 * lastMs, leaseMs);
    this.#notBegun = [...this.#notBegun, { name, unfinished, pauseMs, againAtMs: this.#ports.clock.now() + pauseMs }];
  }

  /** Those whose time has come, as long as there is work for them; and those that the ledger may hold something of: the run would wait for them. */
  async #beginAgain(): Promise<void> {
    const { clock, ledger } = this.#ports;
    const due = this.#notBegun.filter(({ againAtMs }) => againAtMs <= clock.now());
    this.#notBegun = this.#notBegun.filter((one) => !due.includes(one));
    const items = await attempt(this.#ports, this.#settings.callMs, () => ledger.list("items", { run: this.#run.id }));
    if (items.outcome === "failed") return due.forEach((one) => this.#putOff(one));
    const isWorkLeft = !this.#areOver(items.value as unknown as readonly ItemRow[]);
    for (const one of due) if (isWorkLeft || one.unfinished !== undefined) await this.#begin(one);
  }

  #know(owner: string, name: string, process: string): Agent {
    const known = this.#agents.get(owner);
    if (known !== undefined && known.process === process) return known;
    const agent: Agent = { owner, name, process, isOver: false, lostBy: undefined, heardAtMs: this.#ports.clock.now(), item: undefined, waiting: undefined };
    this.#agents.set(owner, agent);
    return agent;
  }

  async #hear(delivery: MessageDelivery): Promise<void> {
    if (delivery.kind === "closed") {
      // Who ends the run looks at what they held, and gives it back.
      if (this.#isBeingEnded) return;
      const gone = [...this.#agents.values()].filter(({ process, isOver }) => process === delivery.from && !isOver);
      for (const agent of gone) await this.#lose(agent, "connection-closed");
      return;
    }
    const told = readToSupervisor(delivery.body);
    if (told?.kind === "cancel" && told.run === this.#run.id) {
      this.#isBeingEnded = true;
      this.#sweepAtMs = Math.min(this.#sweepAtMs, this.#ports.clock.now() + this.#settings.graceMs);
      return;
    }
    if (told === undefined || told.kind === "cancel" || told.run !== this.#run.id) {
      this.#ports.log.write("warning", "supervisor.message-ignored", { from: delivery.from, run: this.#run.id });
      return;
    }
    // Begun by another agent: heard of for the first time when it asks for work.
    const agent = this.#know(told.owner, told.name, delivery.from);
    agent.heardAtMs = this.#ports.clock.now();
    const answer = (body: ToAgent): Promise<void> => delivery.answer(body);
    switch (told.kind) {
      case "next":
        agent.waiting = answer;
        return this.#handOut();
      case "done":
      case "failed":
        if (agent.item === told.item) agent.item = undefined;
        if (await this.#close(told.item.slice(this.#run.id.length + 1), told.kind)) await answer({ kind: "noted" });
        return this.#handOut();
      case "exhausted":
        await answer({ kind: "noted" });
        return this.#cancel({ kind: "exhausted", counter: told.counter });
      case "leaving":
        if (await this.#over(agent, "left")) await answer({ kind: "noted" });
        return undefined;
    }
  }

  /** Gives work to who asked for it, as far as there is some. */
  async #handOut(): Promise<void> {
    const asking = [...this.#agents.values()].filter(({ waiting, isOver }) => waiting !== undefined && !isOver);
    if (asking.length === 0 || this.#ending !== undefined || this.#isBeingEnded) return;
    const items = (await persist(this.#ports, this.#fewCalls(), () => this.#ports.ledger.list("items", { run: this.#run.id }))) as unknown as readonly ItemRow[] | undefined;
    // Who is not answered asks again.
    if (items === undefined) return;
    const isDone = (id: string): boolean => items.find((item) => item.id === id)?.status === "done";
    const given = new Set([...this.#agents.values()].filter(({ isOver }) => !isOver).map(({ item }) => item));
    // First what need not wait for a lock that others hold, or are about to take.
    const taken = new Set(items.filter(({ id, status }) => status === "claimed" || given.has(id)).flatMap(({ locks }) => locks));
    const mustWait = ({ locks }: ItemRow): boolean => locks.some((lock) => taken.has(lock));
    const ready = items.filter(({ id, status, needs }) => status === "open" && !given.has(id) && needs.every(isDone)).toSorted((one, two) => one.position - two.position);
    const next = (): ItemRow | undefined => {
      const at = ready.findIndex((item) => !mustWait(item));
      const [item] = ready.splice(Math.max(0, at), 1);
      for (const lock of item?.locks ?? []) taken.add(lock);
      return item;
    };
    const isOver = this.#areOver(items);
    for (const agent of asking) {
      const own = items.find(({ id, status }) => id === agent.item && status === "open");
      const item = own ?? next();
      if (item === undefined && !isOver) {
        agent.item = undefined;
        continue;
      }
      const { waiting } = agent;
      agent.waiting = undefined;
      agent.item = item?.id;
      await waiting?.(item === undefined ? { kind: "none" } : { kind: "work", item: item.id });
    }
  }

  /** A stale answer may know fewer items than there are. */
  #areOver(items: readonly ItemRow[]): boolean {
    return items.length >= this.#run.itemsTotal && items.every(({ status }) => status === "done" || status === "failed");
  }

  /** Closes what was owed; the one that closes the last of all completes the run. Answers whether it is closed, by this call or before. */
  async #close(debtor: string, why: string): Promise<boolean> {
    const { id } = this.#run;
    let tries = 0;
    const closed = await persist(this.#ports, this.#fewCalls(), () => {
      tries += 1;
      return this.#ports.ledger.transition("obligation.closed", [
        { table: "obligations", id: obligationId(id, debtor), when: { status: "open" }, set: { status: "closed", why } },
        { table: "runs", id, when: { state: "running" }, add: { obligationsOpen: -1 } },
      ]);
    });
    if (closed === undefined) return false;
    if (closed.outcome === "applied") await this.#completeIfLast(closed.rows[1] as unknown as RunRow);
    // An earlier try may have closed the last of all, and its answer was lost.
    else if (tries > 1) await this.#lookWhetherLast();
    return true;
  }

  async #lookWhetherLast(): Promise<void> {
    const run = await attempt(this.#ports, this.#settings.callMs, () => this.#ports.ledger.read("runs", this.#run.id));
    if (run.outcome === "done" && run.value?.["state"] === "running") await this.#completeIfLast(run.value as unknown as RunRow);
  }

  async #completeIfLast(row: RunRow): Promise<void> {
    if (row.obligationsOpen === 0) await this.#complete(row);
  }

  #fewCalls(): PersistOptions {
    return fewCalls(this.#ports, this.#settings, this.#run);
  }

  async #complete(row: RunRow): Promise<void> {
    const { faults } = this.#ports;
    await faults.reach(POINTS.afterLastObligation);
    await faults.reach(POINTS.beforeCompletion);
    const cause = row.itemsFailed > 0 ? "failed" : "completed";
    const outcome = await endRun(this.#ports, this.#settings, this.#run, { cause, counter: null, stuckAgent: null, stuckItem: null, cycle: [], trace: null });
    this.#ending ??= { outcome: outcome === "written" ? cause : "lost" };
  }

  /** One cancellation: who comes second waits for the first. */
  async #cancel(reason: CancelReason): Promise<void> {
    if (this.#ending !== undefined) return;
    await (this.#cancelling ??= this.#cancelOnce(reason));
  }

  async #cancelOnce(reason: CancelReason): Promise<void> {
    // What an agent began itself is not the supervisor's own child.
    const isOwn = ({ name }: Agent): boolean => this.#settings.policies.propagation === "every-descendant" || this.#spec.agents.some((one) => one.name === name);
    const children = [...this.#agents.values()].filter((agent) => !agent.isOver && isOwn(agent)).map(({ process }) => process);
    const { end, outcome } = await cancelRun(this.#ports, this.#settings, this.#run, reason, children);
    this.#ending ??= outcome === "written" ? { outcome: "cancelled", end } : { outcome: "lost" };
  }

  /** Looks whether somebody else has ended the run, then for leases past their expiry, and for agents that hold none and were not heard of as long as a lease lasts. */
  async #sweep(): Promise<void> {
    const { clock, ledger } = this.#ports;
    const { leaseMs, policies } = this.#settings;
    this.#sweepAtMs = clock.now() + leaseMs;
    const run = await attempt(this.#ports, this.#settings.callMs, () => ledger.read("runs", this.#run.id));
    // Undefined: a stale answer, from before the run.
    const row = run.outcome === "done" ? (run.value as RunRow | undefined) : undefined;
    if (row !== undefined && row.state !== "running") {
      this.#ending ??= { outcome: "lost" };
      return;
    }
    // The answer to the last closing was lost.
    if (row !== undefined && !this.#isBeingEnded) await this.#completeIfLast(row);
    if (this.#ending !== undefined) return;
    // Who told the agents did not live to write it down.
    if (this.#isBeingEnded) return this.#cancel({ kind: "operator" });
    if (policies.lossEvidence === "close-only") return;
    const read = await attempt(this.#ports, this.#settings.callMs, () => ledger.list("items", { run: this.#run.id, status: "claimed" }));
    if (read.outcome === "failed") {
      this.#sweepAtMs = clock.now() + this.#settings.callMs;
      return;
    }
    const claimed = read.value as unknown as readonly ItemRow[];
    const owners = new Set(claimed.map(({ owner }) => owner));
    for (const item of claimed.filter(({ expiresAtMs }) => expiresAtMs <= clock.now())) {
      const agent = this.#agents.get(item.owner ?? "");
      if (agent !== undefined && !agent.isOver) await this.#lose(agent, "lease-expired");
      else await this.#takeBack(item.owner ?? "", "lease-expired");
    }
    if (!(await this.#closeUnreported())) await this.#closeLeftOver();
    if (this.#ending !== undefined) return;
    const silent = [...this.#agents.values()].filter(({ isOver, owner, lostBy, heardAtMs }) => !isOver && (lostBy !== undefined || (!owners.has(owner) && heardAtMs + leaseMs <= clock.now())));
    for (const agent of silent) await this.#lose(agent, agent.lostBy ?? "silent");
    if (this.#ending !== undefined) return;
    const next = claimed.map(({ expiresAtMs }) => expiresAtMs).filter((atMs) => atMs > clock.now());
    this.#sweepAtMs = Math.min(this.#sweepAtMs, ...next);
  }

  /** Nothing is left to do and the run is not over: agents that nobody ever heard of, or that are over in the ledger and still owe their end. */
  async #closeLeftOver(): Promise<void> {
    const { id: run } = this.#run;
    const read = await attempt(this.#ports, this.#settings.callMs, async () => ({
      agents: (await this.#ports.ledger.list("agents", { run })) as unknown as readonly AgentRow[],
      owed: (await this.#ports.ledger.list("obligations", { run, kind: "agent", status: "open" })) as unknown as readonly ObligationRow[],
    }));
    if (read.outcome === "failed") return this.#sweepSoon();
    for (const { debtor } of read.value.owed) {
      const row = read.value.agents.find(({ owner }) => owner === debtor);
      // Begun by a parent that did not live to begin its process. From now on it counts as silent.
      if (row?.status === "running") this.#know(debtor, row.name, row.process);
      else if (row !== undefined) await this.#close(debtor, "over");
    }
  }

  #sweepSoon(): void {
    this.#sweepAtMs = this.#ports.clock.now() + this.#settings.callMs;
  }

  async #lose(agent: Agent, why: string): Promise<void> {
    agent.lostBy = why;
    if (!(await this.#takeBack(agent.owner, why))) return;
    if (!(await this.#over(agent, why))) this.#sweepSoon();
    if (!agent.isOver) return;
    if (this.#ending !== undefined) return;
    await this.#ports.faults.reach(POINTS.afterReassign);
    const isOpen = await this.#closeUnreported();
    await this.#handOut();
    if (!isOpen || this.#ending !== undefined) return;
    const isWorking = [...this.#agents.values()].some(({ isOver }) => !isOver);
    if (!isWorking || this.#spec.agents.some(({ name }) => name === agent.name)) await this.#begin({ name: agent.name });
  }

  /** Items that were done, and whose agent did not live to say so. Answers whether there is something left to do. */
  async #closeUnreported(): Promise<boolean> {
    const { id: run } = this.#run;
    const read = await attempt(this.#ports, this.#settings.callMs, async () => ({
      items: (await this.#ports.ledger.list("items", { run })) as unknown as readonly ItemRow[],
      owed: (await this.#ports.ledger.list("obligations", { run, kind: "item", status: "open" })) as unknown as readonly ObligationRow[],
    }));
    if (read.outcome === "failed") return true;
    const { items, owed } = read.value;
    for (const { debtor } of owed) {
      const item = items.find(({ name }) => name === debtor);
      // Who works on it reports it, as long as it lives.
      const isReporting = [...this.#agents.values()].some((agent) => !agent.isOver && agent.item === item?.id);
      if (item !== undefined && (item.status === "done" || item.status === "failed") && !isReporting) await this.#close(debtor, item.status);
    }
    return !this.#areOver(items);
  }

  /** Items back to be handed out again, and locks free, of one owner. */
  async #takeBack(owner: string, why: string): Promise<boolean> {
    const { ledger } = this.#ports;
    const { id: run } = this.#run;
    const taking = await attempt(this.#ports, 3 * this.#settings.callMs, async () => {
      const items = (await ledger.list("items", { run, owner, status: "claimed" })) as unknown as readonly ItemRow[];
      const locks = (await ledger.list("locks", { run, holder: owner })) as unknown as readonly LockRow[];
      if (items.length + locks.length === 0) return true;
      const answer = await ledger.transition(`item.reassigned ${why}`, [
        ...items.map(({ id, epoch }) => ({ table: "items", id, when: { status: "claimed", owner, epoch }, set: { status: "open", owner: null, expiresAtMs: 0 } })),
        ...locks.map(({ id }) => ({ table: "locks", id, when: { holder: owner }, set: { run: null, holder: null } })),
        whileRunning(this.#run),
      ]);
      // Somebody else has ended the run: there is nothing left to supervise.
      if (answer.outcome === "refused" && answer.field === "state") this.#ending ??= { outcome: "lost" };
      return answer.outcome === "applied";
    });
    // Not taken back now: the next sweep finds it again.
    if (taking.outcome === "done" && taking.value) return true;
    this.#sweepSoon();
    return false;
  }

  /** An agent is over: nothing is owed by it any more, and its place is free, or lost with its machine. */
  async #over(agent: Agent, why: string): Promise<boolean> {
    const { owner, process } = agent;
    const { id: run } = this.#run;
    const isLost = why !== "left" && why !== "connection-closed";
    const freed = await attempt(this.#ports, this.#settings.callMs, () =>
      this.#ports.ledger.transition("agent.over", [
        { table: "slots", id: process, when: { run, owner }, set: { run: null, agent: null, owner: null, isLost } },
        { table: "agents", id: `${run}/${owner}`, when: { status: "running" }, set: { status: isLost ? "lost" : "ended" } },
      ]),
    );
    if (freed.outcome === "failed") return false;
    agent.isOver = true;
    agent.waiting = undefined;
    return this.#close(owner, why);
  }
}
