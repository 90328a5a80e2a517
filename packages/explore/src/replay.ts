/** One execution again, from its token: the same trace, or the step at which it went another way. */
import type { Execution, Runner, Simulation } from "@casebook/sim/kernel";
import { type Judged, judge } from "./judge.ts";
import { simulationOf } from "./search.ts";
import { recorded } from "./strategies.ts";
import type { System } from "./system.ts";
import { KERNEL_VERSION, type Token } from "./token.ts";
import type { Watch } from "./trace/watch.ts";

export type Replayed<Facts> =
  | { readonly outcome: "replayed"; readonly judged: Judged; readonly simulation: Simulation<Facts> }
  /** The token does not fit what is here: no verdict about the system. */
  | { readonly outcome: "stale"; readonly says: string; readonly simulation: Simulation<Facts> | undefined };

export interface ReplayOptions {
  /** Of the case as it is here; compared with that of the token where both are known. */
  readonly source?: string;
  /** Told of every step. */
  readonly watch?: Watch;
}

export async function replay<Facts>(system: System<Facts>, token: Token, runner: Runner, options: ReplayOptions = {}): Promise<Replayed<Facts>> {
  if (token.kernel !== KERNEL_VERSION) {
    return stale(`the token is of kernel ${token.kernel}, this is kernel ${KERNEL_VERSION}; the same choices may lead elsewhere`);
  }
  const aged = token.source !== "" && options.source !== undefined && token.source !== options.source ? `; the case has changed since (${token.source}, now ${options.source})` : "";
  const chooser = recorded(token.choices, "strict");
  const simulation = simulationOf(system, chooser, token.faults, undefined, true, options.watch);
  const { execution } = simulation;
  try {
    await playAlone(execution, runner);
  } catch (failure) {
    if ((failure as { code?: string }).code !== "STALE_CHOICE") throw failure;
    return stale(`${(failure as Error).message.replace("STALE_CHOICE: ", "")}, at step ${execution.steps.length + 1}${aged}`, simulation);
  }
  if (chooser.used < token.choices.length) {
    return stale(`it ended after ${chooser.used} of ${token.choices.length} choices, at step ${execution.steps.length}${aged}`, simulation);
  }
  if (execution.hash() !== token.trace) return stale(`its trace is ${execution.hash()} and not ${token.trace}${aged}`, simulation);
  return { outcome: "replayed", judged: judge(system, simulation), simulation };

  function stale(says: string, played?: Simulation<Facts>): Replayed<Facts> {
    return { outcome: "stale", says, simulation: played };
  }
}

/** Hands out executions one after the other; each has been played when the next is asked for. */
export type Plays<T> = Generator<Execution, T, void>;

/** In one run of the runner: a run costs more than a short execution. */
export async function playInTurn<T>(plays: Plays<T>, runner: Runner): Promise<T> {
  let turn: IteratorResult<Execution, T> | undefined;
  await runner.run(
    () => {
      turn = plays.next();
      return turn.done === true ? undefined : turn.value;
    },
    () => undefined,
  );
  return turn?.value as T;
}

export async function playAlone(execution: Execution, runner: Runner): Promise<void> {
  let next: Execution | undefined = execution;
  await runner.run(
    () => {
      const one = next;
      next = undefined;
      return one;
    },
    () => undefined,
  );
}
