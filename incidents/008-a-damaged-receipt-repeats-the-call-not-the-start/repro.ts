/**
 * Case 008: a damaged receipt repeats the call, not the start.
 *
 * A command leaves a pending receipt and then a completed one. The completed one is damaged, and the command comes again. A reader that
 * skips what it cannot parse finds the pending one, and the kernel calls its executor a second time.
 *
 * Models kernel, receipts, an approval and stores of one record, and for the second round a dispatcher behind the executor, which starts
 * nothing a second time. What nobody looked at is not measured, and says so. Rows have the ids under which such trials were published;
 * every value is counted.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import {
  IDENTITY_ROWS,
  type IdentityRowId,
  playStartCauses,
  playStartRow,
  playSubjectRow,
  playTriggerRow,
  START_CAUSES,
  START_ROWS,
  type StartCause,
  type StartRowFacts,
  type StartRowId,
  type StartRowOptions,
} from "@casebook/dispatch-suite";
import { dispatchDuplicateSession, receiptsDamaged, receiptsStateRegression } from "@casebook/guards";
import type { Disk } from "@casebook/ports";
import {
  AUTHORITY_ROWS,
  type AuthorityRowId,
  type Command,
  COMMANDS,
  createCommandKernel,
  playAuthorityRow,
  playReceiptRow,
  playStoreRow,
  RECEIPT_ROWS,
  type ReceiptPolicies,
  type ReceiptRowId,
  REFERENCE_POLICIES,
  type RowDamage,
  STORE_ROWS,
  type StoreRowId,
  surveyReceipts,
} from "@casebook/receipt-reader";
import { type Diagnosis, DIAGNOSES } from "@casebook/receipt-reader/judge";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { asynchronousRunner } from "@casebook/sim/kernel";

const EPOCH = "2026-09-08T08:00:00Z";
const HOUR_MS = 3_600_000;
export const LOG = "/receipts.jsonl";
/** Of a layer that nobody looked at. It is not 0. */
export const NOT_MEASURED = "not measured";
/** Of a published value whose mechanism is not in any model here. */
export const NOT_MODELLED = "not modelled";

const TOLERANT: ReceiptPolicies = { ...REFERENCE_POLICIES, reader: "backward-tolerant" };

/** Who reads and decides: the system of the trials, ours, and each of them with one policy turned. */
export const SYSTEMS = {
  "as-published": TOLERANT,
  "reports-health": REFERENCE_POLICIES,
  "health-ignored": { ...REFERENCE_POLICIES, decide: "state-alone" },
  "newer-is-absent": { ...REFERENCE_POLICIES, unknownVersion: "as-absent" },
  "forward-first": { ...TOLERANT, reader: "forward-first" },
  "bad-line-is-empty": { ...TOLERANT, reader: "catch-all-empty" },
  "key-without-actor": { ...TOLERANT, sameCommand: "key-only" },
} as const satisfies Readonly<Record<string, ReceiptPolicies>>;

export type SystemName = keyof typeof SYSTEMS;
export type RowId = ReceiptRowId | AuthorityRowId | StoreRowId | StartRowId | IdentityRowId;

export interface Trial {
  /** A row of the trials, the census of a log that nobody damaged, or a table over many trials. */
  readonly row: RowId | "history" | "causes" | "start-causes" | "no-blanket-block";
  readonly system: SystemName;
  readonly damage: RowDamage;
  /** Who looks at the log between the damage and the second command. */
  readonly watch: "nobody" | "guards";
  /** What is changed about a row of starts. */
  readonly starts: StartCause | "as-published";
  /** `first`: the kernels of a row of starts get the first command, at once. */
  readonly when: "again" | "first";
  /** The order of steps, for a row of starts: 0 is the plain one. */
  readonly schedule: number;
}

