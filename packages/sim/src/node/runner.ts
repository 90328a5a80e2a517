/** The runner for Node: many executions in one macrotask, with a turn of the event loop now and then and a limit on silence. */
import { Script } from "node:vm";
import type { Escape, Execution } from "../kernel/execution.ts";
import { type AsynchronousBarrier, play, playSynchronously, type Runner, type SynchronousBarrier } from "../kernel/drive.ts";
import type { ProcessState } from "../kernel/process-state.ts";
import { WorldError } from "../world-options.ts";
import { immediates, inMacrotask, synchronousBarrier, tickBarrier } from "./barriers.ts";
import { noteEscapes, openResources, type Resources, suspects } from "./escapes.ts";
import { holdTicks, takeOver } from "./take-over.ts";
import { leakText, trapAmbient } from "./traps.ts";

/** Long enough that the turn costs nothing, short enough for a key press. */
const SLICE_MS = 30;
/** A step that does not come to rest for so long never will: no model computes for ten seconds between two port calls. */
export const SILENCE_MS = 10_000;

export interface RunnerOptions {
  /**
   * How long a step may run without coming to rest. 0 sets no limit: a model that never yields hangs then. A limit costs a tenth of
   * a millisecond for each slice of 30.
   */
  readonly silenceMs?: number;
  /** In which executions the traps for ambient calls are in place. Default: in those that ask to be watched. */
  readonly traps?: "watched" | "every" | "none";
}

/** The fast one where this Node has a synchronous barrier, else the one that rests on documented calls. */
export async function findRunner(options: RunnerOptions = {}): Promise<Runner> {
  const barrier = await synchronousBarrier();
  return barrier === undefined ? tickRunner(options) : synchronousRunner(barrier, options);
}

/** Documented calls only. Counts the ticks of everybody while it runs, so nothing else may run beside it. */
export function tickRunner(options: RunnerOptions = {}): Runner {
  return {
    name: "nextTick",
    async run(next, done) {
      const ticks = tickBarrier();
      try {
        await watchingRunner(ticks, options).run(next, done);
      } finally {
        ticks.uninstall();
      }
    },
  };
}

export function synchronousRunner(barrier: SynchronousBarrier, options: RunnerOptions = {}): Runner {
  const silenceMs = options.silenceMs ?? SILENCE_MS;
  return {
    name: barrier.name,
    async run(next, done) {
      const search: Search = { next, done, barrier, options, playing: undefined, stuck: undefined, isOver: false, isTorn: false };
      while (!search.isOver) {
        await sliceInMacrotask(silenceMs, search);
        if (search.stuck !== undefined) await inMacrotask(() => lookAround(search));
      }
    },
  };
}

/** One execution at a time under an asynchronous barrier, with the same nets but the limit on silence, which would never be asked. */
export function watchingRunner(barrier: AsynchronousBarrier, options: RunnerOptions = {}): Runner {
  return {
    name: barrier.name,
    async run(next, done) {
      for (let execution = next(); execution !== undefined; execution = next()) {
        const before = openResources();
        const playing = execution;
        const giveBack = hearRejections(() => playing);
        const letGo = watch(execution, options);
        try {
          await play(execution, barrier);
          const stranded = suspects(execution);
          // Some barriers come back before Node has told of the last rejection.
          await new Promise<void>((resolve) => immediates.whenAtRest(resolve));
          if (stranded.length > 0) noteEscapes(execution, stranded, before);
        } finally {
          letGo();
          giveBack();
        }
        execution.close();
        done(execution);
      }
    },
  };
}

interface Search {
  readonly next: () => Execution | undefined;
  readonly done: (execution: Execution) => void;
  readonly barrier: SynchronousBarrier;
  readonly options: RunnerOptions;
  playing: Execution | undefined;
  /** The last one could not go on, and is looked at a turn of the event loop later. */
  stuck: { readonly execution: Execution; readonly stranded: readonly ProcessState[]; readonly before: Resources } | undefined;
  isOver: boolean;
  /** Node's stack of asynchronous contexts holds what is over. */
  isTorn: boolean;
}

