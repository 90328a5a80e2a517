/**
 * Case 018: a refused rename deletes the original.
 *
 * A dispatcher keeps its attempts and leases in one file, and replaces it by a rename. When the rename is refused, because somebody
 * has the file open, it deletes the file to make room and renames again. A crash in between, or a second refusal, leaves no file.
 * Whoever reads next takes a missing file for a first start: no attempts, no leases, everything to be done again.
 *
 * Models one dispatcher on one machine, an inbox that never changes, and a runtime that keeps every session it started. Leaves out
 * leases that expire, a second dispatcher, and who holds the file.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { playAlone, staying, type System } from "@casebook/explore";
import { commitFile, type CommitPolicies, REFERENCE_POLICIES } from "@casebook/file-commit";
import { dispatchDuplicateSession, storageNeitherVersion, type StoredVersion } from "@casebook/guards";
import { type Disk, errorCode } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, asynchronousRunner, type Build, type CellState, createSimulation, type ProcessPorts, type Space } from "@casebook/sim/kernel";
import { Volume } from "memfs";

const EPOCH = "2026-09-20T03:00:00Z";
const MINUTE_MS = 60_000;
export const MACHINE = "box";
export const STATE = "/dispatch/dispatch-state.json";
const INBOX = ["task-1", "task-2", "task-3"];
/** In progress when the story begins. */
const AT_WORK = ["task-1", "task-2"];
/** A dispatcher looks at its inbox so often in one life. */
const PASSES = 2;

/** What a refused rename makes the writer do. */
export type Policy = "delete-then-rename" | "retry";

const POLICIES: Readonly<Record<Policy, CommitPolicies>> = {
  "delete-then-rename": { ...REFERENCE_POLICIES, refusedRename: "delete-target-then-rename" },
  retry: REFERENCE_POLICIES,
};

export interface Box {
  readonly refused: Policy;
  /** What the reader makes of a missing file. */
  readonly missing: "empty" | "stop";
  /** Renames in a row that the disk refuses. */
  readonly refusals: number;
  /** The port call of the dispatcher behind which its process is killed; 0: none. It comes back a minute later. */
  readonly killedAfterCall: number;
  readonly watcher: "nobody" | "guard";
}

/** One list stands for both: each attempt here has its lease. */
interface DispatchState {
  readonly attempts: readonly string[];
  readonly leases: readonly string[];
}

const EMPTY: DispatchState = { attempts: [], leases: [] };
const textOf = ({ attempts, leases }: DispatchState): string => JSON.stringify({ version: 1, attempts, leases });
const BEFORE = textOf({ attempts: AT_WORK, leases: AT_WORK });

interface Session {
  readonly id: string;
  readonly task: string;
}

export function build({ refused, missing }: Pick<Box, "refused" | "missing">): Build<Told> {
  const before = Volume.fromJSON({ [STATE]: BEFORE });
  return (space) => {
    space.disk(MACHINE, before);
    // The runtime that starts sessions is elsewhere, and forgets nothing.
    const sessions = space.cell<readonly Session[]>("sessions", AT_WORK.map((task) => ({ id: `session-of-${task}`, task })));
    space.process("dispatcher", (ports) => dispatcher(ports, sessions, POLICIES[refused], missing), { host: MACHINE });
    return { facts: () => tell(space, sessions) };
  };
}

/** Starts what is in the inbox and has no attempt on record: first the record, then the session. */
async function dispatcher(ports: ProcessPorts, sessions: CellState<readonly Session[]>, policies: CommitPolicies, missing: Box["missing"]): Promise<void> {
  for (let pass = 1; pass <= PASSES; pass += 1) {
    if (pass > 1) await ports.clock.sleep(MINUTE_MS);
    const found = await textOnDisk(ports.disk);
    ports.log.write("info", "read", { found: found ?? null, life: ports.process.life });
    if (found === undefined && missing === "stop") return ports.log.write("error", "state-missing");
    await dispatch(ports, sessions, found === undefined ? EMPTY : (JSON.parse(found) as DispatchState), policies);
  }
}

async function dispatch(ports: ProcessPorts, sessions: CellState<readonly Session[]>, state: DispatchState, policies: CommitPolicies): Promise<void> {
  const { disk, clock, ids, faults, log } = ports;
  let known = state;
  for (const task of INBOX.filter((one) => !state.attempts.includes(one))) {
    known = { attempts: [...known.attempts, task], leases: [...known.leases, task] };
    const text = textOf(known);
    log.write("info", "handed", { text });
    try {
      await commitFile({ disk, clock, ids, faults }, STATE, Uint8Array.from(text, (letter) => letter.charCodeAt(0)), policies);
    } catch (failure) {
      // Nothing is started without its record.
      return log.write("error", "failed", { text, code: errorCode(failure) });
    }
    log.write("info", "acknowledged", { text });
    await ports.cell(sessions).update((started) => [...started, { id: ids.next("session"), task }]);
  }
}

