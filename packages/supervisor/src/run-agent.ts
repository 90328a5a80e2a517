/**
 * An agent: asks for work, does it, reports it, until there is none. It stops when it is told, when it cannot renew its lease, and when
 * its run's time is over. Models what an agent runtime does around a model, and no model.
 */
import { attempt, createStop, fewCalls, persist, type Stop } from "./bounded.ts";
import { doItem, type ItemEnd, NOT_CLAIMED, type Worker } from "./do-item.ts";
import type { RunRow, SlotRow } from "./judge/index.ts";
import { readToAgent, type ToAgent, type ToSupervisor } from "./messages.ts";
import type { AgentSpec } from "./run-spec.ts";
import { spawnAgent, type Unfinished } from "./spawn-agent.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

/** Behind a claim that came to nothing, before the next question for work. */
const CLAIM_PAUSE_MS = 2_000;

/** `specs`: all agents of the runs that this process may be begun for, by name; children are begun by their parent. */
export async function runAgent(ports: SupervisorPorts, settings: SupervisorSettings, specs: ReadonlyMap<string, AgentSpec>): Promise<void> {
  const place = await lookUp(ports, settings);
  if (place === undefined) return;
  const { run, slot } = place;
  const owner = slot.owner as string;
  const stop = createStop();
  const worker: Worker = { ports, settings, run, owner, name: slot.agent as string, stop };
  void listen(ports, stop, run.id);
  if (settings.policies.agentStops === "by-itself") void stopInTime(ports, stop, run.deadlineAtMs + settings.graceMs / 2);
  let toBegin: readonly ToBegin[] = specs.get(slot.agent as string)?.children ?? [];
  while (stop.reason === undefined) {
    toBegin = await beginChildren(worker, toBegin);
    const work = await ask(worker, { kind: "next", ...from(worker) }, settings.askMs + settings.callMs);
    if (work === undefined || work.kind === "none") break;
    if (work.kind !== "work") continue;
    const end = await doItem(worker, work.item);
    await report(worker, work.item, end);
    // It is handed out again as long as it stands open: by a ledger that refuses writes and answers reads, at once, and without an end.
    if (end.outcome === "left" && end.why === NOT_CLAIMED) await ports.clock.sleep(CLAIM_PAUSE_MS, stop.signal);
  }
  // What the ledger may hold of a child would keep the run waiting for it.
  if (stop.reason === undefined) await beginChildren(worker, toBegin.filter(({ unfinished }) => unfinished !== undefined));
  if (stop.reason === undefined) await ask(worker, { kind: "leaving", ...from(worker) }, settings.callMs);
  ports.log.write("info", "supervisor.agent-ended", { owner, why: stop.reason ?? "no-more-work" });
  stop.stop("ended");
}

/** Which run and which agent this process was begun for. */
async function lookUp(ports: SupervisorPorts, settings: SupervisorSettings): Promise<{ run: RunRow; slot: SlotRow } | undefined> {
  const { ledger, self, clock } = ports;
  const options = { callMs: settings.callMs, untilMs: clock.now() + settings.leaseMs };
  const slot = await persist(ports, options, () => seen(ledger.read("slots", self.process) as Promise<SlotRow | undefined>, ({ run, owner }) => run !== null && owner !== null));
  if (slot === undefined) return undefined;
  const run = await persist(ports, options, () => seen(ledger.read("runs", slot.run as string) as Promise<RunRow | undefined>, () => true));
  return run === undefined || run.state !== "running" ? undefined : { run, slot };
}

/** The row, as it has to be. It was begun for something: an answer that knows nothing of it is stale, or it was given up meanwhile. */
async function seen<T>(reading: Promise<T | undefined>, isThere: (row: T) => boolean): Promise<T> {
  const row = await reading;
  if (row === undefined || !isThere(row)) throw Object.assign(new Error("ROW_NOT_SEEN"), { code: "ROW_NOT_SEEN" });
  return row;
}

async function listen({ messages }: SupervisorPorts, stop: Stop, run: string): Promise<void> {
  while (stop.reason === undefined) {
    const delivery = await messages.receive();
    const told = delivery.kind === "message" ? readToAgent(delivery.body) : undefined;
    if (told?.kind === "cancel" && told.run === run) stop.stop("cancelled");
  }
}

async function stopInTime({ clock }: SupervisorPorts, stop: Stop, atMs: number): Promise<void> {
  await clock.sleep(Math.max(0, atMs - clock.now()), stop.signal);
  stop.stop("out-of-time");
}

async function stopWhenOver(ports: SupervisorPorts, settings: SupervisorSettings, run: RunRow, stop: Stop): Promise<void> {
  const looked = await attempt(ports, settings.callMs, () => ports.ledger.read("runs", run.id));
  const row = looked.outcome === "done" ? (looked.value as RunRow | undefined) : undefined;
  if (row !== undefined && row.state !== "running") stop.stop("run-is-over");
}

interface ToBegin extends AgentSpec {
  readonly unfinished?: Unfinished | undefined;
}

/** Answers those that the ledger was asked for in vain: they are tried again before the next item. */
async function beginChildren(worker: Worker, children: readonly ToBegin[]): Promise<readonly ToBegin[]> {
  const { ports, settings, run, owner, stop } = worker;
  for (const [at, child] of children.entries()) {
    const { name, unfinished } = child;
    if (stop.reason !== undefined) return [];
    if (unfinished === undefined) {
      // One that was begun instead of a lost parent does not begin the children once more.
      const known = await persist(ports, { ...fewCalls(ports, settings, run), signal: stop.signal }, () => ports.ledger.list("agents", { run: run.id, name }));
      if (known === undefined) return children.slice(at);
      if (known.length > 0) continue;
    }
    const spawned = await spawnAgent(ports, settings, { run, name, parent: owner }, unfinished);
    if (spawned.outcome === "exhausted") await ask(worker, { kind: "exhausted", ...from(worker), counter: spawned.counter }, settings.callMs);
    if (spawned.outcome === "unanswered") return [{ ...child, unfinished: spawned.unfinished }, ...children.slice(at + 1)];
  }
  return [];
}

async function report(worker: Worker, item: string, end: ItemEnd): Promise<void> {
  const { settings } = worker;
  const base = from(worker);
  if (end.outcome === "exhausted") await ask(worker, { kind: "exhausted", counter: end.counter, ...base }, settings.callMs);
  if (end.outcome === "done" || end.outcome === "failed") await ask(worker, { kind: end.outcome, item, ...base }, settings.callMs);
}

function from({ run, owner, name }: Worker): { run: string; owner: string; name: string } {
  return { run: run.id, owner, name };
}

/** Sends until it is answered, the agent is stopped, or the run is over. Who hears nothing asks the ledger whether it is: who was told nothing of the end knows of none. */
async function ask({ ports, settings, run, stop }: Worker, message: ToSupervisor, timeoutMs: number): Promise<ToAgent | undefined> {
  const untilMs = run.deadlineAtMs + settings.graceMs / 2;
  const asking = persist(ports, { callMs: timeoutMs, untilMs, signal: stop.signal }, async () => {
    // A little less than the limit around it, so that it is this one that says what happened.
    const reply = await ports.messages.request(run.supervisor, message, timeoutMs - 1);
    const answer = reply.outcome === "ok" ? readToAgent(reply.body) : undefined;
    if (answer !== undefined) return answer;
    if (settings.policies.agentStops === "by-itself") void stopWhenOver(ports, settings, run, stop);
    throw new Error("no answer");
  });
  const stopped = stop.stopped.then((): undefined => undefined);
  return Promise.race([asking, stopped]);
}

