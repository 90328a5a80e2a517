/**
 * Things that processes share and that live on no host of theirs: cells and locks of a service that is always there.
 * Each call is one step and atomic; between two calls of a process anything may happen. Models a store with single-row
 * operations; leaves out transactions, latency and the failure of the service itself. A lock stays with a holder that died.
 *
 * Classes and not closures here and in the ports: these are made by the million, and a closure with a name costs several times
 * as much under a loader that keeps names.
 */
import type { Execution } from "./execution.ts";
import type { OperationPlan } from "./operation.ts";
import type { ProcessState } from "./process-state.ts";

/** What one process does with a cell. Values are plain data; do not change one that you were given. */
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
  value: T;

  constructor(name: string, value: T) {
    this.name = name;
    this.value = value;
  }
}

export class LockState {
  readonly name: string;
  holder: ProcessState | undefined = undefined;

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

abstract class CellPlan<T, R> implements OperationPlan<R> {
  abstract readonly name: string;
  abstract readonly access: "read" | "write";
  readonly state: CellState<T>;
  readonly object: string;
  readonly shared: string;
  readonly isRemote = true;

  constructor(state: CellState<T>) {
    this.state = state;
    this.object = state.name;
    this.shared = state.name;
  }

  abstract effect(): R;

  describe(): string {
    return valueText(this.state.value);
  }
}

class CellRead<T> extends CellPlan<T, T> {
  readonly name = "cell.read";
  readonly access = "read";

  effect(): T {
    return this.state.value;
  }
}

class CellWrite<T> extends CellPlan<T, void> {
  readonly name = "cell.write";
  readonly access = "write";
  readonly value: T;

  constructor(state: CellState<T>, value: T) {
    super(state);
    this.value = value;
  }

  effect(): void {
    this.state.value = this.value;
  }
}

class CellUpdate<T> extends CellPlan<T, T> {
  readonly name = "cell.update";
  readonly access = "write";
  readonly change: (value: T) => T;

  constructor(state: CellState<T>, change: (value: T) => T) {
    super(state);
    this.change = change;
  }

  effect(): T {
    const before = this.state.value;
    this.state.value = this.change(before);
    return before;
  }
}

class CellCompareAndSet<T> extends CellPlan<T, boolean> {
  readonly name = "cell.compare-and-set";
  readonly access = "write";
  readonly expected: T;
  readonly next: T;

  constructor(state: CellState<T>, expected: T, next: T) {
    super(state);
    this.expected = expected;
    this.next = next;
  }

  effect(): boolean {
    if (this.state.value !== this.expected) return false;
    this.state.value = this.next;
    return true;
  }
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
    return this.#execution.park(this.#process, this.#life, new LockAcquire(this.#state, this.#process));
  }

  release(): Promise<void> {
    return this.#execution.park(this.#process, this.#life, new LockRelease(this.#state, this.#process));
  }
}

abstract class LockPlan implements OperationPlan<void> {
  abstract readonly name: string;
  readonly access = "write";
  readonly isRemote = true;
  readonly state: LockState;
  readonly process: ProcessState;
  readonly object: string;
  readonly shared: string;

  constructor(state: LockState, process: ProcessState) {
    this.state = state;
    this.process = process;
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
  }
}

class LockRelease extends LockPlan {
  readonly name = "lock.release";

  effect(): void {
    if (this.state.holder !== this.process) {
      const text = `LOCK_NOT_HELD: ${this.process.name} releases the lock ${JSON.stringify(this.object)}, which it does not hold.`;
      throw Object.assign(new Error(text), { code: "LOCK_NOT_HELD" });
    }
    this.state.holder = undefined;
  }
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : (JSON.stringify(value) ?? "");
}
