/** The runner for Node: many executions in one macrotask, with a turn of the event loop now and then and a limit on silence. */
import { Script } from "node:vm";
import type { Execution } from "../kernel/execution.ts";
import { asynchronousRunner, playSynchronously, type Runner, type SynchronousBarrier } from "../kernel/drive.ts";
import { WorldError } from "../world-options.ts";
import { immediates, inMacrotask, synchronousBarrier } from "./barriers.ts";

/** Long enough that the turn costs nothing, short enough for a key press. */
const SLICE_MS = 30;
/** A step that does not come to rest for so long never will: no model computes for ten seconds between two port calls. */
export const SILENCE_MS = 10_000;

/**
 * The fast one where this Node has a synchronous barrier, else one turn of the event loop a step. `silenceMs` 0 sets no limit: a
 * model that never yields hangs then. A limit costs a tenth of a millisecond for each slice of 30.
 */
export async function findRunner(silenceMs: number = SILENCE_MS): Promise<Runner> {
  const barrier = await synchronousBarrier();
  return barrier === undefined ? asynchronousRunner(immediates) : synchronousRunner(barrier, silenceMs);
}

export function synchronousRunner(barrier: SynchronousBarrier, silenceMs: number = SILENCE_MS): Runner {
  return {
    name: barrier.name,
    async run(next, done) {
      const search: Search = { next, done, barrier, playing: undefined, isOver: false };
      while (!search.isOver) await inMacrotask(() => within(silenceMs, search));
    },
  };
}

interface Search {
  readonly next: () => Execution | undefined;
  readonly done: (execution: Execution) => void;
  readonly barrier: SynchronousBarrier;
  playing: Execution | undefined;
  isOver: boolean;
}

const slot = Symbol.for("casebook.slice");
const script = new Script(`globalThis[Symbol.for("casebook.slice")]()`, { filename: "casebook-slice.js" });

/** Only V8 can stop a loop that never yields, and it does so for a script with a time limit. */
function within(silenceMs: number, search: Search): void {
  if (silenceMs === 0) return slice(search);
  const globals = globalThis as unknown as Record<symbol, unknown>;
  const outer = globals[slot];
  globals[slot] = () => slice(search);
  try {
    script.runInThisContext({ timeout: silenceMs });
  } catch (failure) {
    if ((failure as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw failure;
    search.isOver = true;
    throw silent(search.playing, silenceMs);
  } finally {
    globals[slot] = outer;
  }
}

function slice(search: Search): void {
  const endMs = performance.now() + SLICE_MS;
  do {
    const execution = search.next();
    if (execution === undefined) {
      search.isOver = true;
      return;
    }
    search.playing = execution;
    playSynchronously(execution, search.barrier);
    execution.close();
    search.done(execution);
  } while (performance.now() < endMs);
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
