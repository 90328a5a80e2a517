/**
 * Case 003: two stores hide the routines.
 *
 * Prompts lie in one place for everybody; schedules lie in a store for each account and workspace. Of 269 prompts 23 are
 * registered, all by one account. Somebody signs in to the other one: its store is in order and empty, so its list is too.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { type Guard, registryOrphanPrompts, registryParity, registrySplitBrain } from "@casebook/guards";
import type { Disk, Ports } from "@casebook/ports";
import { createTask, readRegistry, type RegistryLocation } from "@casebook/registry";
import { readStores, type StoresLocation, type StoresReading } from "@casebook/registry/stores";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import { createRegistrySource, createScheduler } from "@casebook/scheduler";
import type { World } from "@casebook/sim";
import { Volume } from "memfs";

const MINUTE_MS = 60_000;
/** A minute before the routines are due. */
const EPOCH = "2026-08-26T07:59:00Z";
/** When the routines of each account run. */
const DAILY = { "account-1": "0 8 * * *", "account-2": "5 8 * * *" };
const WATCHED_MS = 10 * MINUTE_MS;

const SHAPE = { kind: "array", pointer: "/scheduledTasks" } as const;
export const STORES: StoresLocation = {
  path: "/app-data/claude-code-sessions",
  file: "scheduled-tasks.json",
  shape: SHAPE,
  promptsPath: "/.claude/scheduled-tasks",
};

type Account = "account-1" | "account-2";

export interface Morning {
  /** Prompt folders, for all accounts together. */
  readonly prompts: number;
  /** Entries in the store of account-1, each with a prompt; the store of account-2 is empty. */
  readonly registered: number;
  readonly signedIn: Account;
  /** What the program looks at when it lists routines and when it makes one. */
  readonly looksAt: "own-store" | "every-store";
  /** `same-name`: a minute before eight, whoever is signed in makes a routine with the name of the first one. */
  readonly makes: "nothing" | "same-name";
  /** Who counts: nobody, or somebody who reads every store and asks the guards. */
  readonly watcher: "nobody" | "guards";
}

export interface Seen extends Facts {
  readonly signedIn: Account;
  readonly prompts: number;
  /** Routines in the list that is shown. */
  readonly visible: number;
  /** Sessions that were started until ten past eight. */
  readonly fired: number;
  /** `<account>/<workspace>:<entries>`; empty when only its own store was looked at. */
  readonly stores: readonly string[];
  /** How many prompts no store registers, with the first and the last of them. */
  readonly orphans: string;
  /** Registered routines whose prompt is no longer the one that their account wrote. */
  readonly overwritten: readonly string[];
  /** What the program said when it was asked to make a routine. */
  readonly answer: string;
  /** Warnings and errors in the program's own log. */
  readonly complaints: number;
  readonly alarms: readonly string[];
}

export const idOf = (index: number): string => `routine-${String(index + 1).padStart(3, "0")}`;
const promptText = (account: Account, id: string) => `---\nname: ${id}\n---\nDo the work of ${id}, as ${account} wrote it.\n`;
const promptPath = (id: string) => `${STORES.promptsPath}/${id}/SKILL.md`;
const storePath = (account: Account) => `${STORES.path}/${account}/workspace-1`;
const registryOf = (account: Account): RegistryLocation => ({ path: `${storePath(account)}/${STORES.file}`, shape: SHAPE });

export function disk({ prompts, registered }: Morning): Volume {
  const ids = Array.from({ length: prompts }, (_, index) => idOf(index));
  const entries = ids.slice(0, registered).map((id) => ({ id, enabled: true, cronExpression: DAILY["account-1"] }));
  const text = (scheduledTasks: readonly object[]) => JSON.stringify({ scheduledTasks, recordedSkips: {} }, undefined, 2);
  return Volume.fromJSON({
    [registryOf("account-1").path]: text(entries),
    [registryOf("account-2").path]: text([]),
    ...Object.fromEntries(ids.map((id) => [promptPath(id), promptText("account-1", id)])),
  });
}

