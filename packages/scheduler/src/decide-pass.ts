/**
 * One pass, decided: which slots of which tasks are due now, and what is to be remembered. Pure: the same state, tasks and
 * instant give the same decision.
 */
import type { Task } from "@casebook/registry/judge";
import { foldDecided, isKnown, isOpen } from "./decided-spans.ts";
import type { Calendar, Calendars } from "./judge/calendar.ts";
import { chooseSlots, isLate, jitterMs, newestSlots, slotKey } from "./judge/slots.ts";
import { MAX_CATCH_UP_SLOTS, MAX_LOOK_BACK_MS, type SchedulerPolicies } from "./policies.ts";
import type { DiscardedSlots, ExpiredOneShot, FireReason, InterruptedSlot, InvalidTask } from "./records.ts";
import type { RememberedSlot, SchedulerState, SlotStage } from "./state.ts";

export interface DueSlot {
  readonly taskId: string;
  readonly slotMs: number;
  readonly key: string;
  /** The slot plus its jitter. */
  readonly dueAtMs: number;
  readonly reason: FireReason;
  /** The task as it was listed; undefined when an earlier process queued the slot and the task is not listed now. */
  readonly task: Task | undefined;
}

export interface PassInput {
  readonly state: SchedulerState;
  readonly tasks: readonly Task[];
  readonly nowMs: number;
  /** When this process started to look; a first pass reaches back to here. */
  readonly startedAtMs: number;
  /** `first`: what an earlier process left is taken over. */
  readonly pass: "first" | "later";
  readonly policies: SchedulerPolicies;
  readonly maxJitterMs: number;
  readonly calendars: Calendars;
}

export interface PassDecision {
  readonly state: SchedulerState;
  /** In the order of the list of tasks, each task's oldest slot first. */
  readonly due: readonly DueSlot[];
  readonly fromMs: number;
  readonly clock: "forward" | "set-back";
  readonly discarded: readonly DiscardedSlots[];
  readonly expired: readonly ExpiredOneShot[];
  readonly invalid: readonly InvalidTask[];
  readonly interrupted: readonly InterruptedSlot[];
}

export function decidePass(input: PassInput): PassDecision {
  const { state, nowMs } = input;
  const fromMs = windowStart(input);
  const work: Work = { input, fromMs, due: [], discarded: [], expired: [], invalid: [], changes: new Map() };
  const interrupted = input.pass === "first" ? takeInterrupted(work) : [];
  const restored = input.pass === "first" ? restoredSlots(state) : new Map<string, RememberedSlot[]>();

  const listed = new Set<string>();
  for (const task of input.tasks) {
    if (listed.has(task.id)) work.invalid.push(duplicateId(task.id));
    else decideTask(work, task, restored.get(task.id) ?? []);
    listed.add(task.id);
  }
  for (const [taskId, slots] of restored) {
    // Nobody lists the task any more; the read at fire time says so in a record.
    if (!listed.has(taskId)) for (const slot of slots) enqueue(work, slot.taskId, slot.slotMs, undefined, undefined);
  }

  return {
    state: { lastPassMs: nowMs, ...remembered(work) },
    due: work.due,
    fromMs,
    clock: (state.lastPassMs ?? nowMs) > nowMs ? "set-back" : "forward",
    discarded: work.discarded,
    expired: work.expired,
    invalid: work.invalid,
    interrupted,
  };
}

interface Work {
  readonly input: PassInput;
  readonly fromMs: number;
  readonly due: DueSlot[];
  readonly discarded: DiscardedSlots[];
  readonly expired: ExpiredOneShot[];
  readonly invalid: InvalidTask[];
  readonly changes: Map<string, RememberedSlot>;
}

function windowStart({ state, nowMs, startedAtMs, pass, policies }: PassInput): number {
  const earliest = nowMs - MAX_LOOK_BACK_MS;
  if (pass === "first" && policies.lookBack === "always-seven-days") return earliest;
  // The instant at which the very first process starts belongs to it.
  if (state.lastPassMs === undefined) return startedAtMs - 1;
  // A recorded pass in the future: the clock was set back. What lies between was decided; from here on it is the key that protects.
  if (state.lastPassMs > nowMs) return nowMs;
  return Math.max(state.lastPassMs, earliest);
}