async function oneTrial(world: World, trial: Trial): Promise<Facts> {
  const { row } = trial;
  const { ports } = world;
  if (row === "history") return census(ports);
  if (row === "causes") return causes(ports);
  if (row === "no-blanket-block") return decisions(ports);
  if (row === "start-causes") return startCauses(world);
  if (isStartRow(row)) return startRow(world, row, trial);
  if (isIdentityRow(row)) return identityRow(world, row);
  if (isReceiptRow(row)) return receiptRow(ports, row, trial);
  if (isStoreRow(row)) return storeRow(ports, row);
  return { change: AUTHORITY_ROWS[row].change, ...(await playAuthorityRow(row)), bytesPreserved: NOT_MEASURED, ...BEHIND_THE_KERNEL, effects: NOT_MEASURED };
}

type OwnPorts = World["ports"];

/** The layers that a dispatcher has. */
const BEHIND_THE_KERNEL = { attempts: NOT_MEASURED, starts: NOT_MEASURED };

/** A command, the damage, and the same command for a new kernel. Calls and effects are counted with the first one's. */
async function receiptRow(ports: OwnPorts, row: ReceiptRowId, { system, damage, watch }: Trial): Promise<Facts> {
  let alarms: readonly string[] = [];
  const beforeSecond = async () => void (alarms = watch === "guards" ? await alarmsOf(ports) : []);
  const played = await playReceiptRow(ports, row, { policies: SYSTEMS[system], damage, path: LOG, beforeSecond });
  const { bytesPreserved, actorFingerprintEqual, ...counted } = played;
  // Of A4 the trials compared the actors, of the others the bytes.
  const compared = row === "A4" ? { bytesPreserved: NOT_MEASURED, actorFingerprintEqual } : { bytesPreserved };
  return { change: RECEIPT_ROWS[row].change, ...counted, ...compared, ...BEHIND_THE_KERNEL, alarms };
}

async function storeRow(ports: OwnPorts, row: StoreRowId): Promise<Facts> {
  const { missing, error, bytesPreserved } = await playStoreRow(ports, row);
  const layers = { callbacks: NOT_MEASURED, ...BEHIND_THE_KERNEL, effects: NOT_MEASURED };
  // That the approval file was there is not among what was published.
  return { change: STORE_ROWS[row].change, missing: row === "O1" ? NOT_MEASURED : missing, error, bytesPreserved, ...layers };
}

/** A row of starts is an execution of its own, whose steps the world takes when nothing else is left to run. */
function runnerOf({ ports }: World) {
  return asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) });
}

/** The command starts a session, and comes again to a new kernel and a new dispatcher. Starts and attempts are counted with the first one's. */
async function startRow(world: World, row: StartRowId, { system, starts, when, schedule }: Trial): Promise<Facts> {
  const { ports } = world;
  const changed: StartRowOptions = starts === "as-published" ? {} : START_CAUSES[starts];
  const played = await playStartRow(row, { receipts: SYSTEMS[system], ...changed, when, schedule, epochMs: ports.clock.now() }, runnerOf(world));
  ports.log.write("info", "executed", { row, steps: played.steps, trace: played.traceHash });
  const { secondReasons, startedFor, ...counted } = played.facts;
  const change = when === "first" ? BEFORE_ANY_START : START_ROWS[row].change;
  // Those of several kernels are in no order of their own.
  const secondReason = secondReasons.length === 1 ? (secondReasons[0] ?? null) : secondReasons.toSorted();
  return { change, commands: "secondKey" in START_ROWS[row] ? 2 : 1, ...counted, secondReason, bytesPreserved: NOT_MEASURED, effects: NOT_MEASURED, alarms: twiceStarted(startedFor) };
}

const BEFORE_ANY_START = "several kernels call one dispatcher at once, and nothing was started yet";

/** A second session under one key is one too many. */
function twiceStarted(startedFor: StartRowFacts["startedFor"]): string[] {
  const finding = dispatchDuplicateSession(startedFor.map(({ session, key }) => ({ session, prompt: key })));
  return finding === undefined ? [] : [finding.guard];
}

