/**
 * The rows I0 to I7 and J0 to J3 of case 008: a command kernel whose executor is a dispatcher. The command starts a session, its receipts
 * are damaged, and it comes again, to a new kernel and a new dispatcher over the same disk, so that no memory answers. Counted are what
 * the kernel loaded and answered, what the dispatcher answered, attempts on record and sessions that the runtime has.
 * Leaves out what a session does, and who may use a key: a new key is another command here, and no authority.
 */
import { createDispatcher, type DispatchAnswer, type Dispatcher, type DispatcherPolicies } from "@casebook/dispatcher";
import { readLedger } from "@casebook/dispatcher/judge";
import { playAlone, randomly, staying } from "@casebook/explore";
import type { Disk } from "@casebook/ports";
import { approve, type Command, createCommandKernel, type Executor, readReceipts, type ReceiptPolicies, REFERENCE_POLICIES, runApproved } from "@casebook/receipt-reader";
import { type Build, type Chooser, createSimulation, createStream, KERNEL_EPOCH_MS, type ProcessPorts, type Runner } from "@casebook/sim/kernel";
import { type DeskFile, HOST, objectText, ROOT, TRUST, volumeOf } from "./desk.ts";
import { filesOf } from "./told.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

interface StartRow {
  readonly change: string;
  /** Of the two receipts of the command. */
  readonly damaged: "none" | "completion" | "both";
  /** Between the damage and the second command: the session is cancelled, and the dispatcher that started it looks at that. */
  readonly cancelled?: true;
  readonly revision?: "advanced";
  readonly secondKey?: string;
  /** The second command comes to a process that knows nothing of the first. */
  readonly elsewhere?: true;
  /** Kernels that are handed the second command at once. */
  readonly kernels?: number;
}

const I2: StartRow = { change: "both target receipts damaged", damaged: "both" };

export const START_ROWS = {
  I0: { change: "receipts intact", damaged: "none" },
  I1: { change: "completion damaged", damaged: "completion" },
  I2,
  I3: { ...I2, change: "I2, then a new process reads the same disk", elsewhere: true },
  I4: { ...I2, change: "I2, cancel the original session, retry the original key", cancelled: true },
  I5: { ...I2, change: "I2, governance revision advanced", revision: "advanced" },
  I6: { ...I2, change: "I2, eight kernels call one dispatcher at once", kernels: 8 },
  I7: { ...I2, change: "cancel, then a new command key (positive control)", cancelled: true, secondKey: "command-2" },
} as const satisfies Readonly<Record<string, StartRow>>;

export type StartRowId = keyof typeof START_ROWS;
export const START_ROW_IDS = Object.keys(START_ROWS) as StartRowId[];

export interface StartRowFacts {
  /** Of the second command's key, before it comes. */
  readonly loadedState: "pending" | "completed" | null;
  /** One for each kernel that was asked. */
  readonly secondReasons: readonly string[];
  /** What the dispatcher answered each time that a kernel called it, the first time with it. */
  readonly dispatchKinds: readonly string[];
  /** Sessions that the runtime has. */
  readonly starts: number;
  readonly attempts: number;
  readonly attemptStatuses: readonly string[];
  readonly processes: number;
  /** The key of each session, in the order in which they started. */
  readonly startedFor: readonly { readonly session: string; readonly key: string }[];
}

export interface StartRowOptions {
  /** Of the dispatcher that answers the second command; where memory is kept, also of the first. */
  readonly dispatcher?: Partial<DispatcherPolicies>;
  /** Default: as in the published trials, a reader that goes backward and passes over what it cannot read. */
  readonly receipts?: ReceiptPolicies;
  /** Instead of those of the row, where it has several. */
  readonly kernels?: number;
  /** `new`: a dispatcher of its own for the second command. `kept`: that of the first, with what it remembers. */
  readonly memory?: "new" | "kept";
  /** `again`: the row as it is. `first`: all kernels of the row get the first command, at once, and there is no second. */
  readonly when?: "again" | "first";
  /** 0: each process goes on for as long as it can. Another number: a random order of steps, always the same one. */
  readonly schedule?: number;
  readonly epochMs?: number;
}

