/**
 * One execution of several processes, decided step by step. The kernel decides at port calls only: a call parks, one that is
 * ready is chosen and takes effect, and everything that its answer sets in motion runs to the next port calls before the
 * next choice. So the awaits between two port calls are one atomic step. Time moves when nothing is ready.
 * Leaves out what a power loss forgets and everything inside a step.
 */
import { errorCode } from "@casebook/ports";
import { RunningHash } from "../trace.ts";
import { createVirtualClock, type VirtualClock } from "../virtual-clock.ts";
import { type ArmedFault, canStrike, type FaultKind, type FaultPlace, type FaultState, isDue, reachOfCalls, STEP } from "./armed-fault.ts";
import { labelOf, textLabel } from "./labels.ts";
import { HELD, Operation, type OperationPlan } from "./operation.ts";
import { valueText } from "./plain.ts";
import type { ServiceState } from "./service.ts";
import type { Durability } from "../disk/images.ts";
import { type HostState, isAlive, isGone, type ProcessState } from "./process-state.ts";

export interface Chooser {
  /**
   * Which of the operations that can be taken now, by position; −1 gives the execution up. Asked at every step, also where
   * there is one only. `ready` is sorted by process and call, and is valid during the call.
   */
  choose(ready: readonly Operation[], execution: Execution): number;
  /** Asks which steps conflict, so that it is worth while to keep which parts each has touched. */
  readonly asksConflicts?: boolean;
}

export interface ExecutionOptions {
  readonly seed: number;
  readonly epochMs: number;
  readonly chooser: Chooser;
  readonly faults: readonly ArmedFault[];
  readonly maxSteps: number;
  readonly maxVirtualMs: number;
  /** Virtual time after the end in which no fault fires and all are mended; left out: the end is the end. */
  readonly healMs?: number | undefined;
  /** What a dead host forgets of its disk. Default `kill`: nothing. */
  readonly durability?: Durability;
  /** A runner that has traps for ambient calls puts them in place for this one. */
  readonly isWatched?: boolean;
  /** Looked at after every step; anything but undefined ends the execution there. */
  readonly afterStep?: ((execution: Execution) => string | undefined) | undefined;
}

/** What grew without end. */
export type Cap = "steps" | "virtual time" | "waiting calls" | "log lines";

/** Of all processes together: a search could not try their orders anyway. */
export const MAX_WAITING = 2_000;
export const MAX_LOG_LINES = 20_000;

export type Ending =
  | { readonly how: "finished" }
  | { readonly how: "violated"; readonly says: string }
  | { readonly how: "deadlock"; readonly waiting: readonly string[] }
  | { readonly how: "timed-out"; readonly cap: Cap }
  | { readonly how: "given-up" };

/** Something that code did where the kernel could not see it. */
export interface Escape {
  readonly what: "call-after-kill" | "threw-in-tick" | "ambient-call" | "outside-world" | "rejection-unhandled";
  readonly process: string;
  readonly says: string;
}

/** Begins a life of a process. */
export type Begin = (process: ProcessState, life: number) => Promise<unknown>;

/**
 * Told of every step of a process once it has taken effect. `HELD`: its caller is not told of it, or not yet; whoever held it calls
 * `settle` when he is.
 */
export type AtStep = (operation: Operation, settle: () => void) => typeof HELD | undefined;

/** What most executions have none of; made when the first is there, because millions are made. */
class Rare {
  readonly escapes: Escape[] = [];
  /** What waited and could never be taken any more, such as calls of a process that died, and the step that made it so. */
  readonly forgotten: { readonly operation: Operation; readonly atStep: number }[] = [];
  /** How often each point was reached. */
  readonly reached = new Map<string, number>();
  /** Calls that a fault holds until a point is reached, or until the heal phase. */
  readonly held: { readonly operation: Operation; readonly until: string | undefined; release(): void }[] = [];
  /** Told of every process that ended by itself. */
  readonly onEnded: ((process: ProcessState) => void)[] = [];
  /** By name. */
  readonly services = new Map<string, ServiceState>();
  /** What the heal phase undoes. */
  readonly mend: (() => void)[] = [];
  /** Faults that are due at steps which are being taken. */
  readonly due = new Map<Operation, ArmedFault>();
}

