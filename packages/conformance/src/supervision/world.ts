/**
 * One run in the world: the processes of the adapter, each on a host of its own, a hand that comes by at certain times, and somebody who looks when
 * everything has to be over. What can be seen from outside is written down here: who works at what, who was begun, who was told.
 */
import type { ArtefactsState, LedgerState, ProcessPorts, Space } from "@casebook/sim/kernel";
import { KERNEL_EPOCH_MS } from "@casebook/sim/kernel";
import { DEFAULT_BUDGET, RUN_ID } from "@casebook/supervisor/rules";
import { type Read, readAnswered, readThrown, shown } from "../answers.ts";
import { GRACE_MS, type RunToSupervise, type SupervisorAdapter, type SupervisorAdapterPorts, type SupervisorUnderTest } from "./adapter.ts";
import { readSupervisor } from "./read-account.ts";
import { type CheckedSupervisionRule, MOMENTS } from "./rule.ts";
import { Accounts, type Look, type Observed } from "./seen.ts";

const PLACES = Array.from({ length: 8 }, (_, at) => `worker-${at + 1}`);
const SUPERVISOR = "supervisor";
/** From the deadline: by then every agent is told. */
export const TELL_MS = 1_000;
/** Longer than a run: nobody is to give a tool up. */
const NO_LIMIT_MS = 86_400_000;
const DEFAULT_TOKENS = 10;
const SPAWN_TOKENS = 100;

export interface Stage {
  readonly space: Space;
  readonly rule: CheckedSupervisionRule;
  readonly adapter: SupervisorAdapter;
  readonly run: RunToSupervise;
  readonly observed: Observed;
}

export function runOf({ play: { run, toolLimitMs = NO_LIMIT_MS } }: CheckedSupervisionRule): RunToSupervise {
  const budget = { ...DEFAULT_BUDGET, ...run.budget };
  return {
    id: RUN_ID,
    items: run.items.map(({ name, needs = [], locks = [], tokens = DEFAULT_TOKENS }) => ({ name, needs: [...needs], locks: [...locks], tokens })),
    agents: run.agents,
    budget,
    spawnTokens: SPAWN_TOKENS,
    deadlineAtMs: KERNEL_EPOCH_MS + budget.wallClockMs,
    toolLimitMs,
    places: PLACES,
    supervisor: SUPERVISOR,
  };
}

/** Answers what the ledger says, and what the store holds. */
export function addProcesses(stage: Stage): { readonly accounts: Accounts; readonly artefacts: ReadonlyMap<string, string> } {
  const { space, rule, adapter, run, observed } = stage;
  const { cancelAtMs, moments = [], lookAtMs = run.budget.wallClockMs + 2 * GRACE_MS } = rule.play;
  // Several at a time: what is slow is each call, and not the queue before it.
  const ledger = space.ledger("ledger", { capacity: 4 });
  const store = space.artefacts("store");
  const accounts = new Accounts(ledger, adapter, run, observed.broken);
  const askedBy = new Map<string, string>();
  /** What each process of the adapter is at. */
  const isAt = new Map<string, string>();
  const portsOf = portsFor(stage, { ledger, store, askedBy });
  const declared = ([["cancel", "cancel"], ["successor", "succeed"]] as const).flatMap(([capability, name]) => (adapter.capabilities.includes(capability) ? [name] : []));

  async function live(ports: ProcessPorts, name: keyof SupervisorUnderTest): Promise<void> {
    const { process } = ports;
    isAt.set(process.name, "create");
    let isOver = false;
    const made = await call("create", () => adapter.create(portsOf(ports, () => isOver)), (value) => readSupervisor(value, declared));
    isAt.set(process.name, name);
    if (made !== undefined) await call(name, () => made[name]?.(run), () => ({ value: undefined }));
    isOver = true;
    isAt.delete(process.name);
  }

  async function call<T>(name: string, work: () => unknown, read: (value: unknown) => Read<T>): Promise<T | undefined> {
    let value: unknown;
    try {
      value = await work();
    } catch (failure) {
      note(`${name} rejected with ${readThrown(failure).text}`);
      return undefined;
    }
    const answer = readAnswered(value, read);
    if ("value" in answer) return answer.value;
    note(`${name} answered ${answer.wrong}`);
    return undefined;
  }

  function note(text: string): void {
    if (!observed.broken.includes(text)) observed.broken.push(text);
  }

  space.process(SUPERVISOR, (ports) => live(ports, "supervise"), { isDaemon: true });
  for (const name of PLACES) {
    space.process(
      name,
      (ports) => {
        observed.begun.push({ process: name, by: askedBy.get(name) ?? "nobody", atMs: ports.clock.now() });
        return live(ports, "work");
      },
      { isSpawned: true, isDaemon: true },
    );
  }
  if (declared.includes("succeed")) space.process("successor", (ports) => live(ports, "succeed"), { isDaemon: true });
  if (cancelAtMs !== undefined) {
    space.process(
      "operator",
      async (ports) => {
        await ports.clock.sleep(cancelAtMs);
        await live(ports, "cancel");
      },
      { isDaemon: true },
    );
  }
  if (moments.length > 0) {
    space.process("hand", async ({ clock, faults }) => {
      for (const { moment, atMs } of moments) {
        await clock.sleep(KERNEL_EPOCH_MS + atMs - clock.now());
        await faults.reach(moment);
      }
    });
  }
  space.process("reader", async ({ clock }) => {
    const look = (): Look => ({ atMs: clock.now(), processes: space.states().map(({ name, status }) => ({ name, status })) });
    if (lookAtMs > run.budget.wallClockMs) {
      await clock.sleep(run.deadlineAtMs + TELL_MS - clock.now());
      observed.behindDeadline = look();
    }
    await clock.sleep(KERNEL_EPOCH_MS + lookAtMs - clock.now());
    observed.last = look();
    accounts.askAgain();
    for (const { name, status } of observed.last.processes) {
      const at = isAt.get(name);
      // Whether agents execute is a rule of its own, and a successor looks behind the deadline.
      if (at === undefined || status !== "running" || PLACES.includes(name) || (at === "succeed" && lookAtMs < run.budget.wallClockMs + 2 * GRACE_MS)) continue;
      note(`${at} had not ended ${lookAtMs / 1_000} s after the run began, whose time was over after ${run.budget.wallClockMs / 1_000} s. Give every wait an end`);
    }
  });
  return { accounts, artefacts: store.bodies };
}

