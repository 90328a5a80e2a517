/**
 * Case 016: a restart guesses between intent and session.
 *
 * A dispatcher writes down that it will start a session, starts it, and writes down which one. It dies in between. The next life finds
 * an intent without a session, and that is all it finds: the same record before the start and after it. One that starts again is wrong
 * in one of the two places, one that takes the intent for a start is wrong in the other. The runtime knows, if it was given a key.
 *
 * Models the dispatcher of `packages/dispatcher`, one task, one runtime. Leaves out what the session does, and a lost disk.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { addDispatcher, type DeskFile, objectText, RULES, setDesk, tell, type Told, volumeOf } from "@casebook/dispatch-suite";
import type { DispatcherPolicies } from "@casebook/dispatcher";
import { playAlone, staying, type System } from "@casebook/explore";
import type { SessionKeys } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, asynchronousRunner, type Build, createSimulation, KERNEL_EPOCH_MS } from "@casebook/sim/kernel";

const EPOCH = "2026-08-19T09:00:00Z";
const TASK: DeskFile = { folder: "inbox", text: objectText({ id: "TASK-1" }) };
/** Copied by every execution. */
const VOLUME = volumeOf([TASK]);
/** Long enough for two lives, a lease that runs out between them, and a look after it. */
const RUN_MS = 100_000;
const RESTART_MS = 5_000;

const CRASHES = {
  never: [],
  "after-intent": [{ at: "dispatcher.after-intent", kind: "kill-restart", forMs: RESTART_MS }],
  "after-start": [{ at: "dispatcher.after-start", kind: "kill-restart", forMs: RESTART_MS }],
} as const satisfies Record<string, readonly ArmedFault[]>;

export interface Restart {
  readonly crash: keyof typeof CRASHES;
  /** What the next life takes an intent without a session for. */
  readonly recovery: DispatcherPolicies["recovery"];
  /** What the runtime does with the key of a start. */
  readonly keys: SessionKeys;
  readonly watcher: "nobody" | "guards";
}

export function build({ recovery, keys }: Restart, epochMs = KERNEL_EPOCH_MS): Build<Told> {
  return (space) => {
    const cast = setDesk(space, { recovery }, VOLUME, { keys });
    addDispatcher(cast, { watches: false, forMs: RUN_MS });
    return { facts: () => tell(cast, [TASK], Number.POSITIVE_INFINITY, epochMs) };
  };
}

export interface Seen extends Facts {
  readonly crashes: number;
  readonly attempts: number;
  /** How often somebody took the task: once, and once more by the next life. */
  readonly claims: number;
  /** What was decided about it, as it stands on record. */
  readonly decisions: readonly string[];
  /** Sessions that the runtime has. */
  readonly sessions: number;
  /** Those among them that stand on record; `unknown` is a record of one that nobody named. */
  readonly onRecord: readonly string[];
  /** Who was asked to decide. */
  readonly asked: string;
  readonly alarms: readonly string[];
}

async function oneRestart({ ports }: World, restart: Restart): Promise<Seen> {
  const epochMs = ports.clock.now();
  const { execution, facts } = createSimulation(build(restart, epochMs), { chooser: { choose: staying }, faults: CRASHES[restart.crash], epoch: epochMs });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { steps: execution.steps.length, trace: execution.hash() });
  const told = facts();
  const records = told.ledger.records.map(({ record }) => record);
  const decisions = records.flatMap((record) => (record.kind === "decided" ? [record] : []));
  return {
    crashes: execution.processes.reduce((sum, { life }) => sum + life - 1, 0),
    attempts: told.ledger.state.attempts.size,
    claims: records.filter(({ kind }) => kind === "claimed").length,
    decisions: decisions.map(({ outcome }) => outcome),
    sessions: told.sessions.length,
    onRecord: records.flatMap((record) => (record.kind === "started" ? [record.session] : [])),
    asked: decisions.find(({ outcome }) => outcome === "needs-human")?.mayDecide ?? "nobody",
    alarms: restart.watcher === "guards" ? alarmsOf(told) : [],
  };
}

/** The six rules of dispatch, of which the sixth is about this case. */
function alarmsOf(told: Told): string[] {
  return RULES.filter(({ alarm }) => alarm(told) !== undefined).map(({ id }) => id);
}

function scene(name: string, restart: Restart, expect: Seen): Scene<Restart, Seen> {
  return { name, run: oneRestart, with: restart, expect };
}

const DIES_AFTER_START: Restart = { crash: "after-start", recovery: "start-again", keys: "recorded", watcher: "nobody" };
const ONCE: Seen = { crashes: 1, attempts: 1, claims: 2, decisions: ["continue"], sessions: 1, onRecord: ["session-0001"], asked: "nobody", alarms: [] };
const TWICE: Seen = { ...ONCE, decisions: ["retry"], sessions: 2, onRecord: ["session-0002"] };
/** Looked at later, the record names a session that the runtime does not know, and then a person is asked. */
const NEVER: Seen = { ...ONCE, claims: 2, decisions: ["continue", "needs-human"], sessions: 0, onRecord: ["unknown"], asked: "LEAD" };

/** The session of the first life goes on, and nobody has it on record. */
export const startAgain = scene("start-again", DIES_AFTER_START, TWICE);
export const findByKey = scene("find-by-key", { ...DIES_AFTER_START, recovery: "find-by-key", watcher: "guards" }, ONCE);
export const noCrash = scene("no-crash", { ...DIES_AFTER_START, crash: "never", watcher: "guards" }, { ...ONCE, crashes: 0, claims: 1, decisions: [] });