async function oneMorning({ ports, log }: World, morning: Morning): Promise<Seen> {
  const { signedIn, looksAt, watcher } = morning;
  const answer = morning.makes === "nothing" ? "not asked" : await makeRoutine(ports, signedIn, idOf(0), looksAt);
  const fired = await runPastEight(ports, signedIn);
  const list = await listRoutines(ports, signedIn, looksAt);
  const said = log.filter(({ level }) => level !== "info").length;
  return {
    signedIn,
    prompts: morning.prompts,
    visible: list.visible,
    fired,
    stores: (list.every?.stores ?? []).map(({ store, reading }) => `${store}:${reading.loaded.length}`),
    orphans: list.every === undefined ? "not looked" : shownOrphans(list.every),
    overwritten: await overwrittenPrompts(ports.disk, morning.registered),
    answer,
    complaints: said,
    alarms: watcher === "nobody" ? [] : alarmsOver(await readStores(ports, STORES, "quarantine-entry"), signedIn),
  };
}

/** Sees to it that a prompt lies under the name, then registers it. Every account writes to one folder of prompts. */
async function makeRoutine(ports: Ports, account: Account, id: string, looksAt: Morning["looksAt"]): Promise<string> {
  if (looksAt === "every-store") {
    const { stores, prompts } = await readStores(ports, STORES, "quarantine-entry");
    const holder = stores.find(({ reading }) => reading.loaded.some((task) => task.id === id));
    if (holder !== undefined) return `refused: ${id} is registered in ${holder.store}, and its prompt would be lost`;
    if (prompts?.includes(id)) return `refused: ${id} has a prompt already, and it would be lost`;
  }
  await writeText(ports.disk, promptPath(id), promptText(account, id));
  const made = await createTask(ports, registryOf(account), { id, enabled: true, cronExpression: DAILY[account] });
  return made.outcome === "written" ? "made" : made.say;
}

/** The scheduler of whoever is signed in. It reads that account's store, under every policy: nobody runs for somebody else. */
async function runPastEight(ports: Ports, account: Account): Promise<number> {
  let fired = 0;
  const scheduler = createScheduler(ports, {
    source: createRegistrySource(ports, registryOf(account), "quarantine-entry"),
    dispatch: async ({ task, firedAtMs }) => {
      fired += 1;
      const session = { sessionId: `session-${fired}`, scheduledTaskId: task.id, createdAt: firedAtMs };
      // What is left of a run where nobody asks the registry.
      await writeText(ports.disk, `${storePath(account)}/local_session-${fired}.json`, JSON.stringify(session));
    },
    zone: "UTC",
    statePath: `${storePath(account)}/scheduler-state.json`,
  });
  await scheduler.run(ports.clock.now() + WATCHED_MS);
  return fired;
}

async function listRoutines(
  ports: Ports,
  account: Account,
  looksAt: Morning["looksAt"],
): Promise<{ readonly visible: number; readonly every: StoresReading | undefined }> {
  if (looksAt === "own-store") {
    const { loaded } = await readRegistry(ports, registryOf(account), "quarantine-entry");
    return { visible: loaded.length, every: undefined };
  }
  const every = await readStores(ports, STORES, "quarantine-entry");
  return { visible: every.registered.length, every };
}

function shownOrphans({ orphans }: StoresReading): string {
  if (orphans === undefined) return "not known";
  return orphans.length === 0 ? "0" : `${orphans.length} (${orphans[0]} .. ${orphans.at(-1)})`;
}

async function overwrittenPrompts(disk: Disk, registered: number): Promise<string[]> {
  const ids = Array.from({ length: registered }, (_, index) => idOf(index));
  const texts = await Promise.all(ids.map((id) => readText(disk, promptPath(id))));
  return ids.filter((id, index) => texts[index] !== promptText("account-1", id));
}

/** What anybody can count who reads every store and knows who is signed in: it needs nothing from the program. */
export function alarmsOver({ stores, registered, orphans, prompts, shared }: StoresReading, signedIn: Account): string[] {
  const own = stores.find(({ store }) => store.startsWith(`${signedIn}/`))?.reading.loaded.length ?? 0;
  const isKnown = prompts !== undefined && orphans !== undefined;
  return [
    ...(isKnown
      ? ask(registryOrphanPrompts, { promptFolders: prompts.length, registered: registered.length, orphans })
      : ["not run: registry/orphan-prompts"]),
    ...ask(registryParity, { onDisk: registered.length, loaded: own, quarantined: 0 }),
    ...ask(registrySplitBrain, {
      stores: stores.map(({ store, reading }) => ({ store, entries: reading.loaded.length })),
      shared: shared.map(({ id, stores: holders }) => ({ taskId: id, stores: holders.length, agree: doAgree(stores, id) })),
    }),
  ];
}

