/**
 * Case 014: a watcher's event is taken for a fact.
 *
 * A dispatcher is told by a watcher that a task was published. One that starts a session for each event starts two when the event comes
 * twice, and none when it is lost. One that takes an event for a reason to look, and looks now and then without one, starts one.
 *
 * Models the dispatcher of `packages/dispatcher`, one inbox with a watcher on it, and a task that somebody moves there in one step.
 * Leaves out what the session does, and a file that is still being written.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { type DeskFile, HOST, objectText, ROOT, RULES, setDesk, tell, type Told, TRUST, volumeOf } from "@casebook/dispatch-suite";
import { createDispatcher, type Dispatcher } from "@casebook/dispatcher";
import { LIFECYCLE } from "@casebook/dispatcher/judge";
import { playAlone, staying, type System } from "@casebook/explore";
import { dispatchDuplicateSession, dispatchUnseenTask } from "@casebook/guards";
import { createCancellation, type Sessions } from "@casebook/ports";
import { watchAndReconcile } from "@casebook/ports/watch";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, asynchronousRunner, type Build, createSimulation, KERNEL_EPOCH_MS, type ProcessPorts } from "@casebook/sim/kernel";

const EPOCH = "2026-08-19T09:00:00Z";
const INBOX = `${LIFECYCLE}/inbox`;
const FILE = "TASK-1.md";
const TEXT = objectText({ id: "TASK-1" });
const PUBLISHED_AT_MS = 30_000;
export const PERIOD_MS = 20_000;
/** Two periods after the publication, and a little. */
const RUN_MS = 75_000;

/**
 * What the dispatcher does with the watcher. `event-starts`: each event starts what it names. `event-wakes`: each event is a reason to
 * look. With `-and-scan` it looks every period as well, whatever the watcher says.
 */
export type Observation = "event-starts" | "event-starts-and-scan" | "event-wakes" | "event-wakes-and-scan";

const FAULTS = {
  none: [],
  twice: [{ at: "watch.dispatcher-1", kind: "duplicate" }],
  lost: [{ at: "watch.dispatcher-1", kind: "drop" }],
  /** By longer than a period. */
  late: [{ at: "watch.dispatcher-1", kind: "delay", forMs: 30_000 }],
  overflow: [{ at: "watch.dispatcher-1", kind: "overflow" }],
  broken: [{ at: "watch.dispatcher-1", kind: "reset" }],
} as const satisfies Record<string, readonly ArmedFault[]>;

export interface Watched {
  readonly observation: Observation;
  readonly event: keyof typeof FAULTS;
  /** Of the scan, where there is one. */
  readonly periodMs: number;
  readonly watcher: "nobody" | "guards";
}

/** Nothing lies in the folders at the start; the task lies ready beside them, so that to publish it is one step. */
const AT_THE_START: DeskFile[] = [];
const VOLUME = volumeOf(AT_THE_START);
VOLUME.writeFileSync(`${ROOT}/${FILE}`, TEXT);
// Written in 2025: nothing here is being written.
VOLUME.utimesSync(`${ROOT}/${FILE}`, 1_750_000_000, 1_750_000_000);

export function build(watched: Watched, epochMs = KERNEL_EPOCH_MS): Build<Told> {
  return (space) => {
    const cast = setDesk(space, {}, VOLUME);
    space.process("dispatcher-1", (ports) => dispatch(ports, ports.sessions(cast.runtime), watched), { host: HOST });
    space.process("publisher", publish, { host: HOST });
    return { facts: () => tell(cast, AT_THE_START, Number.POSITIVE_INFINITY, epochMs) };
  };
}

async function publish({ clock, disk, log }: ProcessPorts): Promise<void> {
  await clock.sleep(PUBLISHED_AT_MS);
  await disk.rename(`${ROOT}/${FILE}`, `${ROOT}/${INBOX}/${FILE}`);
  log.write("info", "actor.published", { path: `${INBOX}/${FILE}`, text: TEXT });
}