async function textOnDisk(disk: Disk): Promise<string | undefined> {
  try {
    const file = await disk.open(STATE, "r");
    const { size } = await file.stat();
    const bytes = await file.read(size, 0);
    await file.close();
    return String.fromCharCode(...bytes);
  } catch (refusal) {
    if (errorCode(refusal) === "ENOENT") return undefined;
    throw refusal;
  }
}

/** A look of a dispatcher at its file, and what the file could have held by then. */
interface Look {
  readonly found: string | undefined;
  readonly versions: readonly StoredVersion[];
  readonly crashes: number;
}

export interface Told {
  readonly looks: readonly Look[];
  readonly sessions: readonly Session[];
  readonly failed: number;
}

function tell({ log }: Space, sessions: CellState<readonly Session[]>): Told {
  const answers: Readonly<Record<string, StoredVersion["answer"]>> = { acknowledged: "acknowledged", failed: "failed" };
  const looks: Look[] = [];
  let versions: StoredVersion[] = [{ content: BEFORE, answer: "acknowledged" }];
  for (const { event, facts } of log) {
    if (event === "read") looks.push({ found: facts["found"] === null ? undefined : String(facts["found"]), versions, crashes: Number(facts["life"]) - 1 });
    if (event === "handed") versions = [...versions, { content: String(facts["text"]), answer: "none" }];
    const answer = answers[event];
    if (answer !== undefined) versions = versions.map((version, at) => (at === versions.length - 1 ? { ...version, answer } : version));
  }
  return { looks, sessions: sessions.value, failed: log.filter(({ event }) => event === "failed").length };
}

const neither = ({ looks }: Told) => looks.map(({ found, versions, crashes }) => storageNeitherVersion({ file: STATE, versions, found, crashes })).find((finding) => finding !== undefined);
const twice = ({ sessions }: Told) => dispatchDuplicateSession(sessions.map(({ id, task }) => ({ session: id, prompt: task })));

const CHECKS: System<Told>["checks"] = [
  { id: storageNeitherVersion.about.id, when: "end", alarm: (told) => neither(told)?.message },
  { id: dispatchDuplicateSession.about.id, when: "end", alarm: (told) => twice(told)?.message },
];

/** `times` renames in a row are refused, as while a scanner or a backup has the file open. */
export const refusal = (times: number): ArmedFault => ({ at: "disk.rename", kind: "error", errno: "EPERM", times });

function system(refused: Policy, expect: "holds" | "fails", claim: string): System<Told> {
  return {
    name: `018/${refused}`,
    claim,
    expect,
    build: build({ refused, missing: "empty" }),
    checks: CHECKS,
    sometimes: {
      "a write failed in the open": ({ failed }) => failed > 0,
      "a dispatcher came back and read its file": ({ looks }) => looks.some(({ crashes }) => crashes > 0),
      "all three tasks were started": ({ sessions }) => new Set(sessions.map(({ task }) => task)).size === INBOX.length,
    },
    // Nine: one more than the right writer asks for.
    faults: { points: [], kinds: [], steps: ["power-loss", "kill-restart"], armed: [refusal(1), refusal(2), refusal(9)] },
    durability: "posix-min",
  };
}

/** What can be searched: every crash, and refusals that pass and that do not. */
export const systems = [
  system("delete-then-rename", "fails", "A writer whose rename is refused deletes the target and renames again."),
  system("retry", "holds", "A writer whose rename is refused asks again for a stated time, and leaves the target alone."),
] as const satisfies readonly System<Told>[];

export function systemOf(refused: string): System<Told> {
  const found = systems.find(({ name }) => name === `018/${refused}`);
  if (found === undefined) throw new Error(`SYSTEM_UNKNOWN: case 018 has no system "${refused}"; there are ${systems.map(({ name }) => name).join(", ")}.`);
  return found;
}

export interface Seen extends Facts {
  readonly tasks: number;
  readonly refusals: number;
  /** Times that the state file was deleted. */
  readonly deleted: number;
  /** Attempts that each look of a dispatcher found on record, or `missing`. */
  readonly found: readonly string[];
  /** Writes that failed in the open. */
  readonly failed: number;
  readonly sessions: number;
  /** Tasks that have more than one session. */
  readonly again: readonly string[];
  readonly alarms: readonly string[];
}