async function identityRow(world: World, row: IdentityRowId): Promise<Facts> {
  const { change } = IDENTITY_ROWS[row];
  if (row === "J0") return { change, actor: NOT_MODELLED, actorRole: NOT_MODELLED, chatEvidenceRefPresent: NOT_MODELLED, nestedTriggerChatPresent: NOT_MODELLED, effects: NOT_MEASURED };
  if (row === "J3") return { change, ...(await playSubjectRow()), effects: NOT_MEASURED };
  return { change, ...(await playTriggerRow(row, runnerOf(world), world.ports.clock.now())), effects: NOT_MEASURED };
}

/** Which rows of starts are not as published when one thing is changed, and in which of them another session was started. */
async function startCauses(world: World): Promise<Facts> {
  const table = await playStartCauses(runnerOf(world), world.ports.clock.now());
  return Object.fromEntries(Object.entries(table).map(([cause, { changed, startedAgain }]) => [cause, changed.map((row) => (startedAgain.includes(row) ? `${row}:started-again` : row))]));
}

async function alarmsOf(ports: OwnPorts): Promise<string[]> {
  const read = await surveyReceipts(ports, LOG);
  if (read.outcome !== "read") throw new Error(read.say);
  const { keys, damage, searched } = read.value;
  const damaged = damage.listed.map(({ code, byteOffset, goodLinesAfter }) => {
    return { where: `${LOG} at byte ${byteOffset}`, code, record: "line" as const, reads: "not-at-all" as const, goodLinesAfter };
  });
  const findings = [receiptsDamaged({ searched: { files: 1, lines: searched.lines }, damaged }), receiptsStateRegression({ keys })];
  return findings.flatMap((finding) => finding?.guard ?? []);
}

/** Five commands an hour apart, each of which begins and ends: state events, and no incident among them. */
async function census(ports: OwnPorts): Promise<Facts> {
  const executor = { execute: () => Promise.resolve({ reason: "done" }) };
  for (const name of ["digest", "invoices", "backup", "report", "cleanup"]) {
    const command: Command = { ...COMMAND, key: `${name}-1`, task: name };
    await createCommandKernel(ports, { path: LOG, executor, revisionOf: () => "r1" }).handle(command);
    await ports.clock.sleep(HOUR_MS);
  }
  const read = await surveyReceipts(ports, LOG);
  if (read.outcome !== "read") throw new Error(read.say);
  const { receipts, keys, pending, completed, damage, duplicated } = read.value;
  return { receiptRows: receipts, distinctKeys: keys.length, pending, completed, malformed: damage.lines, duplicated };
}

const COMMAND: Command = { key: "command-1", kind: "retry", task: "nightly-digest", revision: "r1", actor: { id: "ADMIN", role: "ADMIN" }, payload: { retry: true } };

/** Which rows are not as published when one policy is turned. `reports-health` is turned first, and two are turned from there. */
async function causes(ports: OwnPorts): Promise<Facts> {
  const names = Object.keys(SYSTEMS) as SystemName[];
  const seen = new Map<SystemName, readonly string[]>();
  for (const name of names) {
    const outcomes: string[] = [];
    for (const row of RECEIPT_ROW_IDS) {
      const played = await playReceiptRow(ports, row, { policies: SYSTEMS[name], path: `/${name}-${row}.jsonl` });
      outcomes.push(JSON.stringify(played));
    }
    seen.set(name, outcomes);
  }
  const published = seen.get("as-published") ?? [];
  const changed = (name: SystemName) => RECEIPT_ROW_IDS.filter((_, index) => seen.get(name)?.[index] !== published[index]);
  return Object.fromEntries(names.filter((name) => name !== "as-published").map((name) => [name, changed(name)]));
}