const NO_FAULTS: readonly FaultState[] = [];
const NO_OPERATIONS: readonly Operation[] = [];
const NOTHING_RARE = new Rare();

// One executor for all calls: no closure per call.
let lastResolve: (value: unknown) => void;
let lastReject: (failure: unknown) => void;
const keepSettlers = (resolve: (value: unknown) => void, reject: (failure: unknown) => void): void => {
  lastResolve = resolve;
  lastReject = reject;
};

export class Execution {
  readonly options: ExecutionOptions;
  readonly hosts = new Map<string, HostState>();
  readonly processes: ProcessState[] = [];
  /** Sorted by process and call. */
  readonly #parked: Operation[] = [];
  /** One of them is taken before anything else. */
  #alternatives: readonly Operation[] = NO_OPERATIONS;
  /** Where a fault is armed that can strike at any step. */
  atStep: AtStep | undefined = undefined;
  /** What was taken, in order. */
  readonly steps: Operation[] = [];
  /** How many steps had been taken when time moved, each time: nothing changes places across such a point. */
  readonly moments: number[] = [];
  /** Taken positions where there was more than one, and how many there were. */
  readonly choices: number[] = [];
  readonly arities: number[] = [];
  readonly faults: readonly FaultState[];
  #rare: Rare | undefined;
  readonly #hash = new RunningHash();
  #clock: VirtualClock | undefined;
  #ending: Ending | undefined;
  #isOpen = true;
  #overflow: Cap | undefined;
  /** Set while the heal phase runs: no fault fires any more, and no choice is recorded. */
  isHealing = false;
  #stepsBeforeHealing = 0;
  #healedAtMs = 0;
  #leftOver: readonly Operation[] | undefined;

  constructor(options: ExecutionOptions) {
    this.options = options;
    this.faults = options.faults.length === 0 ? NO_FAULTS : options.faults.map((fault) => ({ fault, reaches: 0, fired: 0 }));
  }

  /** To look at. */
  get seen(): Readonly<Rare> {
    return this.#rare ?? NOTHING_RARE;
  }

