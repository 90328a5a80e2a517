/**
 * Case 002: a restart fires tasks that ran already, and a disabled one, and leaves no stamp.
 *
 * Five dailies run in the morning; a sixth task is disabled. In the evening the program is restarted, and its catch-up looks at
 * the calendar only: not at what ran, not at `enabled`, and it stamps nothing.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { slotDisabledFired, slotDuplicate, slotInvisibleFire, type SlotRow, slotWrongSlot } from "@casebook/guards/slots";
import type { Ports } from "@casebook/ports";
import { readRegistry, type RegistryLocation, type Task } from "@casebook/registry";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import { createRegistrySource, createScheduler, REFERENCE_POLICIES, type SchedulerPolicies } from "@casebook/scheduler";
import { slotsBetween } from "@casebook/scheduler/judge";
import { KNOWN_BAD_SCHEDULERS } from "@casebook/scheduler/known-bad";
import type { World } from "@casebook/sim";
import { Volume } from "memfs";

const HOUR_MS = 3_600_000;
/** A Friday, just before the first daily. */
const EPOCH = "2026-07-03T00:00:00Z";
/** Minute and hour of the dailies in the incident. */
const DAILY_AT = ["20 0", "50 0", "0 4", "10 5", "30 5"];
/** While the host is off, between morning and evening. */
const NOON = { daily: "0 12 * * *", "that-day-only": "0 12 3 7 *" };
/** In the incident at 05:45; here at a time when the host is off, so that only a catch-up can start it. */
const MONDAY_ONLY = "45 12 * * 1";

const APP = "/app-data/claude-code-sessions/account-1/workspace-1";
const STATE = `${APP}/scheduler-state.json`;
export const LOCATION: RegistryLocation = {
  path: `${APP}/scheduled-tasks.json`,
  shape: { kind: "array", pointer: "/scheduledTasks" },
};

export interface Day {
  /** `restart-storm`: catch-up that looks at the calendar only. */
  readonly scheduler: "restart-storm" | "catch-up-ignores-weekday" | "reference";
  /** How many of the five dailies there are. */
  readonly dailies: number;
  /** A task at noon, when the host is off: every day, or on that day of the year only. */
  readonly noon: "none" | "daily" | "that-day-only";
  /** A task for Mondays only. */
  readonly weekly: "none" | "one";
  /** When the program comes back, in hours after the epoch; it went off after eight. */
  readonly backAfterHours: number;
  /** How often it is started then. */
  readonly starts: number;
}

export interface Seen extends Facts {
  /** Dispatches in the morning, and after the program came back. */
  readonly morning: number;
  readonly evening: number;
  /** Fires of a slot that had run already. */
  readonly ghostFires: number;
  /** Dispatches of a task that was disabled, by the list of dispatches. */
  readonly disabledFires: number;
  /** Dispatches that left no stamp in the registry. */
  readonly invisibleFires: number;
  /** Whether every dispatched task carries the time of its last dispatch. */
  readonly lastRunAt: string;
  /** What was dispatched after the program came back, `<id>@<slot>`. */
  readonly eveningFires: readonly string[];
  /** What the registry says in the end, `<id>=<lastRunAt>`. */
  readonly stamps: readonly string[];
  /** The guards that alarm over the rows of the day. */
  readonly alarms: readonly string[];
}

interface Fired {
  readonly taskId: string;
  readonly slotMs: number;
  readonly atMs: number;
}

export function disk({ dailies, noon, weekly }: Day): Volume {
  const daily = (index: number) => ({ id: `daily-${index + 1}`, enabled: true, cronExpression: `${DAILY_AT[index]} * * *` });
  const entries = [
    ...DAILY_AT.slice(0, dailies).map((_, index) => daily(index)),
    { id: "disabled", enabled: false, cronExpression: "20 5 * * *" },
    ...(noon === "none" ? [] : [{ id: "noon", enabled: true, cronExpression: NOON[noon] }]),
    ...(weekly === "one" ? [{ id: "weekly", enabled: true, cronExpression: MONDAY_ONLY }] : []),
  ];
  return Volume.fromJSON({ [LOCATION.path]: JSON.stringify({ scheduledTasks: entries }, undefined, 2) });
}

