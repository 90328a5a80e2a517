/** Ways to choose: at random, by random priorities that change a few times, and as somebody wrote down. */
import type { Chooser, Execution, Operation } from "@casebook/sim/kernel";
import type { RandomStream } from "@casebook/sim/kernel";

export function randomly(stream: RandomStream): Chooser {
  return { choose: (ready) => (ready.length === 1 ? 0 : stream.below(ready.length)) };
}

/** What earlier executions of a search showed: which objects two processes touch, and how many steps there are at these. */
export interface Touched {
  readonly shared: ReadonlySet<string>;
  readonly steps: number;
}

export interface Touches extends Touched {
  learn(execution: Execution): void;
}

export function createTouches(): Touches {
  const firstToucher = new Map<string, number>();
  const shared = new Set<string>();
  let most = 1;
  return {
    shared,
    get steps() {
      return most;
    },
    learn(execution) {
      let steps = 0;
      for (const { plan, process } of execution.steps) {
        const name = plan.shared;
        if (name === undefined) continue;
        const first = firstToucher.get(name);
        if (first === undefined) firstToucher.set(name, process.index);
        else if (first !== process.index) shared.add(name);
        if (shared.has(name)) steps += 1;
      }
      most = Math.max(most, steps);
    },
  };
}

/**
 * Random priorities, and `depth` − 1 moments at which the running process drops below all others. Finds every bug that needs
 * that few orderings with a known chance (Burckhardt et al., ASPLOS 2010); counts only steps at objects that two processes
 * touch, because private ones would use up the moments.
 */
export function byPriority(stream: RandomStream, depth: number, touched: Touched): Chooser {
  const priorities = new Map<number, number>();
  const changes = new Set<number>();
  for (let drawn = 1; drawn < depth; drawn += 1) changes.add(stream.below(touched.steps) + 1);
  let sharedSteps = 0;
  let lowest = 0;

  function priorityOf({ process }: Operation): number {
    const known = priorities.get(process.index);
    if (known !== undefined) return known;
    const drawn = 1 + stream.below(2 ** 30);
    priorities.set(process.index, drawn);
    return drawn;
  }

  return {
    choose(ready) {
      if (ready[0]?.plan.alternative !== undefined) return stream.below(ready.length);
      let best = 0;
      for (let at = 1; at < ready.length; at += 1) {
        if (priorityOf(ready[at] as Operation) > priorityOf(ready[best] as Operation)) best = at;
      }
      const operation = ready[best] as Operation;
      // Several calls of one process: any of them.
      const own = ready.filter(({ process }) => process === operation.process);
      const chosen = own.length === 1 ? best : ready.indexOf(own[stream.below(own.length)] as Operation);
      const { shared } = (ready[chosen] as Operation).plan;
      if (shared !== undefined && (touched.shared.size === 0 || touched.shared.has(shared))) {
        sharedSteps += 1;
        if (changes.has(sharedSteps)) priorities.set(operation.process.index, (lowest -= 1));
      }
      return chosen;
    },
  };
}

/**
 * Takes a recorded beginning and then stays with the process that ran last for as long as it can. `strict`: a choice that cannot
 * be made is thrown as STALE_CHOICE; else it is bent to the nearest that can.
 */
export function recorded(choices: readonly number[], how: "strict" | "lenient"): Chooser & { readonly used: number } {
  let used = 0;
  return {
    get used() {
      return used;
    },
    choose(ready, execution) {
      if (ready.length === 1) return 0;
      const at = used;
      used += 1;
      const wanted = choices[at];
      if (wanted === undefined) return staying(ready, execution);
      if (wanted < ready.length) return wanted;
      if (how === "lenient") return wanted % ready.length;
      throw Object.assign(new Error(`STALE_CHOICE: choice ${at + 1} takes option ${wanted + 1} of ${ready.length}`), { code: "STALE_CHOICE", at });
    },
  };
}

/** The first ready operation of the process of the last step, else the first of all. */
export function staying(ready: readonly Operation[], execution: Execution): number {
  const last = execution.steps.at(-1)?.process;
  const at = ready.findIndex(({ process }) => process === last);
  return at === -1 ? 0 : at;
}

/** Of a step in an order of processes: its process, or, below zero, which of some alternatives it was. */
export function placeInOrder({ process, plan }: Operation): number {
  return plan.alternative === undefined ? process.index : -1 - plan.alternative;
}

/** Follows a list of processes as far as each can be followed: for shrinking, where the list is cut and shuffled. */
export function following(places: readonly number[]): Chooser {
  const order = places.filter((place) => place >= 0);
  const alternatives = places.filter((place) => place < 0);
  let at = 0;
  let met = 0;
  return {
    choose(ready, execution) {
      if (ready[0]?.plan.alternative !== undefined) return Math.min(-1 - (alternatives[met++] ?? -1), ready.length - 1);
      while (at < order.length) {
        const wanted = order[at] as number;
        at += 1;
        const found = ready.findIndex(({ process }) => process.index === wanted);
        if (found !== -1) return found;
      }
      return staying(ready, execution);
    },
  };
}