/** What the careful kernel does with each command on each diagnosis: it is given the command, and its answer is noted. */
async function decisions(ports: OwnPorts): Promise<Facts> {
  const executor = { execute: () => Promise.resolve({ reason: "done" }) };
  const kernel = (path: string) => createCommandKernel(ports, { path, executor, revisionOf: () => "r1" });
  await kernel(LOG).handle(COMMAND);
  const [pending = "", completed = ""] = (await readText(ports.disk, LOG)).split("\n");
  const zeros = "\0".repeat(completed.length);
  const logs: Readonly<Record<Exclude<Diagnosis, "unreadable">, readonly string[]>> = {
    absent: [],
    "absent-behind-damage": [zeros, zeros],
    pending: [pending],
    "pending-behind-damage": [pending, zeros],
    completed: [pending, completed, "this is no record"],
    unsupported: [pending, completed.replace('"schema":1', '"schema":2')],
  };
  const table: Record<string, string[]> = {};
  for (const diagnosis of DIAGNOSES) {
    table[diagnosis] = [];
    for (const kind of COMMANDS) {
      const path = `/${diagnosis}-${kind}.jsonl`;
      // A folder where the log should be is the shortest way to a log that cannot be read.
      if (diagnosis === "unreadable") await ports.disk.mkdir(path);
      else await writeText(ports.disk, path, logs[diagnosis].map((line) => `${line}\n`).join(""));
      // A start has a key of its own: what cannot be read is about others.
      const key = kind === "start" && diagnosis === "absent-behind-damage" ? "command-2" : COMMAND.key;
      const answer = await kernel(path).handle({ ...COMMAND, kind, key });
      if (answer.diagnosis !== diagnosis) throw new Error(`${path} was taken for ${answer.diagnosis}`);
      table[diagnosis].push(`${kind}=${answer.decision}`);
    }
  }
  return table;
}

async function readText({ open }: Disk, path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    return new TextDecoder().decode(await file.read((await file.stat()).size, 0));
  } finally {
    await file.close();
  }
}

async function writeText({ open }: Disk, path: string, text: string): Promise<void> {
  const file = await open(path, "w");
  await file.write(new TextEncoder().encode(text));
  await file.close();
}

const RECEIPT_ROW_IDS = Object.keys(RECEIPT_ROWS) as ReceiptRowId[];

function isReceiptRow(row: RowId): row is ReceiptRowId {
  return row in RECEIPT_ROWS;
}

function isStartRow(row: RowId): row is StartRowId {
  return row in START_ROWS;
}

function isIdentityRow(row: RowId): row is IdentityRowId {
  return row in IDENTITY_ROWS;
}

function isStoreRow(row: RowId): row is StoreRowId {
  return row in STORE_ROWS;
}

function scene(name: string, other: Partial<Trial>, expect: Facts): Scene<Trial, Facts> {
  return { name, run: oneTrial, with: { row: "R0", system: "as-published", damage: "cut", watch: "nobody", starts: "as-published", when: "again", schedule: 0, ...other }, expect };
}

const REPLAYED: Facts = {
  loadedState: "completed",
  secondReason: "idempotent_replay",
  secondActionTaken: false,
  callbacks: 1,
  effects: 1,
  bytesPreserved: true,
  attempts: NOT_MEASURED,
  starts: NOT_MEASURED,
  alarms: [],
};
const CALLED_AGAIN: Facts = { ...REPLAYED, loadedState: "pending", secondReason: "synthetic_callback", secondActionTaken: true, callbacks: 2, effects: 2 };
const STALE: Facts = { ...REPLAYED, loadedState: null, secondReason: "stale_task_revision" };
const ADVANCED: Facts = { ...REPLAYED, loadedState: "pending", secondReason: "pending_command_observed_state_advance" };

/** What each row of receipts shows; a row is a scene of its own name. */
const receipts = (row: ReceiptRowId, expect: Facts) => scene(row, { row }, { change: RECEIPT_ROWS[row].change, ...expect });

