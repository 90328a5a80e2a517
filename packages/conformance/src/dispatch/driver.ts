/**
 * Drives one dispatcher inside one process of the world: makes it, passes on what others submit and tell, lets it look, and
 * asks it for its list at the end. Every answer is checked here, where it enters. The driver dies with the process, and keeps nothing in it.
 */
import { withinDeadline } from "@casebook/ports";
import { DEFAULT_FOR_MS, KERNEL_EPOCH_MS, type ProcessPorts, type RuntimeState, type Space } from "@casebook/sim/kernel";
import { type Read, readAnswered, readThrown } from "../answers.ts";
import { type AdapterPorts, type DispatcherAdapter, type DispatcherUnderTest, type Notice, type Task, type TaskView, TICK_MS } from "./adapter.ts";
import type { CheckedRule } from "./rule.ts";
import { type Observed, REVIEWER, TRUST } from "./seen.ts";
import { readAnswer, readDispatcher, readNothing, readProbe, readViews } from "./shapes.ts";

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

/** Of the client, about the submission, or the notice, of this number. */
export interface Letter {
  readonly kit: "submit" | "tell";
  readonly at: number;
}

/** How often a namesake asks whether it is its turn. */
const TURN_MS = 1_000;

export function addDispatcherProcess({ space, runtime, adapter, rule, observed }: Stage, name: string, peers: readonly string[], namesake?: string): void {
  const { untilMs = DEFAULT_UNTIL_MS, ticksAtOnce = 1, looksFirst = false, looksAtMs, reviewer } = rule.play;
  const endMs = KERNEL_EPOCH_MS + untilMs;
  const isReviewed = adapter.capabilities.includes("reviews") && reviewer !== "nobody";
  const isConcurrent = adapter.capabilities.includes("concurrent-calls");
  space.process(
    name,
    async (ports) => {
      const { clock, network } = ports;
      if (namesake !== undefined) {
        const isStopped = (): boolean => space.states().some((one) => one.name === namesake && one.status === "stopped");
        while (!isStopped() && clock.now() < endMs) await clock.sleep(TURN_MS);
        if (!isStopped()) return;
      }
      const post = createPost(ports);
      const call = createCaller(ports, observed, ANSWER_MS + pauseOf(rule));
      const made = await call("create", () => adapter.create(portsFor(ports, runtime, { name: namesake ?? name, peers }, post.network)), (value) => readDispatcher(value, adapter.capabilities));
      if (made.outcome !== "answer") return;
      const dispatcher = made.value;
      const inTurn = isConcurrent ? <T>(work: () => Promise<T>): Promise<T> => work() : createQueue();
      const answering = new Set<Promise<void>>();
      void serve(dispatcher);
      if (looksFirst && ports.process.life === 1) {
        observed.first ??= await inTurn(() => views(dispatcher));
      }
      do {
        await Promise.all(Array.from({ length: isConcurrent ? ticksAtOnce : 1 }, () => inTurn(() => tick(dispatcher))));
        await clock.sleep(TICK_MS);
      } while (clock.now() < endMs);
      await inTurn(() => tick(dispatcher));
      await inTurn(async () => void (observed.views = await views(dispatcher)));
      // What was asked late is answered: a process that ended calls no port.
      while (answering.size > 0) await Promise.all(answering);

      async function tick(one: DispatcherUnderTest): Promise<void> {
        if (one.tick !== undefined) await call("tick", () => one.tick?.(), () => ({ value: undefined }));
        if (isReviewed) await review(one);
        if (looksAtMs !== undefined && observed.midway === undefined && clock.now() >= KERNEL_EPOCH_MS + looksAtMs) {
          observed.midway = await views(one);
          observed.midwayAtMs = clock.now();
        }
        if (one.probe !== undefined && (rule.needsProbe !== undefined || rule.mayProbe !== undefined)) await probe(one);
      }

      /** Somebody who accepts whatever he is shown. */
      async function review(one: DispatcherUnderTest): Promise<void> {
        for (const { id, state } of (await views(one)) ?? []) {
          if (state === "review") await tell(one, { kind: "accept", task: id, from: REVIEWER });
        }
      }

      async function tell(one: DispatcherUnderTest, notice: Notice): Promise<boolean> {
        return (await call("tell", () => one.tell?.(notice), readNothing)).outcome === "answer";
      }

      async function probe(one: DispatcherUnderTest): Promise<void> {
        const probed = await call("probe", () => one.probe?.(), readProbe);
        if (probed.outcome !== "answer") return;
        if (probed.value.history !== undefined) observed.histories.push(probed.value.history);
        observed.attempts = probed.value.attempts ?? observed.attempts;
        observed.listedStrangers = probed.value.strangers ?? observed.listedStrangers;
      }

      async function views(one: DispatcherUnderTest): Promise<readonly TaskView[] | undefined> {
        const looked = await call("observe", () => one.observe(), readViews);
        return looked.outcome === "answer" ? looked.value : undefined;
      }

      async function serve(one: DispatcherUnderTest): Promise<void> {
        for (;;) {
          const delivery = await network.receive();
          if (delivery.kind !== "message") continue;
          if (!isLetter(delivery.body)) {
            post.deliver(delivery.from, delivery.body);
            continue;
          }
          const answer = inTurn(() => answerTo(one, delivery.body as Letter)).then((body) => delivery.answer(body));
          const settled = answer.finally(() => void answering.delete(settled));
          answering.add(settled);
        }
      }

      async function answerTo(one: DispatcherUnderTest, { kit, at }: Letter): Promise<unknown> {
        if (kit === "tell") {
          const told = observed.told[at];
          return { heard: told !== undefined && (await tell(one, copyOf(told.notice))) };
        }
        const { task } = observed.submitted[at] as Observed["submitted"][number];
        const answered = await call("submit", () => one.submit(copyOfTask(task)), readAnswer);
        return { answer: answered.outcome === "answer" ? answered.value : null };
      }
    },
    { host: "desk" },
  );
}