function decideTask(work: Work, task: Task, restored: readonly RememberedSlot[]): void {
  const answer = work.input.calendars.of(task);
  if (answer.outcome === "problem") {
    work.invalid.push({ taskId: task.id, problem: answer.problem });
    // Queued before a restart: waits, without what was listed, until its task can be read again.
    for (const slot of restored) enqueue(work, task.id, slot.slotMs, undefined, undefined);
    return;
  }
  const own = restored.filter((slot) => isOwn(work, task, slot.slotMs));
  // Queued before a restart for another schedule: the look at fire time refuses it, and leaves a record.
  for (const slot of restored) if (!own.includes(slot)) enqueue(work, task.id, slot.slotMs, undefined, task);
  if (task.schedule.kind === "once") decideOneShot(work, task, task.schedule.atMs, own);
  else decideCron(work, task, answer.calendar, own);
}

function isOwn({ input }: Work, task: Task, slotMs: number): boolean {
  // A scheduler that makes slots up cannot ask the schedule for them.
  return (input.policies.catchUpWeekday === "ignored" && task.schedule.kind === "cron") || input.calendars.hasSlot(task, slotMs);
}

function decideOneShot(work: Work, task: Task, atMs: number, restored: readonly RememberedSlot[]): void {
  const { state, nowMs, policies, calendars } = work.input;
  if (atMs > nowMs) return;
  // What was queued before a restart comes up again even for a disabled task: the read at fire time leaves a record.
  const isRestored = restored.length > 0;
  const isNew = !isKnown(state, task.id, atMs, calendars) && isWanted(work, task, atMs);
  if (!isRestored && !isNew) return;
  const reason = expiryOf(work, atMs);
  if (reason === undefined) {
    enqueue(work, task.id, atMs, undefined, task);
  } else {
    work.expired.push({ taskId: task.id, slotMs: atMs, reason });
    remember(work, task.id, atMs, "decided");
  }

  function expiryOf({ fromMs }: Work, slotMs: number): ExpiredOneShot["reason"] | undefined {
    if (slotMs <= nowMs - MAX_LOOK_BACK_MS) return "beyond-look-back";
    // Without a recorded pass nobody knows whether it ran.
    if (state.lastPassMs === undefined && slotMs <= fromMs) return "no-recorded-pass";
    return policies.catchUp === "none" && isLate(slotMs, nowMs) ? "catch-up-none" : undefined;
  }
}

function decideCron(work: Work, task: Task, calendar: Calendar, restored: readonly RememberedSlot[]): void {
  const { state, nowMs, policies, calendars } = work.input;
  const earliest = nowMs - MAX_LOOK_BACK_MS;
  const passed = passedSlots(work, task, calendar);
  const reachable = restored.filter((slot) => slot.slotMs > earliest).map((slot) => slot.slotMs);
  // What was queued before a restart comes up again even for a disabled task: the read at fire time leaves a record.
  const wanted = passed.slots.filter((slot) => isWanted(work, task, slot));
  const slots = [...new Set([...reachable, ...wanted])].sort((one, other) => one - other);
  const { run, discarded } = chooseSlots(slots, nowMs, policies.catchUp);
  const undecided = (slot: number) => reachable.includes(slot) || !isKnown(state, task.id, slot, calendars);

  for (const slot of run.filter(undecided)) enqueue(work, task.id, slot, calendar.nextAfter(slot), task);
  const left = discarded.filter(undecided).length + (restored.length - reachable.length);
  if (passed.older === "some" && wanted.length > 0) work.discarded.push({ taskId: task.id, slots: left + 1, counted: "at-least" });
  else if (left > 0) work.discarded.push({ taskId: task.id, slots: left, counted: "exactly" });
  // What an earlier process had queued and this one leaves out must not stay queued.
  for (const slot of restored) if (!run.includes(slot.slotMs)) remember(work, task.id, slot.slotMs, "decided");
}