const TOLERANT: ReceiptPolicies = { ...REFERENCE_POLICIES, reader: "backward-tolerant" };
const TASK: DeskFile = { folder: "inbox", text: objectText({ id: "TASK-1" }) };
/** Copied by every execution. */
const VOLUME = volumeOf([TASK]);
export const START_LOG = `${ROOT}/receipts.jsonl`;
/** The first process has come to its end by then. */
const HANDOVER_MS = 5_000;
const COMMAND: Command = { key: "command-1", kind: "retry", task: "TASK-1", revision: "r1", actor: { id: "ADMIN", role: "ADMIN" }, payload: { retry: true } };

type MutableFacts = { -readonly [Name in keyof StartRowFacts]: StartRowFacts[Name] };

export async function playStartRow(id: StartRowId, options: StartRowOptions, runner: Runner): Promise<{ readonly facts: StartRowFacts; readonly steps: number; readonly traceHash: string }> {
  const { execution, facts } = createSimulation(startRow(START_ROWS[id], options), { chooser: chooserOf(options.schedule ?? 0), epoch: options.epochMs ?? KERNEL_EPOCH_MS });
  await playAlone(execution, runner);
  const { ending } = execution;
  if (ending?.how !== "finished") {
    const how = execution.processes.map(({ name, status, failure }) => `${name} ${status}${failure === undefined ? "" : `: ${String(failure)}`}`).join(", ");
    throw new Error(`START_ROW_UNFINISHED: ${id} came to ${ending?.how ?? "no end"} (${how}). Its figures would be of half a row.`);
  }
  return { facts: facts(), steps: execution.steps.length, traceHash: execution.hash() };
}

function chooserOf(schedule: number): Chooser {
  return schedule === 0 ? { choose: staying } : randomly(createStream(schedule, "start rows"));
}

function startRow(row: StartRow, { dispatcher: policies = {}, receipts = TOLERANT, kernels = row.kernels ?? 1, memory = "new", when = "again" }: StartRowOptions): Build<StartRowFacts> {
  return (space) => {
    space.disk(HOST, VOLUME);
    const runtime = space.sessions("runtime");
    const told: Pick<MutableFacts, "loadedState"> & { secondReasons: string[]; dispatchKinds: string[] } = { loadedState: null, secondReasons: [], dispatchKinds: [] };
    let revision = "r1";

    const desk = (ports: ProcessPorts, own: Partial<DispatcherPolicies>): Dispatcher => {
      const { clock, disk, ids, log, faults, process } = ports;
      return createDispatcher({ clock, disk, ids, log, faults, sessions: ports.sessions(runtime) }, { root: ROOT, name: process.name, trust: TRUST, policies: own });
    };
    const handle = (ports: ProcessPorts, dispatcher: Dispatcher, command: Command) =>
      createCommandKernel(ports, { path: START_LOG, executor: executorOf(dispatcher, told.dispatchKinds), revisionOf: () => revision, policies: receipts }).handle(command);
    const second = async (ports: ProcessPorts, dispatcher: Dispatcher): Promise<void> => {
      const command = { ...COMMAND, key: row.secondKey ?? COMMAND.key };
      const loaded = await readReceipts(ports, START_LOG, command.key, receipts);
      told.loadedState = loaded.outcome === "read" ? (loaded.value.found?.receipt.state ?? null) : null;
      const answers = await Promise.all(Array.from({ length: kernels }, () => handle(ports, dispatcher, command)));
      told.secondReasons.push(...answers.map(({ reason }) => reason));
    };

    space.process(
      "console-1",
      async (ports) => {
        // What is tried is who answers the second command; the first and the look at a cancellation are the reference's, so that a row begins alike.
        const dispatcher = desk(ports, memory === "new" && when === "again" ? {} : policies);
        if (when === "first") return second(ports, dispatcher);
        await handle(ports, dispatcher, COMMAND);
        await damageReceipts(ports.disk, row.damaged);
        if (row.cancelled) {
          for (const { id } of runtime.sessions(ports.clock.now())) await ports.sessions(runtime).cancel(id);
          await dispatcher.scan();
        }
        if (row.revision === "advanced") revision = "r2";
        if (!row.elsewhere) await second(ports, memory === "kept" ? dispatcher : desk(ports, policies));
      },
      { host: HOST },
    );
    if (row.elsewhere && when === "again") {
      space.process(
        "console-2",
        async (ports) => {
          await ports.clock.sleep(HANDOVER_MS);
          await second(ports, desk(ports, policies));
        },
        { host: HOST },
      );
    }
    return {
      facts() {
        const { attempts } = readLedger(filesOf(space).files).state;
        // Asked at the start of time: nothing here ends a session but a cancellation.
        const sessions = runtime.sessions(0);
        return {
          ...told,
          starts: sessions.length,
          attempts: attempts.size,
          attemptStatuses: [...attempts.values()].map(({ status }) => status),
          processes: space.states().length,
          startedFor: sessions.map(({ id: session, key }) => ({ session, key })),
        };
      },
    };
  };
}

