/**
 * Drives one dispatcher inside one process of the world: makes it, passes on what clients send, lets it look, and asks it for its
 * list at the end. Every answer is checked here, where it enters. The driver dies with the process, and keeps nothing in it.
 */
import { errorCode, withinDeadline } from "@casebook/ports";
import { DEFAULT_FOR_MS, KERNEL_EPOCH_MS, type ProcessPorts, type RuntimeState, type Space } from "@casebook/sim/kernel";
import { type AdapterPorts, type DispatcherAdapter, type DispatcherUnderTest, TICK_MS } from "./adapter.ts";
import type { CheckedRule } from "./rule.ts";
import type { Observed } from "./seen.ts";
import { readAnswer, readDispatcher, readProbe, readViews } from "./shapes.ts";

/** What a call may take in virtual time, beside the time that its process was stopped. Who waits for a lease answers in a later call. */
const ANSWER_MS = 60_000;
export const DEFAULT_UNTIL_MS = 120_000;

export interface Stage {
  readonly space: Space;
  readonly runtime: RuntimeState;
  readonly adapter: DispatcherAdapter;
  readonly rule: CheckedRule;
  readonly observed: Observed;
}

interface Letter {
  readonly kit: "submit";
  readonly at: number;
}

export function addDispatcherProcess({ space, runtime, adapter, rule, observed }: Stage, name: string, peers: readonly string[]): void {
  const { untilMs = DEFAULT_UNTIL_MS, ticksAtOnce = 1, looksFirst = false } = rule.play;
  const isConcurrent = adapter.capabilities.includes("concurrent-calls");
  space.process(
    name,
    async (ports) => {
      const { clock, network } = ports;
      const post = createPost(ports);
      const call = createCaller(ports, observed, ANSWER_MS + pauseOf(rule));
      const made = await call("create", () => adapter.create(portsFor(ports, runtime, peers, post.network)), readDispatcher);
      if (made.outcome !== "answer") return;
      const dispatcher = made.value;
      const inTurn = isConcurrent ? <T>(work: () => Promise<T>): Promise<T> => work() : createQueue();
      const answering = new Set<Promise<void>>();
      void serve(dispatcher);
      if (looksFirst && ports.process.life === 1) {
        const looked = await inTurn(() => call("observe", () => dispatcher.observe(), readViews));
        if (looked.outcome === "answer") observed.first ??= looked.value;
      }
      do {
        await Promise.all(Array.from({ length: isConcurrent ? ticksAtOnce : 1 }, () => inTurn(() => tick(dispatcher))));
        await clock.sleep(TICK_MS);
      } while (clock.now() < KERNEL_EPOCH_MS + untilMs);
      await inTurn(() => tick(dispatcher));
      await inTurn(() => look(dispatcher));
      // What was asked late is answered: a process that ended calls no port.
      while (answering.size > 0) await Promise.all(answering);

      async function tick(one: DispatcherUnderTest): Promise<void> {
        if (one.tick !== undefined) await call("tick", () => one.tick?.(), () => undefined);
        if (one.probe !== undefined && rule.needsProbe !== undefined) await probe(one);
      }

      async function probe(one: DispatcherUnderTest): Promise<void> {
        const probed = await call("probe", () => one.probe?.(), readProbe);
        if (probed.outcome !== "answer") return;
        if (probed.value.history !== undefined) observed.histories.push([...probed.value.history]);
        observed.attempts = probed.value.attempts ?? observed.attempts;
      }

      async function look(one: DispatcherUnderTest): Promise<void> {
        const looked = await call("observe", () => one.observe(), readViews);
        observed.views = looked.outcome === "answer" ? looked.value : undefined;
      }

      async function serve(one: DispatcherUnderTest): Promise<void> {
        for (;;) {
          const delivery = await network.receive();
          if (delivery.kind !== "message") continue;
          if (!isLetter(delivery.body)) {
            post.deliver(delivery.from, delivery.body);
            continue;
          }
          const { at } = delivery.body;
          const { task } = observed.submitted[at] as Observed["submitted"][number];
          const answer = inTurn(() => call("submit", () => one.submit({ ...task, after: [...task.after] }), readAnswer)).then((answered) => delivery.answer({ answer: answered.outcome === "answer" ? answered.value : null }));
          const settled = answer.finally(() => void answering.delete(settled));
          answering.add(settled);
        }
      }
    },
    { host: "desk" },
  );
}