/** The id of a guard that alarms, with its severity where that is less than an alarm. */
function ask<Asked>(guard: Guard<Asked>, facts: Asked): string[] {
  const finding = guard(facts);
  if (finding === undefined) return [];
  const severity = finding.severity ?? guard.about.severity;
  return [severity === "alarm" ? finding.guard : `${severity}: ${finding.guard}`];
}

function doAgree(stores: StoresReading["stores"], id: string): boolean {
  const entries = stores.flatMap(({ reading }) => reading.loaded.filter((task) => task.id === id));
  return new Set(entries.map(({ enabled, schedule }) => JSON.stringify({ enabled, schedule }))).size === 1;
}

async function readText(disk: Disk, path: string): Promise<string> {
  const file = await disk.open(path, "r");
  try {
    return new TextDecoder().decode(await file.read((await file.stat()).size, 0));
  } finally {
    await file.close();
  }
}

async function writeText(disk: Disk, path: string, text: string): Promise<void> {
  const file = await disk.open(path, "w");
  await file.write(new TextEncoder().encode(text));
  await file.close();
}

function scene(name: string, parameters: Morning, expect: Seen): Scene<Morning, Seen> {
  return { name, disk, run: oneMorning, with: parameters, expect };
}

const FLEET: Morning = {
  prompts: 269,
  registered: 23,
  signedIn: "account-2",
  looksAt: "own-store",
  makes: "nothing",
  watcher: "nobody",
};
const SILENT: Seen = {
  signedIn: "account-2",
  prompts: 269,
  visible: 0,
  fired: 0,
  stores: [],
  orphans: "not looked",
  overwritten: [],
  answer: "not asked",
  complaints: 0,
  alarms: [],
};
const BOTH = ["account-1/workspace-1:23", "account-2/workspace-1:0"];
const LOST = ["registry/orphan-prompts", "registry/parity"];
const ORPHANS = "246 (routine-024 .. routine-269)";

export const before = scene("before", { ...FLEET, signedIn: "account-1" }, { ...SILENT, signedIn: "account-1", visible: 23, fired: 23 });

export const after = scene("after", FLEET, SILENT);

/** The list knows every store, and somebody counts. What runs is still the account that is signed in. */
export const union = scene(
  "union",
  { ...FLEET, looksAt: "every-store", watcher: "guards" },
  { ...SILENT, visible: 23, stores: BOTH, orphans: ORPHANS, alarms: LOST },
);

export const whole = scene(
  "whole",
  { ...FLEET, prompts: 23, signedIn: "account-1", looksAt: "every-store", watcher: "guards" },
  { ...SILENT, signedIn: "account-1", prompts: 23, visible: 23, fired: 23, stores: BOTH, orphans: "0" },
);

/** What an operator can do about somebody else's program: read all stores and count. */
export const watched = scene("watched", { ...FLEET, watcher: "guards" }, { ...SILENT, alarms: LOST });

/** The opposite split: one prompt for two routines that have nothing in common but the name. */
export const sameName = scene(
  "same-name",
  { ...FLEET, makes: "same-name", watcher: "guards" },
  { ...SILENT, visible: 1, fired: 1, alarms: [...LOST, "registry/split-brain"], overwritten: ["routine-001"], answer: "made" },
);

export const nameTaken = scene(
  "name-taken",
  { ...FLEET, makes: "same-name", looksAt: "every-store", watcher: "guards" },
  {
    ...union.expect,
    answer: "refused: routine-001 is registered in account-1/workspace-1, and its prompt would be lost",
  },
);

export const repro = defineRepro({
  id: "003",
  claim: "Prompts are shared and schedules are kept for each account, so a change of account empties the list of routines, and nothing complains.",
  seed: 3,
  epoch: EPOCH,
  broken: after,
  fixed: union,
  control: whole,
  shown: [before, after, union, whole],
  more: [watched, sameName, nameTaken],
  print: (seen) => seen.map(({ name, facts }) => `mode=${name.padEnd(10)} ${counters(facts)}`),
});

function counters({ signedIn, prompts, visible, fired, stores, orphans, overwritten, answer, complaints, alarms }: Seen): string {
  const isSilent = alarms.length === 0 && visible === 0;
  return [
    `signed_in=${signedIn} prompts=${prompts} visible=${visible} fired=${fired}`,
    ...(stores.length === 0 ? [] : [`stores=${stores.join("+")} orphans=${orphans}`]),
    ...(answer === "not asked" ? [] : [`same_name=${answer.split(":", 1)[0]} overwritten=${overwritten.join("+") || "none"}`]),
    `complaints=${complaints} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`,
  ].join(" ");
}

await runAsScript(import.meta, repro);