/** The published word for each answer where there is one. */
const WORDS: Readonly<Record<DispatchAnswer["outcome"], string>> = {
  dispatched: "task_dispatch_attempt_created",
  "already-dispatched": "task_already_dispatched",
  blocked: "task_dispatch_blocked",
  refused: "task_dispatch_refused",
  over: "task_dispatch_over",
  "needs-human": "task_dispatch_needs_human",
  unknown: "task_dispatch_outcome_unknown",
  "lease-lost": "task_dispatch_lease_lost",
  "not-settled": "task_dispatch_not_settled",
};
const ADOPTED = "task_session_adopted";

function executorOf(dispatcher: Dispatcher, kinds: string[]): Executor {
  return {
    async execute({ task, key, kind }) {
      const answer = await dispatcher.wake(task, `command: ${kind}`, key);
      const isAdopted = answer.outcome === "dispatched" && answer.how === "adopted";
      kinds.push(isAdopted ? "adopted" : answer.outcome.replaceAll("-", "_"));
      return { reason: isAdopted ? ADOPTED : WORDS[answer.outcome] };
    },
  };
}

/** The receipts lose their second halves, by an outside hand. */
async function damageReceipts({ open }: Pick<Disk, "open">, damaged: StartRow["damaged"]): Promise<void> {
  if (damaged === "none") return;
  const file = await open(START_LOG, "r+");
  const { size } = await file.stat();
  const [pending = "", completed = ""] = new TextDecoder().decode(await file.read(size, 0)).split("\n");
  const half = (line: string): string => line.slice(0, Math.floor(line.length / 2));
  const bytes = new TextEncoder().encode(`${damaged === "both" ? half(pending) : pending}\n${half(completed)}\n`);
  await file.truncate(0);
  await file.write(bytes, 0);
  await file.close();
}

/** What each row comes to when one thing is changed; a change that says nothing of a row leaves it as published. */
export const START_CAUSES = {
  "no-lease-check": { dispatcher: { leaseCheck: "none" } },
  "no-lease-check-start-again": { dispatcher: { leaseCheck: "none", recovery: "start-again" } },
  "no-key-reuse": { dispatcher: { keys: "fresh-each-call" } },
  "no-turns": { dispatcher: { turns: "none" } },
  "three-kernels": { kernels: 3 },
  "reports-health": { receipts: REFERENCE_POLICIES },
} as const satisfies Readonly<Record<string, StartRowOptions>>;

export type StartCause = keyof typeof START_CAUSES;

export interface CauseFacts {
  /** Rows that come out otherwise than with nothing changed. */
  readonly changed: readonly StartRowId[];
  /** Those among them in which another session was started. */
  readonly startedAgain: readonly StartRowId[];
}