export const intact = receipts("R0", REPLAYED);
export const unrelated = receipts("R1", REPLAYED);
export const damagedCompletion = receipts("R2", CALLED_AGAIN);
const bothDamaged = receipts("R3", { ...CALLED_AGAIN, loadedState: null });
const bothDamagedRevised = receipts("R4", STALE);
const throwing = receipts("R5", { ...REPLAYED, secondReason: "task_command_receipt_store_unavailable" });
const unsupported = receipts("R6", CALLED_AGAIN);
const damagedRevised = receipts("R7", ADVANCED);
const deduplicated = receipts("R8", { ...CALLED_AGAIN, effects: 1 });
const anotherActor = receipts("A4", { ...REPLAYED, secondReason: "idempotency_key_conflict", bytesPreserved: NOT_MEASURED, actorFingerprintEqual: false });

const APPROVED: Facts = { digestEqual: true, calls: 1, error: null, status: "succeeded", bytesPreserved: NOT_MEASURED, attempts: NOT_MEASURED, starts: NOT_MEASURED, effects: NOT_MEASURED };
const authority = (row: AuthorityRowId, expect: Facts = {}) => scene(row, { row }, { change: AUTHORITY_ROWS[row].change, ...APPROVED, ...expect });
const AUTHORITY = [authority("A0"), authority("A1", { digestEqual: false, calls: 0, error: "APPROVAL_STALE", status: null }), authority("A2"), authority("A3")];

const STORED: Facts = { missing: false, bytesPreserved: true, callbacks: NOT_MEASURED, attempts: NOT_MEASURED, starts: NOT_MEASURED, effects: NOT_MEASURED };
const store = (row: StoreRowId, expect: Facts) => scene(row, { row }, { change: STORE_ROWS[row].change, ...STORED, ...expect });
const STORES = [
  store("S0", { missing: true, error: null }),
  store("S1", { error: "RegistryWriteError" }),
  store("S2", { error: "RegistryWriteError" }),
  store("O1", { missing: NOT_MEASURED, error: "APPROVAL_STORE_CORRUPT" }),
];

const history = scene("history", { row: "history" }, { receiptRows: 10, distinctKeys: 5, pending: 5, completed: 5, malformed: 0, duplicated: 0 });

const ALREADY = "task_already_dispatched";
const STARTED_ONCE: Facts = {
  /** Keys that the kernels were handed. */
  commands: 1,
  loadedState: null,
  secondReason: ALREADY,
  dispatchKinds: ["dispatched", "already_dispatched"],
  starts: 1,
  attempts: 1,
  attemptStatuses: ["running"],
  processes: 1,
  bytesPreserved: NOT_MEASURED,
  effects: NOT_MEASURED,
  alarms: [],
};
const eight = (word: string): string[] => Array.from({ length: 8 }, () => word);
const start = (row: StartRowId, expect: Facts = {}, name: string = row, other: Partial<Trial> = {}) => scene(name, { row, ...other }, { change: START_ROWS[row].change, ...STARTED_ONCE, ...expect });

export const startedIntact = start("I0", { loadedState: "completed", secondReason: "idempotent_replay", dispatchKinds: ["dispatched"] });
const startedDamaged = start("I1", { loadedState: "pending" });
export const startedBoth = start("I2");
export const startedElsewhere = start("I3", { processes: 2 });
/** The attempt has failed: "already dispatched" is not "still running". */
export const startedCancelled = start("I4", { attemptStatuses: ["session_failed"] });
const startedRevised = start("I5", { secondReason: "stale_task_revision", dispatchKinds: ["dispatched"] });
export const startedEight = start("I6", { secondReason: eight(ALREADY), dispatchKinds: ["dispatched", ...eight("already_dispatched")] });
/** The positive control: another key is another command, and starts. */
export const startedNewKey = start("I7", {
  commands: 2,
  secondReason: "task_dispatch_attempt_created",
  dispatchKinds: ["dispatched", "dispatched"],
  starts: 2,
  attempts: 2,
  attemptStatuses: ["session_failed", "running"],
});