function pauseOf({ faults }: CheckedRule): number {
  return "each" in faults && faults.each.kind === "stop-continue" ? (faults.each.forMs ?? DEFAULT_FOR_MS) : 0;
}

type Called<T> = { readonly outcome: "answer"; readonly value: T } | { readonly outcome: "none" };

/** Calls the adapter and reads what it answers; what is wrong with it is written down, once each. */
function createCaller({ clock }: ProcessPorts, { broken, threw }: Observed, answerMs: number) {
  const note = (list: string[], text: string): void => {
    if (!list.includes(text)) list.push(text);
  };
  return async <T>(name: string, work: () => unknown, read: (value: unknown) => { readonly value: T } | { readonly wrong: string } | undefined): Promise<Called<T>> => {
    const begun = Promise.resolve().then(work);
    let within: Awaited<ReturnType<typeof withinDeadline<unknown>>>;
    try {
      within = await withinDeadline(clock, answerMs, begun);
    } catch (failure) {
      const text = `${name} rejected with ${failure instanceof Error ? failure.message : String(failure)}`;
      // A program that ended, and a create that gave up for no reason of the disk, are no refusal.
      const isBroken = errorCode(failure).startsWith("ADAPTER_") || (name === "create" && errorCode(failure) === "");
      note(isBroken ? broken : threw, text);
      return { outcome: "none" };
    }
    if (within.outcome === "deadline") {
      note(broken, `${name} had not answered after ${answerMs / 1_000} virtual seconds. Settle every promise, and wait for nothing but ports`);
      return { outcome: "none" };
    }
    const answer = read(within.value);
    if (answer === undefined) return { outcome: "none" };
    if ("value" in answer) return { outcome: "answer", value: answer.value };
    note(broken, `${name} answered ${answer.wrong}`);
    return { outcome: "none" };
  };
}

function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

function isLetter(body: unknown): body is Letter {
  return typeof body === "object" && body !== null && (body as { kit?: unknown }).kit === "submit";
}

export function letter(at: number): Letter {
  return { kit: "submit", at };
}

interface Post {
  readonly network: Pick<AdapterPorts["network"], "send" | "receive">;
  deliver(from: string, body: unknown): void;
}

/** The messages of the dispatchers among themselves, apart from those of the clients. */
function createPost({ network }: ProcessPorts): Post {
  const waiting: ((message: { from: string; body: unknown }) => void)[] = [];
  const arrived: { from: string; body: unknown }[] = [];
  return {
    network: {
      send: (to, body) => network.send(to, { peer: body }),
      receive: () => {
        const next = arrived.shift();
        return next === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(next);
      },
    },
    deliver(from, body) {
      const message = { from, body: (body as { peer?: unknown } | null)?.peer };
      const reader = waiting.shift();
      if (reader === undefined) arrived.push(message);
      else reader(message);
    },
  };
}

function portsFor(ports: ProcessPorts, runtime: RuntimeState, peers: readonly string[], network: Post["network"]): AdapterPorts {
  const sessions = ports.sessions(runtime);
  const { clock, disk, ids, log, faults } = ports;
  return {
    clock,
    disk,
    ids,
    log,
    faults,
    name: ports.process.name,
    network: { ...network, peers },
    sessions: {
      keys: sessions.keys,
      start: ({ key, task, revision, agent, attempt = "", epoch = 0 }) => sessions.start({ key, task, revision, agent, attempt, epoch }),
      find: (key) => sessions.find(key),
      list: () => sessions.list(),
      status: (id) => sessions.status(id),
      cancel: (id) => sessions.cancel(id),
    },
  };
}