async function dispatch(ports: ProcessPorts, sessions: Sessions, { observation, periodMs }: Watched): Promise<void> {
  const { clock, disk, ids, log, faults, watch, process } = ports;
  const isFact = observation.startsWith("event-starts");
  const dispatcher = createDispatcher({ clock, disk, ids, log, faults, sessions }, { root: ROOT, name: process.name, trust: TRUST, policies: { events: isFact ? "dispatch" : "read-again" } });
  const { signal, cancel } = createCancellation();
  void clock.sleep(RUN_MS).then(cancel);
  const directory = `${ROOT}/${INBOX}`;
  if (observation === "event-wakes-and-scan") {
    await watchAndReconcile({ clock, watch }, {
      directory,
      periodMs,
      async look(reason) {
        if (reason === "event") log.write("info", "heard", {});
        await dispatcher.scan();
      },
      failed: (what, failure) => log.write("warning", "failed", { what, says: String(failure) }),
      cancel: signal,
    });
    return;
  }
  await dispatcher.scan();
  void hear(ports, dispatcher, directory);
  while (!signal.aborted) {
    await clock.sleep(periodMs, signal);
    if (observation === "event-starts-and-scan") await dispatcher.scan();
  }
}

/** The watcher is the only way in: what it does not say is not there. */
async function hear({ watch, log }: ProcessPorts, dispatcher: Dispatcher, directory: string): Promise<void> {
  try {
    const watcher = await watch.open(directory);
    for (let event = await watcher.next(); event !== undefined; event = await watcher.next()) {
      log.write("info", "heard", {});
      await dispatcher.observe(`${INBOX}/${event.kind === "changed" ? (event.name ?? "") : ""}`);
    }
  } catch (failure) {
    log.write("warning", "failed", { what: "watch", says: String(failure) });
  }
}

export interface Seen extends Facts {
  /** Events, or of a dispatcher that looks the looks that events made; its own move of the file makes one. */
  readonly heard: number;
  readonly attempts: number;
  readonly sessions: number;
  /** From the publication to the first start, seconds; -1: it never came. */
  readonly foundAfterS: number;
  readonly alarms: readonly string[];
}

async function oneEvent({ ports }: World, watched: Watched): Promise<Seen> {
  const epochMs = ports.clock.now();
  const { execution, facts } = createSimulation(build(watched, epochMs), { chooser: { choose: staying }, faults: FAULTS[watched.event], epoch: epochMs });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { steps: execution.steps.length, trace: execution.hash() });
  const told = facts();
  const [first] = told.sessions;
  return {
    heard: told.log.filter(({ event }) => event === "heard").length,
    attempts: told.layers.attemptsCreated,
    sessions: told.sessions.length,
    foundAfterS: first === undefined ? -1 : Math.round((first.startedAtMs - epochMs - PUBLISHED_AT_MS) / 1_000),
    alarms: watched.watcher === "guards" ? alarmsOf(told) : [],
  };
}

/** Looked at from outside, when the run is over: the runtime's list, the record, and what was published. */
export function alarmsOf(told: Told): string[] {
  const unattributed = RULES.filter(({ number, alarm }) => number === 4 && alarm(told) !== undefined).map(({ id }) => id);
  return [twiceStarted(told)?.guard, ...unattributed, unseen(told)?.guard].flatMap((guard) => guard ?? []);
}

function twiceStarted({ sessions }: Told): ReturnType<typeof dispatchDuplicateSession> {
  return dispatchDuplicateSession(sessions.map(({ id, task }) => ({ session: id, prompt: task })));
}

function unseen({ declared, ledger }: Told): ReturnType<typeof dispatchUnseenTask> {
  const named = new Set(ledger.records.flatMap(({ record }) => ("task" in record ? [record.task] : [])));
  return dispatchUnseenTask({ tasks: declared.map(({ object }) => ({ task: object.id, ageMs: RUN_MS - PUBLISHED_AT_MS, isOnRecord: named.has(object.id) })), periodMs: PERIOD_MS });
}

function scene(name: string, watched: Watched, expect: Seen): Scene<Watched, Seen> {
  return { name, run: oneEvent, with: watched, expect };
}

const EVENT_STARTS: Watched = { observation: "event-starts", event: "twice", periodMs: PERIOD_MS, watcher: "nobody" };
const ONCE: Seen = { heard: 2, attempts: 1, sessions: 1, foundAfterS: 0, alarms: [] };
/** What is heard is the move that the scan made. */
const BY_SCAN: Seen = { ...ONCE, heard: 1, foundAfterS: 10 };
const NEVER: Seen = { heard: 0, attempts: 0, sessions: 0, foundAfterS: -1, alarms: [] };

export const twice = scene("twice", EVENT_STARTS, { ...ONCE, attempts: 0, sessions: 2 });
export const lost = scene("lost", { ...EVENT_STARTS, event: "lost" }, NEVER);
/** Not a word comes twice and none is lost: green, and no attempt is on record. */
export const plain = scene("plain", { ...EVENT_STARTS, event: "none" }, { ...ONCE, heard: 1, attempts: 0 });
/** The event, the scan, and the event of the scan's own move. */
export const plainAndScan = scene("plain-and-scan", { ...plain.with, observation: "event-starts-and-scan" }, { ...ONCE, sessions: 3 });