/** Every row under every change, beside the row with nothing changed. */
export async function playStartCauses(runner: Runner, epochMs = KERNEL_EPOCH_MS): Promise<Readonly<Record<StartCause, CauseFacts>>> {
  const causes = Object.keys(START_CAUSES) as StartCause[];
  const table = Object.fromEntries(causes.map((cause) => [cause, { changed: [], startedAgain: [] }])) as unknown as Record<StartCause, { changed: StartRowId[]; startedAgain: StartRowId[] }>;
  for (const id of START_ROW_IDS) {
    const { facts: plain } = await playStartRow(id, { epochMs }, runner);
    for (const cause of causes) {
      const { kernels, ...own }: StartRowOptions = START_CAUSES[cause];
      const isOneKernel = (START_ROWS[id] as StartRow).kernels === undefined;
      const { facts } = await playStartRow(id, { ...own, epochMs, ...(isOneKernel || kernels === undefined ? {} : { kernels }) }, runner);
      if (published(facts) !== published(plain)) table[cause].changed.push(id);
      if (facts.starts > plain.starts) table[cause].startedAgain.push(id);
    }
  }
  return table;
}

/** What the trials printed of a row: whose key a session was given is not among it. */
function published({ loadedState, secondReasons, dispatchKinds, starts, attemptStatuses, processes }: StartRowFacts): string {
  return JSON.stringify([loadedState, secondReasons, dispatchKinds, starts, attemptStatuses, processes]);
}

/** Of the rows of identity, what has a model here. */
export const IDENTITY_ROWS = {
  J0: { change: "a command built from a chat" },
  J1: { change: "execution context keeps its trigger at the top level", nested: false },
  J2: { change: "execution context nests its trigger", nested: true },
  J3: { change: "policy subject changes actor" },
} as const;

export type IdentityRowId = keyof typeof IDENTITY_ROWS;

interface Context {
  readonly trigger?: { readonly chat: string };
  readonly execution?: { readonly trigger: { readonly chat: string } };
}

/** A start whose rationale is taken from the context of its execution, by a reader that looks at the top level and no deeper. */
export async function playTriggerRow(id: "J1" | "J2", runner: Runner, epochMs = KERNEL_EPOCH_MS): Promise<{ readonly nested: boolean; readonly triggerChatPresent: boolean; readonly logicalExecutionPresent: boolean; readonly starts: number }> {
  const { nested } = IDENTITY_ROWS[id];
  const trigger = { chat: "chat-7" };
  const context: Context = nested ? { execution: { trigger } } : { trigger };
  const build: Build<{ because: string | undefined; starts: number }> = (space) => {
    space.disk(HOST, VOLUME);
    const runtime = space.sessions("runtime");
    space.process(
      "console-1",
      async (ports) => {
        const { clock, disk, ids, log, faults } = ports;
        const dispatcher = createDispatcher({ clock, disk, ids, log, faults, sessions: ports.sessions(runtime) }, { root: ROOT, name: "console-1", trust: TRUST });
        await dispatcher.wake("TASK-1", context.trigger === undefined ? "no trigger" : `trigger: ${context.trigger.chat}`, COMMAND.key);
      },
      { host: HOST },
    );
    return {
      facts() {
        const { records } = readLedger(filesOf(space).files);
        const offered = records.find(({ record }) => record.kind === "offered")?.record;
        return { because: offered?.kind === "offered" ? offered.because : undefined, starts: runtime.sessions(0).length };
      },
    };
  };
  const { execution, facts } = createSimulation(build, { chooser: { choose: staying }, epoch: epochMs });
  await playAlone(execution, runner);
  const { because, starts } = facts();
  return { nested, triggerChatPresent: because?.includes(trigger.chat) === true, logicalExecutionPresent: because !== undefined, starts };
}

/** An approval of one actor's input, handed in for another's. */
export async function playSubjectRow(): Promise<{ readonly actorChangeDigestChanged: boolean; readonly executedToolCalls: number }> {
  const subject = { actor: { id: "ADMIN", role: "ADMIN" }, operation: "retry-task", payload: { task: "TASK-1" } };
  const { digestEqual, calls } = await runApproved(approve("approval-1", subject), { ...subject, actor: { id: "DEV", role: "ADMIN" } }, () => Promise.resolve());
  return { actorChangeDigestChanged: !digestEqual, executedToolCalls: calls };
}