interface Backstage {
  readonly ledger: LedgerState;
  readonly store: ArtefactsState;
  /** Who asked for each agent's process. */
  readonly askedBy: Map<string, string>;
}

/** A process is over when its body has come back: a strand that it left behind comes no further than to its next call. */
const never = (): Promise<never> => new Promise(() => undefined);

function portsFor({ rule, run, observed }: Stage, { ledger: ledgerState, store, askedBy }: Backstage): (ports: ProcessPorts, isOver: () => boolean) => SupervisorAdapterPorts {
  const armed = new Set(("each" in rule.faults ? [rule.faults.each] : rule.faults.flat()).map(({ at }) => at));
  const toolMs = new Map(rule.play.run.items.map(({ name, toolMs: ms }) => [name, ms]));
  return (ports, isOver) => {
    const { clock, ids, log, faults, process, network } = ports;
    const ledger = ports.ledger(ledgerState);
    const artefacts = ports.artefacts(store);
    const living = <T>(call: () => Promise<T>): Promise<T> => (isOver() ? never() : call());
    /** A moment at which nothing is armed is no step. */
    const through = async <T>(moment: string, call: () => Promise<T>): Promise<T> => {
      if (armed.has(moment)) await living(() => faults.reach(moment));
      return living(call);
    };
    /** False: it is lost on its way. */
    const reaches = (to: string): boolean => {
      observed.told.push({ to, atMs: clock.now() });
      return !PLACES.includes(to) || clock.now() < KERNEL_EPOCH_MS + (rule.play.unheardFromMs ?? Number.POSITIVE_INFINITY);
    };
    return {
      clock: { now: () => clock.now(), sleep: (ms, cancel) => living(() => clock.sleep(ms, cancel)) },
      ids,
      log,
      faults: { reach: (point) => living(() => faults.reach(point)) },
      name: process.name,
      ledger: {
        read: (table, id) => living(() => ledger.read(table, id)),
        list: (table, where) => living(() => ledger.list(table, where)),
        transition: (reason, changes) => through(MOMENTS.beforeTransition, () => ledger.transition(reason, changes)),
      },
      artefacts: {
        head: (uri) => living(() => artefacts.head(uri)),
        async put(uri, body) {
          await through(MOMENTS.beforePut, () => artefacts.put(uri, body));
          await through(MOMENTS.kept, async () => undefined);
        },
      },
      messages: {
        send: (to, body) => living(async () => (reaches(to) ? network.send(to, body) : undefined)),
        async request(to, body, timeoutMs) {
          if (reaches(to)) return living(() => network.request(to, body, timeoutMs));
          await living(() => clock.sleep(timeoutMs));
          return { outcome: "unknown", why: "timed-out" };
        },
        async receive() {
          const delivery = await living(() => network.receive());
          if (delivery.kind === "closed") return delivery;
          const { from } = delivery;
          return { ...delivery, answer: (body) => living(async () => (reaches(from) ? delivery.answer(body) : undefined)) };
        },
      },
      spawner: {
        spawn(name) {
          askedBy.set(name, process.name);
          return living(() => ports.spawn(name));
        },
      },
      tool: {
        async call(item) {
          const ms = toolMs.get(item);
          if (ms === undefined) throw new Error(`the tool was called for ${shown(item)}; the run has ${run.items.map(({ name }) => name).join(", ")}`);
          const one = { process: process.name, item, answer: `[answer ${observed.tools.length + 1} of ${item}]`, beganAtMs: clock.now(), endedAtMs: undefined as number | undefined };
          observed.tools.push(one);
          await through(MOMENTS.called, () => clock.sleep(ms));
          one.endedAtMs = clock.now();
          return through(MOMENTS.answered, async () => one.answer);
        },
      },
    };
  };
}