function passedSlots(work: Work, task: Task, calendar: Calendar): ReturnType<typeof newestSlots> {
  const { nowMs, policies } = work.input;
  if (policies.catchUpWeekday === "honoured") return newestSlots(calendar, work.fromMs, nowMs, MAX_CATCH_UP_SLOTS);
  const loose = work.input.calendars.ignoringWeekday(task);
  if (loose.outcome === "problem") return newestSlots(calendar, work.fromMs, nowMs, MAX_CATCH_UP_SLOTS);
  const late = newestSlots(loose.calendar, work.fromMs, nowMs, MAX_CATCH_UP_SLOTS);
  const onTime = newestSlots(calendar, work.fromMs, nowMs, MAX_CATCH_UP_SLOTS).slots.filter((slot) => !isLate(slot, nowMs));
  return { ...late, slots: [...late.slots.filter((slot) => isLate(slot, nowMs)), ...onTime] };
}

function isWanted({ input }: Work, task: Task, slotMs: number): boolean {
  if (task.enabled) return true;
  return input.policies.enabledRead === "not-in-catch-up" && isLate(slotMs, input.nowMs);
}

function enqueue(work: Work, taskId: string, slotMs: number, nextMs: number | undefined, task: Task | undefined): void {
  const reason = reasonOf(work, taskId, slotMs, task);
  const dueAtMs = slotMs + jitterMs(taskId, slotMs, nextMs, work.input.maxJitterMs);
  work.due.push({ taskId, slotMs, key: slotKey(taskId, slotMs), dueAtMs, reason, task });
  remember(work, taskId, slotMs, "queued");
}

function reasonOf({ input }: Work, taskId: string, slotMs: number, task: Task | undefined): FireReason {
  if (isLate(slotMs, input.nowMs)) return "catch-up";
  if (task === undefined) return input.state.slots.get(slotKey(taskId, slotMs))?.reason ?? "scheduled";
  return task.schedule.kind === "once" ? "one-shot" : "scheduled";
}

function remember(work: Work, taskId: string, slotMs: number, stage: SlotStage): void {
  const reason = reasonOf(work, taskId, slotMs, undefined);
  work.changes.set(slotKey(taskId, slotMs), { taskId, slotMs, reason, stage });
}

function takeInterrupted(work: Work): InterruptedSlot[] {
  const cut = [...work.input.state.slots].filter(([, slot]) => slot.stage === "intended");
  for (const [key, slot] of cut) work.changes.set(key, { ...slot, stage: "interrupted" });
  return cut.map(([, { taskId, slotMs }]) => ({ taskId, slotMs }));
}

function restoredSlots(state: SchedulerState): Map<string, RememberedSlot[]> {
  const byTask = new Map<string, RememberedSlot[]>();
  for (const slot of state.slots.values()) {
    if (slot.stage !== "queued") continue;
    byTask.set(slot.taskId, [...(byTask.get(slot.taskId) ?? []), slot]);
  }
  return byTask;
}

/** Forgets what lies behind the look-back window, except one-shots that are still listed: nothing else says that they ran. */
function remembered({ input, changes }: Work): Pick<SchedulerState, "slots" | "spans"> {
  const { state, tasks, nowMs, calendars } = input;
  const earliestMs = nowMs - MAX_LOOK_BACK_MS;
  const listed = new Set(tasks.flatMap(({ id, schedule }) => (schedule.kind === "once" ? [`${id}@${schedule.atMs}`] : [])));
  const isNeeded = (slot: RememberedSlot) =>
    isOpen(slot) || slot.slotMs > earliestMs || listed.has(`${slot.taskId}@${slot.slotMs}`);
  const slots = new Map([...state.slots, ...changes].filter(([, slot]) => isNeeded(slot)));
  return foldDecided({ ...state, slots }, tasks, earliestMs, calendars);
}

function duplicateId(id: string): InvalidTask {
  return {
    taskId: id,
    problem: {
      code: "DUPLICATE_TASK_ID",
      message: `DUPLICATE_TASK_ID: ${JSON.stringify(id)} is listed more than once, so one key would stand for two tasks; only the first is scheduled. Rename the other.`,
    },
  };
}