const READ_AGAIN: Watched = { ...EVENT_STARTS, observation: "event-wakes-and-scan", watcher: "guards" };
export const readTwice = scene("read-again-twice", READ_AGAIN, ONCE);
export const readLost = scene("read-again-lost", { ...READ_AGAIN, event: "lost" }, BY_SCAN);
export const readPlain = scene("read-again", { ...READ_AGAIN, event: "none" }, ONCE);
const readLate = scene("read-again-late", { ...READ_AGAIN, event: "late" }, BY_SCAN);
const readOverflow = scene("read-again-over", { ...READ_AGAIN, event: "overflow" }, ONCE);
const readBroken = scene("read-again-broken", { ...READ_AGAIN, event: "broken" }, BY_SCAN);

/** Half of the fix: an event is a reason to look, and the only one. */
export const wokenTwice = scene("woken-twice", { ...READ_AGAIN, observation: "event-wakes" }, { ...ONCE, heard: 3 });
export const wokenLost = scene("woken-lost", { ...wokenTwice.with, event: "lost" }, { ...NEVER, alarms: ["dispatch/unseen-task"] });

/** What an operator can do without touching the dispatcher. */
export const watchedTwice = scene("watched-twice", { ...EVENT_STARTS, watcher: "guards" }, { ...twice.expect, alarms: ["dispatch/duplicate-session", "dispatch/unattributed-start", "dispatch/unseen-task"] });
export const watchedLost = scene("watched-lost", { ...lost.with, watcher: "guards" }, { ...NEVER, alarms: ["dispatch/unseen-task"] });
export const watchedPlain = scene("watched-plain", { ...plain.with, watcher: "guards" }, { ...plain.expect, alarms: ["dispatch/unattributed-start", "dispatch/unseen-task"] });

type Check = System<Told>["checks"][number];

const CHECKS: readonly Check[] = [
  { id: dispatchDuplicateSession.about.id, when: "end", alarm: (told) => twiceStarted(told)?.message },
  ...RULES.filter(({ number }) => number === 4).map(({ id, alarm }): Check => ({ id, when: "end", alarm })),
  { id: dispatchUnseenTask.about.id, when: "end", alarm: (told) => unseen(told)?.message },
];

function system(observation: Observation, expect: "holds" | "fails", claim: string): System<Told> {
  return {
    name: `014/${observation}`,
    claim,
    expect,
    build: build({ ...EVENT_STARTS, observation }),
    checks: CHECKS,
    sometimes: { "a session was started": ({ sessions }) => sessions.length > 0, "an event was heard": ({ log }) => log.some(({ event }) => event === "heard") },
    faults: { points: ["watch.dispatcher-1"], kinds: ["drop", "duplicate", "delay", "reorder", "merge", "overflow", "reset"] },
  };
}

/** What can be searched: each thing that can become of an event, and of none. */
export const systems = [
  system("event-starts", "fails", "Each event starts what it names."),
  system("event-wakes", "fails", "Each event is a reason to look, and the only one."),
  system("event-wakes-and-scan", "holds", "An event is a reason to look, and a period is another."),
] as const satisfies readonly System<Told>[];

export function systemOf(observation: string): System<Told> {
  const found = systems.find(({ name }) => name === `014/${observation}`);
  if (found === undefined) throw new Error(`SYSTEM_UNKNOWN: case 014 has no system "${observation}"; there are ${systems.map(({ name }) => name).join(", ")}.`);
  return found;
}

export const repro = defineRepro({
  id: "014",
  claim: "A dispatcher that starts a session for each event of a watcher starts two when the event comes twice and none when it is lost, and one that takes an event for a reason to look, and also looks without one, starts one.",
  seed: 14,
  epoch: EPOCH,
  broken: twice,
  fixed: readTwice,
  control: readPlain,
  shown: [twice, lost, plain, readTwice, readLost, readPlain],
  more: [plainAndScan, watchedTwice, watchedLost, watchedPlain, wokenTwice, wokenLost, readLate, readOverflow, readBroken],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(17)} ${counters(facts)}`),
});

function counters({ heard, attempts, sessions, foundAfterS, alarms }: Seen): string {
  const isSilent = sessions !== 1 && alarms.length === 0;
  const found = foundAfterS === -1 ? "never" : `${foundAfterS}s`;
  return `heard=${heard} attempts=${attempts} sessions=${sessions} found_after=${found} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`;
}

await runAsScript(import.meta, repro);
