/**
 * Things that processes share and that live on no host of theirs: cells and locks of a service that is always there.
 * Each call is one step and atomic; between two calls of a process anything may happen. Models a store with single-row
 * operations; leaves out transactions, latency and the failure of the service itself. A lock stays with a holder that died.
 *
 * Classes and not closures here and in the ports: these are made by the million, and a closure with a name costs several times
 * as much under a loader that keeps names.
 */
import type { Execution } from "./execution.ts";
import { callLabel, textLabel } from "./labels.ts";
import type { OperationPlan } from "./operation.ts";
import { plainCopy, valueText } from "./plain.ts";
import type { ProcessState } from "./process-state.ts";

/** What one process does with a cell. Values are plain data and are copied both ways, as by a store that writes them down. */
export interface Cell<T> {
  read(): Promise<T>;
  write(value: T): Promise<void>;
  /** Reads and writes in one step; answers what was there before. */
  update(change: (value: T) => T): Promise<T>;
  /** Writes if it holds `expected`, in one step; answers whether it did. */
  compareAndSet(expected: T, next: T): Promise<boolean>;
}

export interface Lock {
  /** Waits until it is free. */
  acquire(): Promise<void>;
  /** Rejects with LOCK_NOT_HELD when another holds it, or nobody. */
  release(): Promise<void>;
}

export class CellState<T> {
  readonly name: string;
  readonly label: number;
  value: T;

  constructor(name: string, value: T) {
    this.name = name;
    this.label = textLabel(name);
    this.value = value;
  }
}

export class LockState {
  readonly name: string;
  holder: ProcessState | undefined = undefined;
  /** Of the holder: the next life of a process knows nothing of what the last one held. */
  life = 0;

  constructor(name: string) {
    this.name = name;
  }
}

export class CellPort<T> implements Cell<T> {
  readonly #execution: Execution;
  readonly #process: ProcessState;
  readonly #life: number;
  readonly #state: CellState<T>;

  constructor(execution: Execution, process: ProcessState, life: number, state: CellState<T>) {
    this.#execution = execution;
    this.#process = process;
    this.#life = life;
    this.#state = state;
  }

  read(): Promise<T> {
    return this.#execution.park(this.#process, this.#life, new CellRead(this.#state));
  }

  write(value: T): Promise<void> {
    return this.#execution.park(this.#process, this.#life, new CellWrite(this.#state, value));
  }

  update(change: (value: T) => T): Promise<T> {
    return this.#execution.park(this.#process, this.#life, new CellUpdate(this.#state, change));
  }

  compareAndSet(expected: T, next: T): Promise<boolean> {
    return this.#execution.park(this.#process, this.#life, new CellCompareAndSet(this.#state, expected, next));
  }
}

/** Everything but the state stands in the prototype: one is made for each call. */
abstract class CellPlan<T, R> implements OperationPlan<R> {
  abstract get name(): string;
  abstract get access(): "read" | "write";
  abstract get label(): number;
  readonly state: CellState<T>;

  constructor(state: CellState<T>) {
    this.state = state;
  }

  get object(): string {
    return this.state.name;
  }

  get shared(): string {
    return this.state.name;
  }

  get isRemote(): boolean {
    return true;
  }

  abstract effect(): R;

  /** What the cell holds now. */
  digest(): unknown {
    return this.state.value;
  }
}

const READ = callLabel("cell.read", "");
const WRITE = callLabel("cell.write", "");
const UPDATE = callLabel("cell.update", "");
const COMPARE_AND_SET = callLabel("cell.compare-and-set", "");

class CellRead<T> extends CellPlan<T, T> {
  get name(): string {
    return "cell.read";
  }

  get access(): "read" {
    return "read";
  }


  get label(): number {
    return READ + this.state.label;
  }

  effect(): T {
    return plainCopy(this.state.value);
  }

  describe(value: T): string {
    return valueText(value);
  }
}

class CellWrite<T> extends CellPlan<T, void> {
  get name(): string {
    return "cell.write";
  }