/** An instance that nobody tells anything, in a process of its own. What its list says is recorded. */
export function addOnlooker({ space, adapter, rule, observed }: Stage, { process, host, name, runtime, atMs }: { readonly process: "elsewhere" | "later"; readonly host: string; readonly name: string; readonly runtime: RuntimeState; readonly atMs: number }): void {
  space.process(
    process,
    async (ports) => {
      const { clock } = ports;
      await clock.sleep(atMs);
      const call = createCaller(ports, observed, ANSWER_MS);
      const made = await call("create", () => adapter.create(portsFor(ports, runtime, { name, peers: [] }, createPost(ports).network)), (value) => readDispatcher(value, adapter.capabilities));
      if (made.outcome !== "answer") return;
      const looked = await call("observe", () => made.value.observe(), readViews);
      if (looked.outcome === "answer") observed[process] = looked.value;
      // One that looks by itself goes on as long as the others do.
      await clock.sleep(Math.max(0, KERNEL_EPOCH_MS + (rule.play.untilMs ?? DEFAULT_UNTIL_MS) - clock.now()));
    },
    { host },
  );
}

/** What is handed over may be kept and changed. */
function copyOfTask(task: Task): Task {
  return { ...task, after: [...task.after] };
}

function copyOf(notice: Notice): Notice {
  return notice.kind === "edit" ? { ...notice, task: copyOfTask(notice.task) } : { ...notice };
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
  return async <T>(name: string, work: () => unknown, read: (value: unknown) => Read<T>): Promise<Called<T>> => {
    const begun = Promise.resolve().then(work);
    let within: Awaited<ReturnType<typeof withinDeadline<unknown>>>;
    try {
      within = await withinDeadline(clock, answerMs, begun);
    } catch (failure) {
      const { code, text } = readThrown(failure);
      // A program that ended, and a create that gave up for no reason of the disk, are no refusal.
      const isBroken = code.startsWith("ADAPTER_") || (name === "create" && code === "");
      note(isBroken ? broken : threw, `${name} rejected with ${text}`);
      return { outcome: "none" };
    }
    if (within.outcome === "deadline") {
      note(broken, `${name} had not answered after ${answerMs / 1_000} virtual seconds. Settle every promise, and wait for nothing but ports`);
      return { outcome: "none" };
    }
    const answer = readAnswered(within.value, read);
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
  const kit = typeof body === "object" && body !== null ? (body as { kit?: unknown }).kit : undefined;
  return kit === "submit" || kit === "tell";
}

export function letter(kit: Letter["kit"], at: number): Letter {
  return { kit, at };
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

function portsFor(ports: ProcessPorts, runtime: RuntimeState, { name, peers }: { readonly name: string; readonly peers: readonly string[] }, network: Post["network"]): AdapterPorts {
  const sessions = ports.sessions(runtime);
  const { clock, disk, ids, log, faults } = ports;
  return {
    clock,
    disk,
    ids,
    log,
    faults,
    name,
    trust: { sources: [...TRUST.sources], reviewers: [...TRUST.reviewers] },
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
