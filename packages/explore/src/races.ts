/**
 * Which steps of an execution could have come in another order, and matter in it. Two steps race when they conflict, the later
 * one was waiting already when the earlier one was taken, and nothing between them ties them together.
 * After Flanagan and Godefroid (POPL 2005), with the choice of one initial as in Abdulla et al. (source sets, POPL 2014).
 */
import type { Operation } from "@casebook/sim/kernel";

export type Conflicts = (one: Operation, other: Operation) => boolean;

export interface Race {
  /** Step before which another operation should have been tried. */
  readonly at: number;
  /** Any one of these covers it; the later step of the race comes first when it is among them. */
  readonly initials: readonly Operation[];
}

export interface Executed {
  readonly steps: readonly Operation[];
  /** Of the steps, those that were chosen. */
  readonly chosenSteps: number;
  readonly moments: readonly number[];
  /** Waited and were never taken: at the end, or when their process died at `atStep`. */
  readonly untaken: readonly { readonly operation: Operation; readonly atStep: number }[];
}

/** `from`: races whose later step lies before it are known already. `wasReady(at, operation)`: at the choice before that step. */
export function racesOf(
  executed: Executed,
  from: number,
  wasReady: (at: number, operation: Operation) => boolean,
  conflicts: Conflicts,
): Race[] {
  const { steps, chosenSteps, moments, untaken } = executed;
  const before = happensBefore(executed, conflicts);
  const analysis: Analysis = { steps, before, moments, wasReady, conflicts, races: [] };
  for (let at = from; at < chosenSteps; at += 1) findRaces(analysis, steps[at] as Operation, at);
  for (const { operation, atStep } of untaken) {
    if (atStep + 1 >= from) findRaces(analysis, operation, Math.min(atStep + 1, chosenSteps));
  }
  return analysis.races;
}

interface Analysis {
  readonly steps: readonly Operation[];
  readonly before: readonly Uint32Array[];
  readonly moments: readonly number[];
  readonly wasReady: (at: number, operation: Operation) => boolean;
  readonly conflicts: Conflicts;
  readonly races: Race[];
}

/** `end`: where the operation was taken, or would have been. */
function findRaces(analysis: Analysis, operation: Operation, end: number): void {
  const { steps, before, wasReady, conflicts, races } = analysis;
  const words = (steps.length >> 5) + 1;
  const tied = new Uint32Array(words);
  if (operation.cause >= 0) addWithPast(tied, operation.cause, before);
  // Time may have moved while it could not be taken: it races with what kept it from that, on the other side of the moment.
  const floor = operation.epoch === 0 ? 0 : (analysis.moments[operation.epoch - 1] as number);
  for (let at = end - 1; at >= floor; at -= 1) {
    if (has(tied, at) || !conflicts(steps[at] as Operation, operation)) continue;
    const free = stepsFreeOf(before, at, end);
    // It waited already and could not be taken: the earlier step is what made it ready, as a release does for a lock. Their
    // order is no choice, and what lies behind the earlier step has still to be looked at.
    const waited = operation.cause < at && !wasReady(at, operation);
    if (waited && !free.some((position) => conflicts(steps[position] as Operation, operation))) continue;
    const initials = initialsOf(analysis, free, operation).filter((one) => wasReady(at, one));
    if (initials.length === 0) continue;
    races.push({ at, initials });
    addWithPast(tied, at, before);
  }
}

/** Steps between the two that are not tied to the earlier one. */
function stepsFreeOf(before: readonly Uint32Array[], at: number, end: number): number[] {
  const free: number[] = [];
  for (let position = at + 1; position < end; position += 1) {
    if (!has(before[position] as Uint32Array, at)) free.push(position);
  }
  return free;
}

/** Of these steps and of the operation behind them: those that none of them has to come before. */
function initialsOf({ steps, before, conflicts }: Analysis, free: readonly number[], operation: Operation): Operation[] {
  const initials = free
    .filter((position) => !free.some((other) => has(before[position] as Uint32Array, other)))
    .map((position) => steps[position] as Operation);
  const { cause } = operation;
  const isInitial = !free.some((position) => {
    if (conflicts(steps[position] as Operation, operation)) return true;
    return cause === position || (cause > position && has(before[cause] as Uint32Array, position));
  });
  return isInitial ? [operation, ...initials] : initials;
}

/** For each step the set of those before it in every equivalent order. */
function happensBefore({ steps, chosenSteps, moments }: Executed, conflicts: Conflicts): Uint32Array[] {
  const words = (steps.length >> 5) + 1;
  const before: Uint32Array[] = [];
  let moment = 0;
  let floor = 0;
  for (let at = 0; at < chosenSteps; at += 1) {
    while (moment < moments.length && (moments[moment] as number) <= at) floor = moments[moment++] as number;
    const past = new Uint32Array(words);
    for (let early = 0; early < floor; early += 1) past[early >> 5]! |= 1 << (early & 31);
    const operation = steps[at] as Operation;
    if (operation.cause >= 0) addWithPast(past, operation.cause, before);
    for (let early = at - 1; early >= floor; early -= 1) {
      if (!has(past, early) && conflicts(steps[early] as Operation, operation)) addWithPast(past, early, before);
    }
    before.push(past);
  }
  return before;
}

function addWithPast(set: Uint32Array, step: number, before: readonly Uint32Array[]): void {
  set[step >> 5]! |= 1 << (step & 31);
  const past = before[step];
  if (past === undefined) return;
  for (let word = 0; word < past.length; word += 1) set[word]! |= past[word] as number;
}

function has(set: Uint32Array, step: number): boolean {
  return ((set[step >> 5] as number) & (1 << (step & 31))) !== 0;
}