  get access(): "write" {
    return "write";
  }

  readonly value: T;

  constructor(state: CellState<T>, value: T) {
    super(state);
    this.value = plainCopy(value);
  }

  get label(): number {
    return WRITE + this.state.label;
  }

  effect(): void {
    this.state.value = this.value;
  }

  describe(): string {
    return valueText(this.value);
  }
}

class CellUpdate<T> extends CellPlan<T, T> {
  get name(): string {
    return "cell.update";
  }

  get access(): "write" {
    return "write";
  }

  readonly change: (value: T) => T;
  #after: T | undefined = undefined;

  constructor(state: CellState<T>, change: (value: T) => T) {
    super(state);
    this.change = change;
  }

  get label(): number {
    return UPDATE + this.state.label;
  }

  effect(): T {
    const before = plainCopy(this.state.value);
    this.#after = plainCopy(this.change(plainCopy(before)));
    this.state.value = this.#after;
    return before;
  }

  describe(before: T): string {
    return `${valueText(before)} to ${valueText(this.#after)}`;
  }
}

class CellCompareAndSet<T> extends CellPlan<T, boolean> {
  get name(): string {
    return "cell.compare-and-set";
  }

  get access(): "write" {
    return "write";
  }

  readonly expected: T;
  readonly next: T;

  constructor(state: CellState<T>, expected: T, next: T) {
    super(state);
    this.expected = plainCopy(expected);
    this.next = plainCopy(next);
  }

  get label(): number {
    return COMPARE_AND_SET + this.state.label;
  }

  effect(): boolean {
    if (!isEqual(this.state.value, this.expected)) return false;
    this.state.value = this.next;
    return true;
  }

  describe(isSet: boolean): string {
    return `${valueText(this.expected)} to ${valueText(this.next)}: ${isSet ? "set" : "refused"}`;
  }
}

/** Copies are never the same object; what is written down the same is equal. */
function isEqual(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === "object" && typeof other === "object" && valueText(one) === valueText(other));
}

export class LockPort implements Lock {
  readonly #execution: Execution;
  readonly #process: ProcessState;
  readonly #life: number;
  readonly #state: LockState;

  constructor(execution: Execution, process: ProcessState, life: number, state: LockState) {
    this.#execution = execution;
    this.#process = process;
    this.#life = life;
    this.#state = state;
  }

  acquire(): Promise<void> {
    return this.#execution.park(this.#process, this.#life, new LockAcquire(this.#state, this.#process, this.#life));
  }

  release(): Promise<void> {
    return this.#execution.park(this.#process, this.#life, new LockRelease(this.#state, this.#process, this.#life));
  }
}

abstract class LockPlan implements OperationPlan<void> {
  abstract readonly name: string;
  readonly access = "write";
  readonly isRemote = true;
  readonly state: LockState;
  readonly process: ProcessState;
  readonly life: number;
  readonly object: string;
  readonly shared: string;

  constructor(state: LockState, process: ProcessState, life: number) {
    this.state = state;
    this.process = process;
    this.life = life;
    this.object = state.name;
    this.shared = state.name;
  }

  abstract effect(): void;
}

class LockAcquire extends LockPlan {
  readonly name = "lock.acquire";

  isReady(): boolean {
    return this.state.holder === undefined;
  }

  get waitsFor(): string {
    return `the lock ${JSON.stringify(this.object)}${this.state.holder === undefined ? "" : `, held by ${this.state.holder.name}`}`;
  }

  effect(): void {
    this.state.holder = this.process;
    this.state.life = this.life;
  }
}

class LockRelease extends LockPlan {
  readonly name = "lock.release";

  effect(): void {
    if (this.state.holder !== this.process || this.state.life !== this.life) {
      const text = `LOCK_NOT_HELD: ${this.process.name} releases the lock ${JSON.stringify(this.object)}, which it does not hold.`;
      throw Object.assign(new Error(text), { code: "LOCK_NOT_HELD" });
    }
    this.state.holder = undefined;
  }
}