  /** To add to. */
  get rare(): Rare {
    return (this.#rare ??= new Rare());
  }

  /** Whether somebody will ask which parts of a disk each step touched. */
  get keepsParts(): boolean {
    return this.options.chooser.asksConflicts === true || this.options.isWatched === true;
  }

  get escapes(): readonly Escape[] {
    return this.seen.escapes;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  get parked(): readonly Operation[] {
    return this.#parked;
  }

  /** Of which one is taken next, if there are any. */
  get alternatives(): readonly Operation[] {
    return this.#alternatives;
  }

  get clock(): VirtualClock {
    return (this.#clock ??= createVirtualClock(this.options.epochMs));
  }

  nowMs(host?: HostState): number {
    const now = this.#clock === undefined ? this.options.epochMs : this.#clock.now();
    return host === undefined ? now : (host.clockFrozenAtMs ?? now + host.clockOffsetMs);
  }

  host(name: string): HostState {
    const known = this.hosts.get(name);
    if (known !== undefined) return known;
    const host: HostState = { name, status: "up", store: undefined, clockOffsetMs: 0, clockFrozenAtMs: undefined, isDiskFull: false };
    this.hosts.set(name, host);
    return host;
  }

  /** Declares a process. It begins with `start`, in the order of the declarations. */
  declare(name: string, hostName: string, isDaemon: boolean, begin: Begin, isSpawned = false): ProcessState {
    const process: ProcessState = {
      index: this.processes.length,
      name,
      label: textLabel(name),
      isDaemon,
      isSpawned,
      begin,
      reach: this.faults.length === 0 ? undefined : reachOfCalls(this.faults, name, STEP),
      host: this.host(hostName),
      life: 0,
      status: "waiting",
      hangs: 0,
      timed: 0,
      calls: 0,
      idsGiven: 0,
      listings: undefined,
      failure: undefined,
    };
    this.processes.push(process);
    return process;
  }

  /** Begins every process. Call it in a microtask: what is begun in a macrotask sees its ticks before its promises. */
  start(): void {
    for (const process of this.processes) if (!process.isSpawned) this.begin(process);
  }

  /** A new life of a process: fresh memory, the same disk. */
  begin(process: ProcessState): void {
    process.life += 1;
    process.timed = 0;
    process.status = "running";
    const { life } = process;
    let work: Promise<unknown>;
    try {
      work = process.begin(process, life);
    } catch (failure) {
      work = Promise.reject(failure);
    }
    work.then(
      () => this.#ended(process, life, undefined),
      (failure: unknown) => this.#ended(process, life, { failure }),
    );
  }

  #ended(process: ProcessState, life: number, threw: { failure: unknown } | undefined): void {
    if (process.life !== life || !isAlive(process)) return;
    process.status = threw === undefined ? "ended" : "threw";
    process.failure = threw?.failure;
    for (const hear of this.seen.onEnded) hear(process);
  }

  /** Every call at a port of a process ends here. Never settles for a process that is dead. */
  park<T>(process: ProcessState, life: number, plan: OperationPlan<T>): Promise<T> {
    const promise = new Promise<unknown>(keepSettlers);
    this.#keep(process, life, plan as OperationPlan<unknown>, lastResolve, lastReject);
    return promise as Promise<T>;
  }

  /** An operation of the world at a process, such as the delivery of a message; nobody awaits it. */
  parkOfWorld(process: ProcessState, plan: OperationPlan<void>): void {
    if (this.#isOpen) this.#insert(process, { ...plan, isOfWorld: true } as OperationPlan<unknown>, ignore, ignore);
  }

  /** Exactly one of these is taken, before anything else. */
  parkAlternatives(process: ProcessState, plans: readonly OperationPlan<void>[]): void {
    this.#alternatives = plans.map((plan, alternative) => this.#made(process, { ...plan, alternative, isOfWorld: true } as OperationPlan<unknown>, ignore, ignore));
  }

  #keep(
    process: ProcessState,
    life: number,
    plan: OperationPlan<unknown>,
    resolve: (value: unknown) => void,
    reject: (failure: unknown) => void,
  ): void {
    if (!this.#isOpen || process.life !== life || isGone(process)) this.noteLate(process, life, plan.name);
    else this.#insert(process, plan, resolve, reject);
  }

  #insert(
    process: ProcessState,
    plan: OperationPlan<unknown>,
    resolve: (value: unknown) => void,
    reject: (failure: unknown) => void,
  ): void {
    if (this.#parked.length >= MAX_WAITING) return this.overflow("waiting calls");
    insertSorted(this.#parked, this.#made(process, plan, resolve, reject));
  }

  #made(
    process: ProcessState,
    plan: OperationPlan<unknown>,
    resolve: (value: unknown) => void,
    reject: (failure: unknown) => void,
  ): Operation {
    const seq = process.calls;
    process.calls += 1;
    return new Operation(process, seq, plan, this.steps.length - 1, this.moments.length, resolve, reject, labelOf(plan, process));
  }

  /** Something grew beyond its limit: the execution ends before its next step. */
  overflow(cap: Cap): void {
    this.#overflow ??= cap;
  }

  noteLate(process: ProcessState, life: number, call: string): void {
    // After the end, strands that nobody awaited may still come to a call, and stop there.
    if (!this.#isOpen) return;
    // A dead life has nothing that could still run: whoever calls came in by another door.
    this.rare.escapes.push({ what: "call-after-kill", process: process.name, says: `${call} in life ${life}` });
  }

  /** Takes one step. False: the execution is over, and `ending` says how. */
  step(): boolean {
    if (this.#ending !== undefined) return false;
    if (this.steps.length >= this.options.maxSteps) this.overflow("steps");
    if (this.#overflow !== undefined) return this.#end({ how: "timed-out", cap: this.#overflow });
    const ready = this.#collectReady();
    const options = ready.length;
    if (options === 0) return this.#wait();
    const chosen = this.isHealing ? longestWaiting(ready, this.#stepsBeforeHealing) : this.options.chooser.choose(ready, this);
    if (chosen < 0) return this.#end({ how: "given-up" });
    if (options > 1 && !this.isHealing) {
      this.choices.push(chosen);
      this.arities.push(options);
    }
    this.#take(ready[chosen] as Operation, options, chosen);
    return true;
  }

  /** To be asked when everything that the step set in motion has come to rest. False: the execution is over. */
  settle(): boolean {
    const says = this.options.afterStep?.(this);
    return says === undefined ? true : this.#end({ how: "violated", says });
  }

  #collectReady(): readonly Operation[] {
    if (this.#alternatives.length > 0) return this.#alternatives;
    const parked = this.#parked;
    for (let at = 0; at < parked.length; at += 1) {
      // Nearly always everything that waits is ready, and then there is nothing to copy.
      if (!this.isReady(parked[at] as Operation)) return parked.filter((operation) => this.isReady(operation));
    }
    return parked;
  }

  isReady({ process, plan }: Operation): boolean {
    const isStopped = process.status === "stopped";
    if (isStopped || process.host.status !== "up") {
      if (plan.isOfWorld === true) {
        if (isStopped && plan.resumes === true) return false;
      } else if (isStopped || process.host.status === "dead" || plan.isRemote === true) return false;
    }
    return plan.isReady === undefined || plan.isReady();
  }

  #take(operation: Operation, options: number, chosen: number): void {
    if (this.#alternatives.length > 0) this.#alternatives = NO_OPERATIONS;
    else remove(this.#parked, operation);
    operation.step = this.steps.length;
    this.steps.push(operation);
    const { plan } = operation;
    let value: unknown;
    let failure: { thrown: unknown } | undefined;
    try {
      value = plan.effect?.(operation);
    } catch (thrown) {
      failure = { thrown };
    }
    operation.outcome = failure === undefined ? (value === HELD ? "held" : "ok") : errorCode(failure.thrown) || "error";
    if (failure === undefined && value !== HELD) operation.keepAnswer(value);
    this.#record(operation, options, chosen, value);
    if (this.atStep !== undefined && plan.isOfWorld !== true) return this.#strikeAt(operation, this.atStep, failure, value);
    if (failure !== undefined) operation.reject(failure.thrown);
    else if (value !== HELD) operation.resolve(value);
  }

  #strikeAt(operation: Operation, atStep: AtStep, failure: { thrown: unknown } | undefined, value: unknown): void {
    const settle = (): void => {
      if (failure !== undefined) operation.reject(failure.thrown);
      else if (value !== HELD) operation.resolve(value);
    };
    if (atStep(operation, settle) !== HELD) settle();
  }

  /** Two executions that differ in what struck at a step differ in their hash, whatever came of it. */
  noteStruck(fault: ArmedFault): void {
    this.#hash.text(fault.kind);
  }

  #record(operation: Operation, options: number, chosen: number, value: unknown): void {
    const hash = this.#hash;
    hash.word(operation.label);
    hash.word((options << 16) | chosen);
    if (this.#clock !== undefined) hash.word(this.#clock.elapsedMs() | 0);
    if (operation.outcome !== "ok") hash.text(operation.outcome);
    else if (operation.plan.digest !== undefined) hashValue(hash, operation.plan.digest(value));
    else if (operation.detail !== "") hash.text(operation.detail);
  }

  /** Nothing is ready: time moves, or the execution is over. */
  #wait(): boolean {
    const areOver = this.#mainsAreOver();
    if (areOver && !this.isHealing) return this.#end({ how: "finished" });
    // What wakes belongs to the moment that wakes it.
    this.moments.push(this.steps.length);
    if (this.#clock?.advance() !== true) {
      this.moments.pop();
      return this.#end(areOver ? { how: "finished" } : { how: "deadlock", waiting: this.waiting() });
    }
    this.#clock.advanceEquals();
    // What is due beyond the phase is never taken.
    if (this.isHealing && this.#clock.elapsedMs() > this.#healedAtMs) {
      return this.#end(areOver ? { how: "finished" } : { how: "deadlock", waiting: this.waiting() });
    }
    if (this.#clock.elapsedMs() > this.options.maxVirtualMs) return this.#end({ how: "timed-out", cap: "virtual time" });
    return true;
  }

  #mainsAreOver(): boolean {
    for (const process of this.processes) {
      // A hung process is what the fault made of it; whether that is survivable is for the checks to say.
      const isOver = process.isDaemon || process.hangs > 0 || (!isAlive(process) && process.status !== "restarting");
      if (!isOver) return false;
    }
    return true;
  }

  /** Each call that waits, and for what; then those who wait without a call. */
  waiting(): string[] {
    return [
      ...this.#parked.map(({ process, plan }) => `${callText(process, plan)} waits for ${plan.waitsFor ?? waitText(process, this.isHealing)}`),
      ...this.seen.held.map(({ operation: { process, plan }, until }) => `${callText(process, plan)} waits, held by a fault, until ${until === undefined ? "the world heals" : `${JSON.stringify(until)} is reached`}`),
      ...this.processes
        .filter((process) => isAlive(process) && process.hangs === 0 && !this.#waitsAtPort(process))
        .map(({ name, timed }) => `${name} waits ${timed > 0 ? "for a moment behind the heal phase" : "at no port: for a promise of its own that nothing settles, or for something outside the world"}`),
    ];
  }

  /** Processes that run, and that nothing in the world will wake: to them something outside of it may still happen. */
  stranded(): ProcessState[] {
    return this.processes.filter((process) => isAlive(process) && process.hangs === 0 && process.timed === 0 && !this.#waitsAtPort(process));
  }

  #waitsAtPort(process: ProcessState): boolean {
    return this.#parked.some((operation) => operation.process === process) || this.seen.held.some(({ operation }) => operation.process === process);
  }

  #end(ending: Ending): false {
    this.#ending = ending;
    return false;
  }

  /** Closes the ports: whatever is still parked never settles. */
  close(): void {
    this.#isOpen = false;
    this.#clock?.abandon();
  }

  /**
   * Goes on from a finished or stuck execution: no fault fires any more, what the faults did is undone (but for the dead), and
   * what is ready is taken in the order of waiting, for so long. What is stuck then is stuck for good.
   */
  heal(forMs: number): void {
    this.#ending = undefined;
    this.isHealing = true;
    this.#stepsBeforeHealing = this.steps.length;
    this.#leftOver = [...this.#parked];
    this.#healedAtMs = this.clock.elapsedMs() + forMs;
    for (const undo of this.rare.mend.splice(0)) undo();
    for (const held of this.rare.held.splice(0)) held.release();
  }

  /** What was never chosen, at the end or at the beginning of the heal phase. */
  get leftOver(): readonly Operation[] {
    return this.#leftOver ?? this.#parked;
  }

  /** Steps that were chosen; those of the heal phase follow by themselves. */
  get chosenSteps(): number {
    return this.isHealing ? this.#stepsBeforeHealing : this.steps.length;
  }

  /** Nothing of a dead process is taken any more. */
  forget(process: ProcessState): void {
    this.withdraw((operation) => operation.process === process && (operation.plan.isOfWorld !== true || operation.plan.belongsTo !== undefined));
  }

  /** Takes out what waits and can never be taken any more. */
  withdraw(isOver: (operation: Operation) => boolean): void {
    const parked = this.#parked;
    for (let at = parked.length - 1; at >= 0; at -= 1) {
      const operation = parked[at] as Operation;
      if (!isOver(operation)) continue;
      parked.splice(at, 1);
      this.rare.forgotten.push({ operation, atStep: this.steps.length - 1 });
    }
  }

  /** Counts a reach of a point, a message on a link, or an event of a watcher, and answers the fault that fires at it, if any. */
  faultAt(point: string, process: string, place: FaultPlace): ArmedFault | undefined {
    const { reached } = this.rare;
    reached.set(point, (reached.get(point) ?? 0) + 1);
    if (this.isHealing) return undefined;
    let fires: ArmedFault | undefined;
    for (const state of this.faults) {
      if (state.fault.at !== point || !canStrike(state.fault.kind, place)) continue;
      if (state.fault.after !== undefined) {
        // Aimed at the recovery from another one: counts from the reach behind its firing on.
        const other = this.faults[state.fault.after];
        if (other?.fired === 0 || (other?.fired === 1 && other.fault === fires)) continue;
      }
      if (!isDue(state, process)) continue;
      if (fires === undefined) {
        fires = state.fault;
        state.fired += 1;
      } else {
        // One at a reach; the other has its turn at the next.
        state.reaches -= 1;
      }
    }
    return fires;
  }

  /** Whether a fault, of one of these kinds, can fire at the point or is let go by it. */
  isArmed(point: string, kinds?: readonly FaultKind[]): boolean {
    for (const { fault } of this.faults) {
      if ((fault.at === point || fault.until === point) && (kinds === undefined || kinds.includes(fault.kind))) return true;
    }
    return false;
  }

  /** 16 hexadecimal digits over everything that was taken. */
  hash(): string {
    return this.#hash.digits();
  }
}

const ignore = (): void => undefined;

// Both by hand: `splice` makes an array each time, at every step of every schedule.
function insertSorted(parked: Operation[], operation: Operation): void {
  let at = parked.length;
  parked.push(operation);
  for (; at > 0 && comesAfter(parked[at - 1] as Operation, operation); at -= 1) parked[at] = parked[at - 1] as Operation;
  parked[at] = operation;
}

function remove(parked: Operation[], operation: Operation): void {
  let at = parked.indexOf(operation);
  for (; at + 1 < parked.length; at += 1) parked[at] = parked[at + 1] as Operation;
  parked.pop();
}

function hashValue(hash: RunningHash, value: unknown): void {
  if (typeof value === "number" && (value | 0) === value) hash.word(value);
  else if (typeof value === "string") hash.text(value);
  else if (value !== undefined) hash.text(valueText(value));
}

/**
 * Nobody starves while the world heals. What waited when the phase began counts as waiting equally long, and goes by process and
 * call: who called first, and how many calls a process had, differ between orders of steps that are the same to everybody.
 */
function longestWaiting(ready: readonly Operation[], begin: number): number {
  let longest = 0;
  for (let at = 1; at < ready.length; at += 1) {
    if (comesBefore(ready[at] as Operation, ready[longest] as Operation, begin)) longest = at;
  }
  return longest;
}

function comesBefore(one: Operation, other: Operation, begin: number): boolean {
  const [since, otherSince] = [Math.max(one.cause, begin - 1), Math.max(other.cause, begin - 1)];
  if (since !== otherSince) return since < otherSince;
  if (one.process !== other.process) return one.process.index < other.process.index;
  if (one.plan.name !== other.plan.name) return one.plan.name < other.plan.name;
  return one.plan.object === other.plan.object ? one.seq < other.seq : one.plan.object < other.plan.object;
}

function comesAfter(one: Operation, other: Operation): boolean {
  return one.process.index > other.process.index || (one.process.index === other.process.index && one.seq > other.seq);
}

function callText({ name }: ProcessState, plan: OperationPlan<unknown>): string {
  return `${name}: ${plan.name}${plan.object === "" ? "" : ` ${JSON.stringify(plan.object)}`}`;
}

function waitText(process: ProcessState, isHealing: boolean): string {
  if (process.status === "stopped") return "its process to be continued";
  // What is ready is taken; only what is due behind the phase is not.
  if (process.host.status === "up") return isHealing ? "a moment behind the heal phase" : "its turn";
  return `host ${process.host.name}, which is ${process.host.status}`;
}