const identity = (row: IdentityRowId, expect: Facts) => scene(row, { row }, { change: IDENTITY_ROWS[row].change, ...expect, effects: NOT_MEASURED });
const TRIGGER: Facts = { nested: false, triggerChatPresent: true, logicalExecutionPresent: true, starts: 1 };

/** The published rows of the second round, in their order. */
export const ROUND_TWO = [
  ...[startedIntact, startedDamaged, startedBoth, startedElsewhere, startedCancelled, startedRevised, startedEight, startedNewKey],
  identity("J0", { actor: NOT_MODELLED, actorRole: NOT_MODELLED, chatEvidenceRefPresent: NOT_MODELLED, nestedTriggerChatPresent: NOT_MODELLED }),
  identity("J1", TRIGGER),
  identity("J2", { ...TRIGGER, nested: true, triggerChatPresent: false }),
  identity("J3", { actorChangeDigestChanged: true, executedToolCalls: 0 }),
];

export const startedThree = start("I6", { secondReason: [ALREADY, ALREADY, ALREADY], dispatchKinds: ["dispatched", "already_dispatched", "already_dispatched", "already_dispatched"] }, "I6-three", { starts: "three-kernels" });
/** Without the key of the attempt the failed attempt is nobody's, and the same command starts again. */
export const startedKeyless = start(
  "I4",
  { secondReason: "task_dispatch_attempt_created", dispatchKinds: ["dispatched", "dispatched"], starts: 2, attempts: 2, attemptStatuses: ["session_failed", "running"] },
  "I4-no-keys",
  { starts: "no-key-reuse" },
);
export const startedUnleased = start("I2", { secondReason: "task_session_adopted", dispatchKinds: ["dispatched", "adopted"] }, "I2-no-lease", { starts: "no-lease-check" });
/** Eight calls before anything was started, in one order of steps in which it shows whether they take turns. */
const AT_ONCE = { when: "first", schedule: 65 } as const;
export const atOnce = start(
  "I6",
  { change: BEFORE_ANY_START, secondReason: [...eight(ALREADY).slice(1), "task_dispatch_attempt_created"], dispatchKinds: ["dispatched", ...eight("already_dispatched").slice(1)] },
  "I6-first",
  AT_ONCE,
);
/** Two calls move one file: one is told that it could not, and one that its lease is gone. Nothing is started twice. */
export const atOnceNoTurns = start(
  "I6",
  {
    change: BEFORE_ANY_START,
    secondReason: [...eight(ALREADY).slice(3), "task_dispatch_blocked", "task_dispatch_lease_lost", "task_session_adopted"],
    dispatchKinds: ["lease_lost", "blocked", "adopted", ...eight("already_dispatched").slice(3)],
  },
  "I6-no-turns",
  { ...AT_ONCE, starts: "no-turns" },
);

export const startCauseTable = scene("start-causes", { row: "start-causes" }, {
  "no-lease-check": ["I1", "I2", "I3", "I6"],
  "no-lease-check-start-again": ["I1", "I2", "I3", "I6"],
  "no-key-reuse": ["I4:started-again"],
  "no-turns": [],
  "three-kernels": ["I6"],
  "reports-health": ["I1", "I2", "I3", "I4", "I6"],
});

/** The same rows for a reader that says how healthy its reading was, and a kernel that goes by it. */
const reported = (row: ReceiptRowId, expect: Facts) => scene(`${row}-reported`, { row, system: "reports-health" }, { change: RECEIPT_ROWS[row].change, ...expect });
const RECONCILE: Facts = { ...REPLAYED, loadedState: "pending", secondReason: "receipt_damage_needs_reconciliation" };

export const reportedCompletion = reported("R2", RECONCILE);
const reportedUnrelated = reported("R1", REPLAYED);