async function oneDay(world: World, day: Day): Promise<Seen> {
  const { ports } = world;
  const epochMs = world.epochMs;
  const fired: Fired[] = [];
  // In the morning it has been up for days, so there is nothing that it would have to catch up.
  await runProgram(ports, { ...policiesOf(day.scheduler), catchUp: "none" }, epochMs + 8 * HOUR_MS, fired);
  const morning = fired.length;
  await ports.clock.sleep((day.backAfterHours - 8) * HOUR_MS);
  for (let start = 0; start < day.starts; start += 1) {
    await runProgram(ports, policiesOf(day.scheduler), ports.clock.now() + 60_000, fired);
  }
  return count(fired, morning, await tasksOf(ports));
}

/** One life of the program, until `untilMs`. What it fires is noted by whoever is called, not by the scheduler. */
async function runProgram(ports: Ports, policies: Partial<SchedulerPolicies>, untilMs: number, fired: Fired[]): Promise<void> {
  const scheduler = createScheduler(ports, {
    source: createRegistrySource(ports, LOCATION, "quarantine-entry"),
    dispatch: async ({ task, slotMs, firedAtMs }) => {
      fired.push({ taskId: task.id, slotMs, atMs: firedAtMs });
      await leaveSession(ports, fired.length, task.id, firedAtMs);
    },
    zone: "UTC",
    statePath: STATE,
    policies,
    // Nobody sets this host's clock, so looking once an hour between two slots is enough.
    recheckMs: HOUR_MS,
  });
  await scheduler.run(untilMs);
  await scheduler.idle();
}

/** What whoever is called leaves beside the registry: a trace of the run that no scheduler writes. */
async function leaveSession({ disk: { open } }: Ports, number: number, scheduledTaskId: string, createdAt: number): Promise<void> {
  const file = await open(`${APP}/local_${number}.json`, "w");
  await file.write(new TextEncoder().encode(JSON.stringify({ sessionId: `local_${number}`, scheduledTaskId, createdAt })));
  await file.close();
}

function policiesOf(name: Day["scheduler"]): Partial<SchedulerPolicies> {
  return KNOWN_BAD_SCHEDULERS.find((bad) => bad.name === name)?.policies ?? {};
}

async function tasksOf(ports: Ports): Promise<readonly Task[]> {
  const reading = await readRegistry(ports, LOCATION, "quarantine-entry");
  if (reading.outcome !== "loaded") throw new Error(`the registry is ${reading.outcome}`);
  return reading.loaded;
}

function count(fired: readonly Fired[], morning: number, tasks: readonly Task[]): Seen {
  const task = (id: string) => tasks.find((other) => other.id === id);
  const stampOf = (id: string) => task(id)?.lastRunAtMs;
  const evening = fired.slice(morning);
  const lastFire = new Map(fired.map(({ taskId, atMs }) => [taskId, atMs]));
  const stale = [...lastFire].filter(([id, atMs]) => stampOf(id) !== atMs);
  return {
    morning,
    evening: evening.length,
    ghostFires: fired.filter((one, index) => fired.slice(0, index).some((other) => isSameSlot(one, other))).length,
    disabledFires: fired.filter(({ taskId }) => task(taskId)?.enabled === false).length,
    invisibleFires: evening.filter(({ taskId, atMs }) => (stampOf(taskId) ?? 0) < atMs).length,
    lastRunAt: stale.length === 0 ? "fresh" : "stale",
    eveningFires: evening.map(({ taskId, slotMs }) => `${taskId}@${isoOf(slotMs)}`).toSorted(),
    stamps: tasks.flatMap(({ id, lastRunAtMs }) => (lastRunAtMs === undefined ? [] : [`${id}=${isoOf(lastRunAtMs)}`])),
    alarms: alarmsOver(rowsOf(fired, tasks)),
  };
}

/** One row for each task and slot that was fired, from the dispatches and the registry: what the guards are handed. */
export function rowsOf(fired: readonly Fired[], tasks: readonly Task[]): SlotRow[] {
  const first = fired.filter((one, index) => !fired.slice(0, index).some((other) => isSameSlot(one, other)));
  return first.map(({ taskId, slotMs }) => {
    const runs = fired.filter((one) => isSameSlot(one, { taskId, slotMs, atMs: 0 }));
    const task = tasks.find((one) => one.id === taskId);
    const lastMs = Math.max(...runs.map((run) => run.atMs));
    return {
      taskId,
      slotMs,
      enabled: task?.enabled ?? false,
      due: task !== undefined && isSlot(task, slotMs),
      claimed: (task?.lastRunAtMs ?? 0) >= lastMs,
      seen: runs.length,
    };
  });
}

/** By the calendar, not by what the scheduler says. */
function isSlot(task: Task, slotMs: number): boolean {
  const answer = slotsBetween(task, slotMs - 1, slotMs, { ...REFERENCE_POLICIES, zone: "UTC" });
  return answer.outcome === "slots" && answer.slots.length === 1;
}

