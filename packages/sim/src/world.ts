/**
 * One execution in which nothing is left to chance: a clock, a disk, ids, a log and named moments, all drawn from a seed
 * and an epoch. Models one host and one process; leaves out crashes, faults and the choice between equal deadlines.
 */
import type { LogEntry, Ports } from "@casebook/ports";
import type { Volume } from "memfs";
import { applyImage, type CrashImage, crashImages, type Unsynced, unsyncedReport } from "./disk/images.ts";
import type { Store } from "./disk/store.ts";
import { setMounts } from "./disk/mounts.ts";
import { storeFromVolume, volumeFromRoot } from "./disk/volume.ts";
import { outOfSteps, type StepBudget, createPorts, type WorldState } from "./world-ports.ts";
import { createStream } from "./random.ts";
import { createTrace, type Trace } from "./trace.ts";
import { createVirtualClock, macrotaskBarrier } from "./virtual-clock.ts";
import {
  WorldError,
  MAX_STEPS,
  MAX_VIRTUAL_MS,
  readCap,
  readClock,
  readEpoch,
  readSeed,
  type WorldOptions,
} from "./world-options.ts";

export interface World {
  readonly seed: number;
  readonly epochMs: number;
  /** Open for as long as the world: to prepare it before a run and to look at it afterwards. Sleeping needs a run. */
  readonly ports: Ports;
  /**
   * Plays `root` to its end, moving virtual time only when nothing is runnable, and answers what it answers.
   * Several runs may follow each other; what is still waiting when one ends never wakes, and its ports reject with
   * WORLD_ENDED. Rejects with WORLD_DEADLOCK, WORLD_TIMED_OUT, WORLD_BUSY, or with what `root` threw.
   * A loop that never awaits cannot be stopped from inside JavaScript and hangs.
   */
  run<T>(root: (ports: Ports) => Promise<T>): Promise<T>;
  /** What is on disk now, as a fresh memfs volume. */
  volume(): Volume;
  /** What a power loss now would lose. */
  unsyncedReport(): readonly Unsynced[];
  /** The disks that a power loss now can leave: none lost, all that is unsynced, all but one, only one. */
  crashImages(): readonly CrashImage[];
  /**
   * Between two runs: the power goes and comes back, and the disk is what the image says. Left out: all that is unsynced is lost.
   * Throws WORLD_BUSY during a run.
   */
  losePower(image?: CrashImage): void;
  /** Sets the wall clock of the host forward or back; running waits keep their length. */
  setClock(toMs: number): void;
  readonly log: readonly (LogEntry & { readonly atMs: number })[];
  readonly trace: Trace;
}

/** Throws WORLD_SEED_…, WORLD_EPOCH_…, WORLD_CAP_… or WORLD_VOLUME_… for what it cannot be made from. */
export function createWorld(options: WorldOptions): World {
  const seed = readSeed(options?.seed);
  const epochMs = readEpoch(options.epoch);
  const maxVirtualMs = readCap("maxVirtualMs", options.maxVirtualMs, MAX_VIRTUAL_MS);
  const budget: StepBudget = {
    maxSteps: readCap("maxSteps", options.maxSteps, MAX_STEPS),
    taken: 0,
    running: false,
  };
  const state: WorldState = {
    clock: createVirtualClock(epochMs),
    store: storeFromVolume(options.volume, epochMs),
    watchers: new Map(),
    listings: createStream(seed, "listings"),
    trace: createTrace(),
    log: [],
    budget,
    idsGiven: 0,
  };

  async function run<T>(root: (ports: Ports) => Promise<T>): Promise<T> {
    if (budget.running) throw busy();
    budget.running = true;
    let isOpen = true;
    try {
      return await play(createPorts(state, () => isOpen), root);
    } finally {
      isOpen = false;
      budget.running = false;
      state.clock.abandon();
    }
  }

  async function play<T>(ports: Ports, root: (ports: Ports) => Promise<T>): Promise<T> {
    let settled: Promise<T> | undefined;
    // Started from a microtask, so that a synchronous throw of `root` is a rejection like any other.
    const work = Promise.resolve().then(() => root(ports));
    const settle = (): void => void (settled = work);
    work.then(settle, settle);
    for (;;) {
      await macrotaskBarrier();
      if (budget.taken > budget.maxSteps) throw outOfSteps(budget);
      if (settled !== undefined) return settled;
      if (!state.clock.advance()) throw deadlock(state);
      if (state.clock.elapsedMs() > maxVirtualMs) throw outOfTime(maxVirtualMs);
    }
  }

  setMounts(state.store, options.mounts ?? []);

  return {
    seed,
    epochMs,
    ports: createPorts(state, () => true),
    run,
    volume: () => volumeFromRoot(state.store.root),
    unsyncedReport: () => unsyncedReport(state.store),
    crashImages: () => crashImages(state.store),
    losePower(image = everythingLost(state.store)) {
      if (budget.running) throw busy();
      applyImage(state.store, image);
      state.trace.record({ operation: "disk.crash-image", object: image.label, outcome: "ok", detail: "", atMs: state.clock.now() });
    },
    setClock(toMs) {
      const checkedMs = readClock(toMs);
      state.clock.set(checkedMs);
      state.trace.record({ operation: "clock.set", object: "", outcome: "ok", detail: "", atMs: checkedMs });
    },
    log: state.log,
    trace: state.trace,
  };
}

/** Second of the images, where anything can be lost. */
function everythingLost(store: Store): CrashImage {
  const [nothing, everything] = crashImages(store);
  return (everything ?? nothing) as CrashImage;
}

function deadlock(state: WorldState): WorldError {
  const last = state.trace.events.at(-1);
  const lastText = last === undefined ? "none" : `${last.operation} '${last.object}'`;
  return new WorldError(
    "WORLD_DEADLOCK",
    "the run awaits something that nothing in the world will settle: no wait is pending and every port operation has " +
      `answered (last one: ${lastText}). If it awaits a real timer or real input, use the ports; ` +
      "otherwise look for a promise that nobody resolves.",
  );
}

function outOfTime(maxVirtualMs: number): WorldError {
  return new WorldError(
    "WORLD_TIMED_OUT",
    `more than ${maxVirtualMs} ms of virtual time; the run waits for something that does not come. ` +
      "Look at the last events of world.trace, or raise maxVirtualMs if the wait is really that long.",
  );
}

function busy(): WorldError {
  return new WorldError(
    "WORLD_BUSY",
    "a run of the world is going on, and another, or a power loss, would share its clock and disk. " +
      "Await the run first, or start both parts inside one run.",
  );
}