/** The opposite guess, and the other window: the record says that it runs, and nothing does. It is the next look that finds out. */
export const assumeRunning = scene("assume-running", { ...DIES_AFTER_START, crash: "after-intent", recovery: "assume-running" }, NEVER);
export const foundNone = scene("found-none", { ...findByKey.with, crash: "after-intent" }, { ...ONCE, decisions: ["retry"] });

/** What an operator can do without touching the dispatcher: hold the runtime's list against the record. */
export const watchedAgain = scene("watched-again", { ...startAgain.with, watcher: "guards" }, { ...TWICE, alarms: ["dispatch/guessed-restart"] });
export const watchedAssumed = scene("watched-assumed", { ...assumeRunning.with, watcher: "guards" }, { ...NEVER, alarms: ["dispatch/guessed-restart"] });

/** Each guess is right in one of the two windows. */
export const luckyAgain = scene("lucky-again", { ...watchedAgain.with, crash: "after-intent" }, { ...ONCE, decisions: ["retry"] });
export const luckyAssumed = scene("lucky-assumed", { ...watchedAssumed.with, crash: "after-start" }, { ...NEVER, sessions: 1, alarms: ["dispatch/guessed-restart"] });

/** A runtime that keeps no keys cannot be asked, in either window, and a person is. */
export const keylessStart = scene("keyless-start", { ...findByKey.with, keys: "none" }, { ...ONCE, decisions: ["needs-human"], onRecord: [], asked: "LEAD" });
export const keylessIntent = scene("keyless-intent", { ...keylessStart.with, crash: "after-intent" }, { ...keylessStart.expect, sessions: 0 });
/** One that honours them answers a second start with the session of the first: the guess is still one, and does no harm. */
export const honoured = scene("honoured", { ...watchedAgain.with, keys: "honoured" }, { ...ONCE, decisions: ["retry"] });

const POINTS = ["dispatcher.after-offer", "dispatcher.after-intent", "dispatcher.before-start", "sessions.started", "dispatcher.after-start", "dispatcher.after-commit"];

type Check = System<Told>["checks"][number];

const RULE_SIX: Check[] = RULES.filter(({ number }) => number === 6).map(({ id, alarm }) => ({ id, when: "end", alarm }));

/** A task that has no session is somebody's to decide. */
const NOT_FORGOTTEN: Check = {
  id: "task/not-forgotten",
  when: "end",
  alarm({ sessions, account }) {
    const [task] = account.tasks;
    return sessions.length > 0 || task?.mayDecide === "LEAD" ? undefined : `${task?.task ?? "the task"} has no session, and ${task?.mayDecide ?? "nobody"} is asked: ${task?.fact ?? ""}`;
  },
};

function system(name: string, restart: Restart, expect: "holds" | "fails", claim: string, sometimes: System<Told>["sometimes"]): System<Told> {
  return {
    name: `016/${name}`,
    claim,
    expect,
    build: build(restart),
    checks: [...RULE_SIX, NOT_FORGOTTEN],
    sometimes: { "a life took over what another had begun": ({ ledger }) => ledger.records.filter(({ record }) => record.kind === "claimed").length > 1, ...sometimes },
    faults: { points: POINTS, kinds: ["kill-restart"] },
  };
}

const decided = (outcome: string): NonNullable<System<Told>["sometimes"]>[string] => ({ ledger }) => ledger.records.some(({ record }) => record.kind === "decided" && record.outcome === outcome);

/** What can be searched: a crash at each moment that the dispatcher names, those between offer and commit among them. */
export const systems = [
  system("start-again", startAgain.with, "fails", "A life that finds an intent without a session starts one.", {}),
  system("assume-running", assumeRunning.with, "fails", "A life that finds an intent without a session takes it for started.", {}),
  system("find-by-key", findByKey.with, "holds", "A life that finds an intent without a session asks the runtime for its key.", { "it was started before, and found": decided("continue"), "it was not started before": decided("retry") }),
  system("keyless", keylessStart.with, "holds", "Where the runtime keeps no keys, a person is asked and nothing is started.", { "a person was asked": decided("needs-human") }),
] as const satisfies readonly System<Told>[];

export function systemOf(name: string): System<Told> {
  const found = systems.find((one) => one.name === `016/${name}`);
  if (found === undefined) throw new Error(`SYSTEM_UNKNOWN: case 016 has no system "${name}"; there are ${systems.map((one) => one.name).join(", ")}.`);
  return found;
}

export const repro = defineRepro({
  id: "016",
  claim: "An intent without a session looks the same before the start and after it, so a restart that guesses starts a second session or none, and one that asks the runtime for the key of the intent does neither.",
  seed: 16,
  epoch: EPOCH,
  broken: startAgain,
  fixed: findByKey,
  control: noCrash,
  shown: [startAgain, assumeRunning, findByKey, foundNone, noCrash],
  more: [watchedAgain, watchedAssumed, luckyAgain, luckyAssumed, keylessStart, keylessIntent, honoured],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(15)} ${counters(facts)}`),
});

function counters({ crashes, attempts, claims, decisions, sessions, onRecord, asked, alarms }: Seen): string {
  const isSilent = sessions !== 1 && asked === "nobody" && alarms.length === 0;
  return (
    `crashes=${crashes} attempts=${attempts} claims=${claims} decided=${decisions.join("+") || "none"} sessions=${sessions} ` +
    `on_record=${onRecord.join("+") || "none"} asked=${asked} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
