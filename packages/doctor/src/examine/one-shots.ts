/**
 * One-shots that passed, are still enabled and left no trace. One whose trace may be among what could not be read is held back:
 * nobody can say that it is stuck.
 */
import { EARLY_START_MS, scheduleOneShotsShareAnInstant, scheduleOneShotStuck } from "@casebook/guards";
import type { LayoutObservation, NotRead, TaskObservation } from "../observation.ts";
import { graceOf } from "./due-slots.ts";
import { type Hidden, hiddenFor, hiddenText } from "./hidden-runs.ts";
import { raise, type Raised } from "./raised.ts";

interface OneShot {
  readonly task: TaskObservation;
  readonly atMs: number;
}

export interface OneShots {
  readonly raised: readonly Raised[];
  /** Why nobody can say whether a task is stuck, by its id. */
  readonly heldBack: ReadonlyMap<string, Pick<NotRead, "reason" | "message">>;
}

export function oneShots(layout: LayoutObservation, hidden: readonly Hidden[], nowMs: number): OneShots {
  const registered = layout.tasks.filter((task) => task.registries.length > 0);
  const once = registered.flatMap((task): OneShot[] => (task.schedule?.kind === "once" ? [{ task, atMs: task.schedule.atMs }] : []));
  const runs = layout.artefacts?.runs ?? [];
  const isSeen = ({ task, atMs }: OneShot) => runs.some((run) => run.taskId === task.id && run.startedAtMs >= atMs);
  const waiting = once.filter((one) => one.task.enabled && !isSeen(one));
  const graceMs = graceOf(0, undefined, layout.preset);
  const isLate = ({ task, atMs }: OneShot) => atMs + graceMs <= nowMs && (task.lastRun?.atMs ?? Number.NEGATIVE_INFINITY) < atMs - EARLY_START_MS;
  const late = waiting.filter(isLate).map((one) => ({ ...one, perhaps: hiddenFor(hidden, one.task.id).filter(({ toMs }) => toMs >= one.atMs) }));
  const heldBack = new Map(
    late.flatMap(({ task, atMs, perhaps }) => {
      const [first] = perhaps;
      if (first === undefined) return [];
      return [[task.id, { reason: first.reason, message: `it passed at ${new Date(atMs).toISOString()}: ${hiddenText(perhaps)}` }] as const];
    }),
  );
  const asked = waiting.filter(({ task }) => !heldBack.has(task.id));
  const around = (some: readonly OneShot[]) => ({
    tasks: some.map(({ task }) => task.id).toSorted(),
    where: some[0]?.task.place,
    proof: [`one-shots ${once.length} (registry)`, `with a trace ${once.filter(isSeen).length}`, ...(heldBack.size === 0 ? [] : [`not asked ${heldBack.size}`])],
    confidence: "measured" as const,
  });
  const factsOf = (one: OneShot) => ({ taskId: one.task.id, atMs: one.atMs, enabled: asked.includes(one), graceMs, lastRunMs: one.task.lastRun?.atMs });
  const stuck = raise(scheduleOneShotStuck, { oneShots: once.map(factsOf), nowMs }, around(asked.filter(isLate)));
  return { raised: [...stuck, ...crowded(layout, asked, around)], heldBack };
}

function crowded({ preset }: LayoutObservation, asked: readonly OneShot[], around: (some: readonly OneShot[]) => Omit<Raised, "about" | "finding">): Raised[] {
  const cap = preset.concurrentAtOnce;
  if (cap === undefined) return [];
  const shared = asked.filter(({ task, atMs }) => (task.lastRun?.atMs ?? Number.NEGATIVE_INFINITY) < atMs);
  const over = shared.filter(({ atMs }) => shared.filter((other) => other.atMs === atMs).length > cap);
  return raise(scheduleOneShotsShareAnInstant, { oneShots: shared.map(({ task, atMs }) => ({ taskId: task.id, atMs })), concurrentAtOnce: cap }, around(over));
}