/** The bad system, and somebody who looks at the log before the command comes again. */
const watched = (row: ReceiptRowId, expect: Facts, alarms: readonly string[]) => scene(`${row}-watched`, { row, watch: "guards" }, { change: RECEIPT_ROWS[row].change, ...expect, alarms });
const BOTH_ALARMS = ["receipts/damaged", "receipts/state-regression"];

export const watchedCompletion = watched("R2", CALLED_AGAIN, BOTH_ALARMS);
export const watchedBoth = watched("R3", { ...CALLED_AGAIN, loadedState: null }, ["receipts/damaged"]);
export const watchedUnsupported = watched("R6", CALLED_AGAIN, ["receipts/state-regression"]);
export const watchedUnrelated = watched("R1", REPLAYED, ["receipts/damaged"]);
export const watchedIntact = watched("R0", REPLAYED, []);

/** Takes the first record of a key for its last word, and ends an ended command again. */
export const firstRecord = scene("R0-forward", { system: "forward-first" }, { change: RECEIPT_ROWS.R0.change, ...CALLED_AGAIN });

export const causeTable = scene("causes", { row: "causes" }, {
  "reports-health": ["R2", "R3", "R6", "R8"],
  "health-ignored": [],
  "newer-is-absent": ["R2", "R3", "R8"],
  "forward-first": ["R0", "R1", "R5", "A4"],
  "bad-line-is-empty": ["R1", "R2", "R6", "R7", "R8"],
  "key-without-actor": ["A4"],
});

export const noBlanketBlock = scene("no-blanket-block", { row: "no-blanket-block" }, {
  absent: ["start=act", "retry=act", "cancel=explain", "status=explain"],
  "absent-behind-damage": ["start=act", "retry=reconcile", "cancel=act", "status=explain"],
  pending: ["start=act", "retry=act", "cancel=act", "status=explain"],
  "pending-behind-damage": ["start=reconcile", "retry=reconcile", "cancel=act", "status=explain"],
  completed: ["start=explain", "retry=explain", "cancel=explain", "status=explain"],
  unsupported: ["start=explain", "retry=explain", "cancel=explain", "status=explain"],
  unreadable: ["start=explain", "retry=explain", "cancel=explain", "status=explain"],
});

/** The published rows, in their order. */
export const ROUND_ONE = [
  ...[intact, unrelated, damagedCompletion, bothDamaged, bothDamagedRevised, throwing, unsupported, damagedRevised, deduplicated],
  ...AUTHORITY,
  anotherActor,
  ...STORES,
  history,
];

export const repro = defineRepro<Trial, Facts>({
  id: "008",
  claim: "A reader that skips what it cannot parse shows the pending receipt before a damaged completion, and the command is called a second time; whether it starts a second time is up to the dispatcher behind it, and with leases and keys on record it does not.",
  seed: 8,
  epoch: EPOCH,
  broken: damagedCompletion,
  fixed: reportedCompletion,
  control: intact,
  shown: [...ROUND_ONE, reportedUnrelated, reportedCompletion, ...ROUND_TWO],
  more: [
    ...[reported("R0", REPLAYED), reported("R3", { ...RECONCILE, loadedState: null }), reported("R4", STALE), reported("R6", { ...RECONCILE, secondReason: "receipt_version_unsupported" })],
    ...[reported("R7", ADVANCED), reported("R8", RECONCILE), firstRecord],
    ...[watchedIntact, watchedUnrelated, watchedCompletion, watchedBoth, watchedUnsupported],
    causeTable,
    noBlanketBlock,
    ...[startedThree, startedUnleased, startedKeyless, atOnce, atOnceNoTurns, startCauseTable],
  ],
  print: (seen) => seen.flatMap(({ name, facts }) => lines(name, facts)),
});

const COLUMN = "R2-reported".length;
/** Of the two tables. */
const WIDE_COLUMN = "pending-behind-damage".length;
/** Of the table of starts. */
const START_COLUMN = "no-lease-check-start-again".length;

