/**
 * Case 001: one bad entry kills the whole scheduler registry.
 *
 * Six tasks are due. One of them says when to fire as text where the loader wants milliseconds, and a loader that takes
 * the file whole or not at all drops all six. The program around it stays alive, beats its heart, and touches the very file
 * it cannot load.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { registryParity } from "@casebook/guards/registry";
import { createCancellation, type Ports } from "@casebook/ports";
import { type LoaderPolicy, parityFacts, readRegistry, type RegistryLocation } from "@casebook/registry";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import { createRegistrySource, createScheduler, stateText } from "@casebook/scheduler";
import type { World } from "@casebook/sim";
import { Volume } from "memfs";

const MINUTE_MS = 60_000;
const EPOCH = "2026-09-02T08:00:00Z";
const DUE_AT_MS = Date.parse("2026-09-02T07:30:00Z");
/** What the product's own tool wrote where its loader wants a number. */
const TEXT_FIRE_AT = "2026-08-27T07:30:00+01:00";
/** The last time this scheduler got through its list. */
const LAST_PASS_MS = Date.parse("2026-08-27T00:00:00Z");

const APP = "/app-data/claude-code-sessions/account-1/workspace-1";
const HEARTBEAT = `${APP}/heartbeat`;
const STATE = `${APP}/scheduler-state.json`;
const PROMPTS = "/.claude/scheduled-tasks";
export const LOCATION: RegistryLocation = {
  path: `${APP}/scheduled-tasks.json`,
  shape: { kind: "array", pointer: "/scheduledTasks" },
  promptsPath: PROMPTS,
};

export interface Morning {
  readonly tasks: number;
  /** How many of them, counted from the end, carry text in `fireAt`. */
  readonly bad: number;
  readonly loader: LoaderPolicy;
  /** Who counts: nobody, or the parity guard. */
  readonly watcher: "nobody" | "parity";
  /** `cut`: the file ends in the middle of its last text. */
  readonly file: "whole" | "cut";
}

export interface Seen extends Facts {
  readonly onDisk: number;
  readonly countedBy: string;
  readonly loaded: number;
  readonly fired: number;
  readonly dropped: number;
  readonly quarantined: readonly string[];
  readonly normalised: number;
  readonly alarm: string;
  /** The lights that an operator looks at. */
  readonly heartbeat: string;
  readonly registryMtime: string;
  readonly process: string;
}

export function disk({ tasks, bad, file }: Morning): Volume {
  const ids = Array.from({ length: tasks }, (_, index) => `task-${String(index + 1).padStart(2, "0")}`);
  const entries = ids.map((id, index) => ({ id, enabled: true, fireAt: index < tasks - bad ? DUE_AT_MS : TEXT_FIRE_AT }));
  const text = JSON.stringify({ scheduledTasks: entries, recordedSkips: {} }, undefined, 2);
  const prompts = ids.map((id) => [`${PROMPTS}/${id}/SKILL.md`, `---\nname: ${id}\n---\nDo the work of ${id}.\n`]);
  return Volume.fromJSON({
    [LOCATION.path]: file === "whole" ? text : text.slice(0, text.lastIndexOf('"id"') + '"id": "task'.length),
    [STATE]: stateText({ lastPassMs: LAST_PASS_MS }),
    ...Object.fromEntries(prompts),
  });
}

async function oneMorning(world: World, { loader, watcher }: Morning): Promise<Seen> {
  const { ports } = world;
  const app = startApp(ports, loader);
  await ports.clock.sleep(MINUTE_MS / 2);
  const lights = await lookAtTheLights(ports, app);
  const reading = await readRegistry(ports, LOCATION, loader);
  app.quit();
  const counted = parityFacts(reading);
  if (counted === undefined || reading.population === undefined) throw new Error("nothing on this disk says how many tasks there should be");
  const finding = watcher === "parity" ? registryParity(counted) : undefined;
  return {
    onDisk: counted.onDisk,
    countedBy: reading.population.countedBy,
    loaded: reading.loaded.length,
    fired: app.fired(),
    dropped: counted.onDisk - reading.loaded.length - reading.quarantined.length,
    quarantined: reading.quarantined.map((entry) => entry.id ?? entry.pointer),
    normalised: reading.outcome === "loaded" ? reading.normalised.length : 0,
    alarm: finding === undefined ? "none" : "PARITY",
    ...lights,
  };
}

/** The program around the registry. It schedules, beats its heart, and keeps books in the file, whether or not that file loads. */
function startApp(ports: Ports, loader: LoaderPolicy) {
  const stop = createCancellation();
  let isRunning = true;
  let fired = 0;
  const scheduler = createScheduler(ports, {
    source: createRegistrySource(ports, LOCATION, loader),
    dispatch: async ({ task, firedAtMs }) => {
      fired += 1;
      await leaveSession(ports, fired, task.id, firedAtMs);
    },
    zone: "UTC",
    statePath: STATE,
  });
  const untilMs = ports.clock.now() + 60 * MINUTE_MS;
  const looped = Promise.all([scheduler.run(untilMs, stop.signal), keepBooks(ports, stop.signal)]);
  void looped.finally(() => (isRunning = false));
  return { fired: () => fired, isRunning: () => isRunning, quit: stop.cancel };
}