function alarmsOver(rows: readonly SlotRow[]): string[] {
  return [slotDisabledFired, slotDuplicate, slotInvisibleFire, slotWrongSlot].flatMap((guard) => guard(rows)?.guard ?? []);
}

const isoOf = (atMs: number) => new Date(atMs).toISOString();

function isSameSlot(one: Fired, other: Fired): boolean {
  return one.taskId === other.taskId && one.slotMs === other.slotMs;
}

function scene(name: string, parameters: Day, expect: Seen): Scene<Day, Seen> {
  return { name, disk, run: oneDay, with: parameters, expect };
}

const RESTART: Day = { scheduler: "restart-storm", dailies: 5, noon: "none", weekly: "none", backAfterHours: 23.55, starts: 1 };

const FRIDAY = (id: string, time: string) => `${id}@2026-07-03T${time}:00.000Z`;

/** Every daily was stamped when it ran in the morning. */
const MORNING_STAMPS = ["00:20", "00:50", "04:00", "05:10", "05:30"].map((time, index) => `daily-${index + 1}=2026-07-03T${time}:00.000Z`);

export const broken = scene("broken", RESTART, {
  morning: 5,
  evening: 6,
  ghostFires: 5,
  disabledFires: 1,
  invisibleFires: 6,
  lastRunAt: "stale",
  eveningFires: [
    FRIDAY("daily-1", "00:20"),
    FRIDAY("daily-2", "00:50"),
    FRIDAY("daily-3", "04:00"),
    FRIDAY("daily-4", "05:10"),
    FRIDAY("daily-5", "05:30"),
    FRIDAY("disabled", "05:20"),
  ],
  stamps: MORNING_STAMPS,
  alarms: ["slot/disabled-fired", "slot/duplicate", "slot/invisible-fire"],
});

const QUIET: Seen = {
  morning: 5,
  evening: 0,
  ghostFires: 0,
  disabledFires: 0,
  invisibleFires: 0,
  lastRunAt: "fresh",
  eveningFires: [],
  stamps: MORNING_STAMPS,
  alarms: [],
};

const NOON_RAN = { evening: 1, eveningFires: [FRIDAY("noon", "12:00")], stamps: [...MORNING_STAMPS, "noon=2026-07-03T23:33:00.000Z"] };

export const guarded = scene("guarded", { ...RESTART, scheduler: "reference" }, QUIET);

/** So that "never catch up" fails as well: what was really missed runs, once, and says so. */
export const missedOne = scene(
  "missed-one",
  { ...RESTART, scheduler: "reference", noon: "daily" },
  { ...QUIET, ...NOON_RAN },
);

/** The Monday-only task of the incident: its slot is on no Friday. */
const wrongWeekday = scene(
  "weekday",
  { ...RESTART, scheduler: "catch-up-ignores-weekday", weekly: "one" },
  {
    ...QUIET,
    evening: 1,
    eveningFires: [FRIDAY("weekly", "12:45")],
    stamps: [...MORNING_STAMPS, "weekly=2026-07-03T23:33:00.000Z"],
    alarms: ["slot/wrong-slot"],
  },
);

const twice = scene(
  "two-starts",
  { ...RESTART, scheduler: "reference", noon: "daily", starts: 2 },
  { ...QUIET, ...NOON_RAN },
);

export const repro = defineRepro({
  id: "002",
  claim: "A restart fires tasks that have run already and one that is disabled, and the registry does not say so.",
  seed: 2,
  epoch: EPOCH,
  broken,
  fixed: guarded,
  control: missedOne,
  shown: [broken, guarded],
  more: [missedOne, twice, wrongWeekday],
  print: (seen) =>
    seen.flatMap(({ name, facts }) => {
      const { ghostFires, disabledFires, invisibleFires, lastRunAt, eveningFires, alarms } = facts;
      const word = alarms.includes("slot/wrong-slot") ? "wrong_slot" : "caught_up";
      const caughtUp = eveningFires.length > 0 && ghostFires === 0 ? ` ${word}=${eveningFires.join("+")}` : "";
      return [
        `mode=${name.padEnd(10)} restart-catchup: ghost_fires=${ghostFires} disabled_fires=${disabledFires} ` +
          `invisible_fires=${invisibleFires} lastRunAt=${lastRunAt}${caughtUp}`,
      ];
    }),
});

await runAsScript(import.meta, repro);