function sliceInMacrotask(silenceMs: number, search: Search): Promise<void> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      let settle = resolve;
      const stopHearing = hearRejections(() => search.playing);
      try {
        within(silenceMs, search);
      } catch (failure) {
        settle = () => reject(failure);
      } finally {
        stopHearing();
      }
      if (!search.isTorn) return settle();
      search.isTorn = false;
      // A tick that threw, or was stopped, is still on Node's stack of asynchronous contexts, and Node ends the process when it
      // finds it there. An exception that nobody caught has the stack cleared.
      const giveBack = takeOver("uncaughtException", () => {
        giveBack();
        settle();
      });
      throw new Error("clears the stack of asynchronous contexts");
    });
  });
}

const slot = Symbol.for("casebook.slice");
const script = new Script(`globalThis[Symbol.for("casebook.slice")]()`, { filename: "casebook-slice.js" });

/** Only V8 can stop a loop that never yields, and it does so for a script with a time limit. */
function within(silenceMs: number, search: Search): void {
  const nets: { letGo: () => void } = { letGo: () => undefined };
  if (silenceMs === 0) return slice(search, nets);
  const globals = globalThis as unknown as Record<symbol, unknown>;
  const outer = globals[slot];
  globals[slot] = () => slice(search, nets);
  let isOpen = true;
  const letTicksGo = holdTicks(() => isOpen);
  try {
    script.runInThisContext({ timeout: silenceMs });
  } catch (failure) {
    if ((failure as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw failure;
    isOpen = false;
    search.isOver = true;
    search.isTorn = true;
    throw silent(search.playing, silenceMs);
  } finally {
    // Here and not in the slice: a slice that is stopped runs no code of its own any more.
    nets.letGo();
    letTicksGo();
    globals[slot] = outer;
  }
}

function slice(search: Search, nets: { letGo: () => void }): void {
  const { barrier, options } = search;
  const endMs = performance.now() + SLICE_MS;
  const before = openResources();
  do {
    const execution = search.next();
    if (execution === undefined) {
      search.isOver = true;
      return;
    }
    search.playing = execution;
    nets.letGo = watch(execution, options);
    playSynchronously(execution, barrier);
    nets.letGo();
    search.isTorn = execution.escapes.some(({ what }) => what === "threw-in-tick");
    const stranded = suspects(execution);
    if (stranded.length > 0) {
      search.stuck = { execution, stranded, before };
      return;
    }
    execution.close();
    search.done(execution);
  } while (!search.isTorn && performance.now() < endMs);
}

/** The slice was synchronous: what waits for the event loop has had no chance yet. */
function lookAround(search: Search): void {
  const { execution, stranded, before } = search.stuck as NonNullable<Search["stuck"]>;
  search.stuck = undefined;
  noteEscapes(execution, stranded, before);
  execution.close();
  search.done(execution);
}

const nothing = (): void => undefined;

/** Puts the traps in place where they are wanted, and answers what takes them away; taking them away twice does nothing. */
function watch(execution: Execution, { traps = "watched" }: RunnerOptions): () => void {
  const isWanted = traps === "every" || (traps === "watched" && execution.options.isWatched === true);
  if (!isWanted) return nothing;
  return trapAmbient((leak) => note(execution, "ambient-call", leakText(leak))).restore;
}

function hearRejections(playing: () => Execution | undefined): () => void {
  return takeOver("unhandledRejection", (reason) => {
    const execution = playing();
    if (execution !== undefined) note(execution, "rejection-unhandled", textOf(reason));
  });
}

/** Anything can be thrown, and what is thrown may throw when it is asked what it is. */
function textOf(reason: unknown): string {
  try {
    // A message need not be a text either.
    return reason instanceof Error ? `${reason.message}` : String(reason);
  } catch {
    return "something that has no text";
  }
}

function note(execution: Execution, what: Escape["what"], says: string): void {
  execution.rare.escapes.push({ what, process: execution.steps.at(-1)?.process.name ?? "", says });
}

function silent(execution: Execution | undefined, silenceMs: number): WorldError {
  const last = execution?.steps.at(-1);
  const where = last === undefined ? "before its first port call" : `after ${last.plan.name} ${JSON.stringify(last.plan.object)}`;
  const who = last === undefined ? "a process" : `process ${last.process.name}`;
  return new WorldError(
    "SYSTEM_NEVER_YIELDS",
    `${who} has run for ${silenceMs} ms ${where} without another port call, and was stopped. ` +
      "Look for a loop that awaits nothing, or that only awaits promises of its own.",
  );
}