/** What whoever is called leaves beside the registry: a trace of the run that no scheduler writes. */
async function leaveSession({ disk: { open } }: Ports, number: number, scheduledTaskId: string, createdAt: number): Promise<void> {
  const file = await open(`${APP}/local_${number}.json`, "w");
  await file.write(new TextEncoder().encode(JSON.stringify({ sessionId: `local_${number}`, scheduledTaskId, createdAt })));
  await file.close();
}

async function keepBooks(ports: Ports, signal: ReturnType<typeof createCancellation>["signal"]): Promise<void> {
  do {
    await touch(ports, HEARTBEAT, "w");
    await touch(ports, LOCATION.path, "r+");
  } while ((await ports.clock.sleep(MINUTE_MS, signal)) === "elapsed");
}

/** Writes the first byte of a file as it is: new time, same content. */
async function touch({ disk: { open } }: Ports, path: string, flags: "w" | "r+"): Promise<void> {
  const file = await open(path, flags);
  await file.write(flags === "w" ? Uint8Array.of(0x2e) : await file.read(1, 0), 0);
  await file.close();
}

async function lookAtTheLights(ports: Ports, app: { isRunning(): boolean }) {
  const ageOf = async (path: string) => ports.clock.now() - (await ports.disk.stat(path)).modifiedAtMs;
  const shown = (ageMs: number) => (ageMs <= MINUTE_MS ? "fresh" : "stale");
  return {
    heartbeat: shown(await ageOf(HEARTBEAT)),
    registryMtime: shown(await ageOf(LOCATION.path)),
    process: app.isRunning() ? "alive" : "gone",
  };
}

const LIGHTS = { heartbeat: "fresh", registryMtime: "fresh", process: "alive" } as const;

function scene(name: string, parameters: Morning, expect: Seen): Scene<Morning, Seen> {
  return { name, disk, run: oneMorning, with: parameters, expect };
}

const SIX_ONE_BAD: Morning = { tasks: 6, bad: 1, loader: "reject-file", watcher: "nobody", file: "whole" };
const NOTHING: Seen = {
  onDisk: 6,
  countedBy: "entries",
  loaded: 0,
  fired: 0,
  dropped: 6,
  quarantined: [],
  normalised: 0,
  alarm: "none",
  ...LIGHTS,
};
const EVERYTHING: Seen = { ...NOTHING, loaded: 6, fired: 6, dropped: 0 };

export const allOrNothing = scene("all-or-nothing", SIX_ONE_BAD, NOTHING);

export const quarantine = scene(
  "quarantine",
  { ...SIX_ONE_BAD, loader: "quarantine-entry", watcher: "parity" },
  { ...NOTHING, loaded: 5, fired: 5, dropped: 0, quarantined: ["task-06"], alarm: "PARITY" },
);

export const healthy = scene("healthy", { ...SIX_ONE_BAD, bad: 0, loader: "quarantine-entry", watcher: "parity" }, EVERYTHING);

/** What an operator can do about somebody else's loader: count. */
export const watched = scene("watched", { ...SIX_ONE_BAD, watcher: "parity" }, { ...NOTHING, alarm: "PARITY" });

const cutFile = scene(
  "cut-file",
  { ...SIX_ONE_BAD, bad: 0, watcher: "parity", file: "cut" },
  { ...NOTHING, countedBy: "prompt-folders", alarm: "PARITY" },
);

const normalise = scene(
  "normalise",
  { ...SIX_ONE_BAD, loader: "normalise-then-quarantine", watcher: "parity" },
  { ...EVERYTHING, normalised: 1 },
);

export const repro = defineRepro({
  id: "001",
  claim: "One malformed entry makes the scheduler load nothing and fire nothing, and nothing complains.",
  seed: 1,
  epoch: EPOCH,
  broken: allOrNothing,
  fixed: quarantine,
  control: healthy,
  shown: [allOrNothing, quarantine, healthy],
  more: [watched, cutFile, normalise],
  print: (seen) => [
    ...seen.map(({ name, facts }) => `mode=${name.padEnd(15)} ${counters(facts)}`),
    ...(seen.length > 3 ? seen.map(({ name, facts }) => `lights ${name.padEnd(15)} ${lightsOf(facts)}`) : []),
  ],
});

function counters(facts: Seen): string {
  const { onDisk, countedBy, loaded, fired, dropped, quarantined, normalised, alarm } = facts;
  return [
    `on_disk=${onDisk} loaded=${loaded} fired=${fired}`,
    dropped > 0 ? `dropped=${dropped}` : `quarantined=${quarantined.length}`,
    ...(normalised > 0 ? [`normalised=${normalised}`] : []),
    ...(countedBy === "entries" ? [] : [`counted_by=${countedBy}`]),
    `alarm=${alarm}${alarm === "none" ? silence(facts) : ` on_disk=${onDisk} loaded=${loaded}`}`,
  ].join(" ");
}

function silence({ onDisk, loaded }: Seen): string {
  return loaded < onDisk ? " (SILENT)" : "";
}

function lightsOf({ heartbeat, registryMtime, process, fired }: Seen): string {
  return `heartbeat=${heartbeat} registry_mtime=${registryMtime} process=${process} fired=${fired}`;
}

await runAsScript(import.meta, repro);

