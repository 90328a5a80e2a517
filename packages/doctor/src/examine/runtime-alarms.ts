/** The guards over what running programs leave behind: locks, running markers, heartbeats, clocks, leftovers, damaged records. */
import {
  clockSkew,
  heartbeatLoopsWithoutSuccess,
  lockFutureDated,
  lockStale,
  residueLeftovers,
  runningStaleMarker,
} from "@casebook/guards";
import type { LayoutObservation } from "../observation.ts";
import { AWAKE_AROUND_MS } from "../observe/awake.ts";
import { baseName, parentOf } from "../trees/index.ts";
import { damagedRecords } from "./damaged-records.ts";
import type { LayoutLedger } from "./ledger-of-layout.ts";
import { raise, type Raised } from "./raised.ts";

/** A run may take this long before its marker counts as left behind. */
const RUN_MAY_TAKE_MS = 6 * 3_600_000;

export function runtimeAlarms(layout: LayoutObservation, { ledger }: Pick<LayoutLedger, "ledger">, nowMs: number): Raised[] {
  const files = (where: string | undefined, proof: string) => ({
    tasks: [],
    where: where === undefined ? undefined : { path: where },
    proof: [proof],
    confidence: "measured" as const,
  });
  const locks = layout.markers.filter(({ kind }) => kind === "lock");
  const running = layout.tasks.filter((task) => task.running !== undefined);
  const markers = running.map((task) => ({ taskId: task.id, sinceMs: task.running?.atMs ?? 0, staleAfterMs: RUN_MAY_TAKE_MS }));
  const stale = markers.filter(({ sinceMs, staleAfterMs }) => nowMs - sinceMs > staleAfterMs).map(({ taskId }) => taskId);
  return [
    ...raise(lockStale, { locks, nowMs }, files(locks.find((lock) => nowMs - lock.atMs > lock.staleAfterMs)?.path, `locks ${locks.length}`)),
    ...raise(lockFutureDated, { locks, nowMs }, files(locks.toSorted((a, b) => b.atMs - a.atMs)[0]?.path, `locks ${locks.length}`)),
    ...raise(runningStaleMarker, { markers, nowMs }, {
      tasks: stale.toSorted(),
      where: running.find(({ id }) => stale.includes(id))?.running?.place,
      proof: [`marked as running ${markers.length}`],
      confidence: "measured",
    }),
    ...heartbeats(layout, ledger, nowMs),
    ...raise(clockSkew, { stamps: stampsOf(layout), nowMs }, files(undefined, `stamps ${stampsOf(layout).length}`)),
    ...raise(residueLeftovers, { files: layout.filesSeen, leftovers: layout.residue }, files(layout.residue[0], `files ${layout.filesSeen}`)),
    ...damagedRecords(layout),
  ];
}

function heartbeats(layout: LayoutObservation, ledger: LayoutLedger["ledger"], nowMs: number): Raised[] {
  const { markers, preset, notRead } = layout;
  const successes = (preset.markers ?? []).filter(({ kind }) => kind === "last-success").map(({ glob }) => baseName(glob));
  const looped = markers.filter(({ kind }) => kind === "heartbeat");
  return looped.flatMap((heartbeat) => {
    const folder = parentOf(heartbeat.path);
    // A success that is written down where nobody could read it is no missing success.
    if (notRead.some(({ what }) => parentOf(what) === folder && successes.includes(baseName(what)))) return [];
    const succeeded = markers.find(({ kind, path }) => kind === "last-success" && path.startsWith(`${folder}/`));
    const newestMs = Math.max(heartbeat.atMs, succeeded?.atMs ?? Number.NEGATIVE_INFINITY);
    const isStopped = nowMs - newestMs > heartbeat.staleAfterMs;
    // A machine that slept all the while stopped the loop too; something that was written since shows that it was awake.
    const isProven = !isStopped || layout.awake.some(({ toMs }) => toMs - AWAKE_AROUND_MS > newestMs + AWAKE_AROUND_MS);
    return raise(
      heartbeatLoopsWithoutSuccess,
      { loopedAtMs: heartbeat.atMs, succeededAtMs: succeeded?.atMs, staleAfterMs: heartbeat.staleAfterMs, nowMs, work: workOf(layout, ledger, folder, heartbeat.atMs) },
      {
        tasks: [],
        where: { path: heartbeat.path },
        proof: [`heartbeats ${looped.length}`],
        confidence: isProven ? "measured" : "inferred",
        ...(isStopped ? { step: "Start the program again, and read its own log from the last turn on" } : {}),
      },
    );
  });
}

/** What the loop of this folder has to start, and has not: slots of tasks of the registry beside it. */
function workOf({ tasks }: LayoutObservation, { rows }: LayoutLedger["ledger"], folder: string, loopedAtMs: number) {
  const own = new Set(tasks.filter(({ enabled, registries }) => enabled && registries.some((path) => parentOf(path) === folder)).map(({ id }) => id));
  // What has run all the same was not left lying.
  const due = rows.filter((row) => own.has(row.taskId) && row.due && row.enabled && row.slotMs > loopedAtMs && row.seen === 0 && !row.claimed);
  return { enabledTasks: own.size, dueSince: due.length };
}

/** A lock that is ahead of now has a guard of its own. */
const MARKER_WORDS = { heartbeat: "heartbeat", "last-success": "last success" } as const;

function stampsOf(layout: LayoutObservation) {
  return [
    ...layout.tasks.flatMap(({ id, lastRun }) => (lastRun === undefined ? [] : [{ what: `last run of ${id}`, atMs: lastRun.atMs }])),
    ...layout.markers.flatMap(({ kind, path, atMs }) => (kind === "lock" ? [] : [{ what: `${MARKER_WORDS[kind]} ${path}`, atMs }])),
    ...layout.registries.map(({ path, modifiedAtMs }) => ({ what: `change of ${path}`, atMs: modifiedAtMs })),
    ...(layout.artefacts?.runs ?? []).map((run) => ({ what: `run of ${run.taskId}`, atMs: run.startedAtMs })),
  ];
}