/** One execution, in which the process goes on for as long as it can. */
async function oneNight({ ports }: World, box: Box): Promise<Seen> {
  const faults: ArmedFault[] = [
    ...(box.refusals === 0 ? [] : [refusal(box.refusals)]),
    ...(box.killedAfterCall === 0 ? [] : [{ at: "step", kind: "kill-restart", process: "dispatcher", nth: box.killedAfterCall } as const]),
  ];
  const { execution, facts } = createSimulation(build(box), { chooser: { choose: staying }, faults, epoch: ports.clock.now() });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { steps: execution.steps.length, trace: execution.hash() });
  const told = facts();
  const calls = execution.steps.map(({ plan, outcome }) => `${plan.name} ${plan.object} ${outcome}`);
  return {
    tasks: INBOX.length,
    refusals: calls.filter((call) => call.startsWith("disk.rename ") && call.endsWith(" EPERM")).length,
    deleted: calls.filter((call) => call === `disk.unlink ${STATE} ok`).length,
    found: told.looks.map(({ found }) => (found === undefined ? "missing" : String((JSON.parse(found) as DispatchState).attempts.length))),
    failed: told.failed,
    sessions: told.sessions.length,
    again: INBOX.filter((task) => told.sessions.filter((session) => session.task === task).length > 1),
    alarms: box.watcher === "nobody" ? [] : [neither(told), twice(told)].flatMap((finding) => finding?.guard ?? []),
  };
}

function scene(name: string, box: Box, expect: Seen): Scene<Box, Seen> {
  return { name, run: oneNight, with: box, expect };
}

/** Between the deletion and the second rename: the search tries every call and finds this one. */
export const BETWEEN = 13;
const CRASHED: Box = { refused: "delete-then-rename", missing: "empty", refusals: 1, killedAfterCall: BETWEEN, watcher: "nobody" };

export const deletes = scene("delete-then-rename", CRASHED, { tasks: 3, refusals: 1, deleted: 1, found: ["2", "missing", "3"], failed: 0, sessions: 5, again: ["task-1", "task-2"], alarms: [] });

export const retries = scene("retry", { ...CRASHED, refused: "retry" }, { ...deletes.expect, deleted: 0, found: ["2", "2", "3"], sessions: 3, again: [] });

/** The same writer where nobody refuses: it is killed at the same call, and nothing is lost. */
export const unrefused = scene("not-refused", { ...CRASHED, refusals: 0 }, { ...deletes.expect, refusals: 0, deleted: 0, found: ["2", "3", "3"], sessions: 2, again: [] });

/** No crash at all: the second rename is refused as well, and the writer says so. */
export const refusedTwice = scene("refused-twice", { ...CRASHED, refusals: 2, killedAfterCall: 0 }, { ...deletes.expect, refusals: 2, found: ["2", "missing"], failed: 1, sessions: 5 });

export const retriedTwice = scene("retry-twice", { ...refusedTwice.with, refused: "retry" }, { ...retries.expect, refusals: 2, found: ["2", "3"] });

/** Longer than the right writer asks. */
export const heldFast = scene("retry-in-vain", { ...retriedTwice.with, refusals: 9 }, { ...retriedTwice.expect, refusals: 9, failed: 1, found: ["2", "2"] });

/** What an operator can do without touching the dispatcher: remember what was written, and look. */
export const watched = scene("watched", { ...CRASHED, watcher: "guard" }, { ...deletes.expect, alarms: ["storage/neither-version", "dispatch/duplicate-session"] });

/** A reader that does not take missing for empty: nothing is started twice, and nothing is started. */
export const stops = scene("reader-stops", { ...CRASHED, missing: "stop" }, { ...deletes.expect, found: ["2", "missing"], sessions: 2, again: [] });

export const repro = defineRepro({
  id: "018",
  claim: "A writer that deletes its target when a rename is refused leaves no file if it dies or is refused again, and a reader that takes a missing file for an empty one starts everything a second time.",
  seed: 18,
  epoch: EPOCH,
  broken: deletes,
  fixed: retries,
  control: unrefused,
  shown: [deletes, retries, refusedTwice, unrefused],
  more: [watched, stops, retriedTwice, heldFast],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(18)} ${counters(facts)}`),
});

function counters({ tasks, refusals, deleted, found, failed, sessions, again, alarms }: Seen): string {
  const isSilent = again.length > 0 && alarms.length === 0;
  return (
    `tasks=${tasks} refusals=${refusals} deleted=${deleted} attempts_found=${found.join("+")} failed=${failed} sessions=${sessions} ` +
    `again=${again.join("+") || "none"} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