function lines(name: string, facts: Facts): string[] {
  const line = (text: string) => [`mode=${name.padEnd(COLUMN)} ${text}`];
  if (name === "causes" || name === "no-blanket-block") return Object.entries(facts).map(([row, words]) => `${name} ${row.padEnd(WIDE_COLUMN)} ${said(words)}`);
  if (name === "start-causes") return Object.entries(facts).map(([row, words]) => `${name} ${row.padEnd(START_COLUMN)} ${said(words)}`);
  if ("dispatchKinds" in facts) return line(startCounters(facts));
  if ("nested" in facts) return line(counters(facts, { nested: "nested", trigger_found: "triggerChatPresent", attempt: "logicalExecutionPresent", starts: "starts", effects: "effects" }));
  if ("chatEvidenceRefPresent" in facts) return line(counters(facts, { actor: "actor", role: "actorRole", chat_evidence: "chatEvidenceRefPresent", nested_trigger: "nestedTriggerChatPresent", effects: "effects" }));
  if ("executedToolCalls" in facts) return line(counters(facts, { digest_changed: "actorChangeDigestChanged", calls: "executedToolCalls", effects: "effects" }));
  if ("secondReason" in facts) return line(receiptCounters(facts));
  if ("digestEqual" in facts) return line(counters(facts, { digest_equal: "digestEqual", calls: "calls", error: "error", status: "status", effects: "effects" }));
  if ("missing" in facts) return line(counters(facts, { missing: "missing", error: "error", bytes_preserved: "bytesPreserved", effects: "effects" }));
  const names = { rows: "receiptRows", keys: "distinctKeys", pending: "pending", completed: "completed", malformed: "malformed", duplicated: "duplicated" };
  return line(counters(facts, names));
}

/** Silent: called twice, and nobody was told. */
function receiptCounters(facts: Facts): string {
  const names = { loaded: "loadedState", second: "secondReason", acted: "secondActionTaken", callbacks: "callbacks", starts: "starts", effects: "effects", alarm: "alarms" };
  const isSilent = facts["secondActionTaken"] === true && said(facts["alarms"]) === "none";
  return `${counters(facts, names)}${isSilent ? " (SILENT)" : ""}`;
}

/** Silent: more starts than commands, and nobody was told. */
function startCounters(facts: Facts): string {
  const { loadedState, secondReason, dispatchKinds, attempts, attemptStatuses, commands, starts, processes, effects, alarms } = facts;
  const isSilent = Number(starts) > Number(commands) && said(alarms) === "none";
  return (
    `loaded=${said(loadedState)} second=${inRuns(secondReason)} dispatch=${inRuns(dispatchKinds)} commands=${said(commands)} starts=${said(starts)} ` +
    `attempts=${said(attempts)}:${inRuns(attemptStatuses)} processes=${said(processes)} effects=${said(effects)} alarm=${said(alarms)}${isSilent ? " (SILENT)" : ""}`
  );
}

/** Words that come several times in a row are said once: `already_dispatched*8`. */
function inRuns(fact: Facts[string] | undefined): string {
  const words = typeof fact === "object" && fact !== null ? fact : [said(fact)];
  const begins = words.flatMap((word, index) => (word === words[index - 1] ? [] : [index]));
  const runs = begins.map((from, nth) => ({ word: words[from], times: (begins[nth + 1] ?? words.length) - from }));
  return runs.map(({ word, times }) => (times === 1 ? word : `${word}*${times}`)).join("+") || "none";
}

function counters(facts: Facts, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).map(([printed, fact]) => `${printed}=${said(facts[fact])}`).join(" ");
}

function said(fact: Facts[string] | undefined): string {
  if (fact === null || fact === undefined) return "none";
  if (typeof fact === "object") return fact.join(" ") || "none";
  return typeof fact === "boolean" ? (fact ? "yes" : "no") : String(fact);
}

await runAsScript(import.meta, repro);
