/**
 * Timers over the clock port, for code that calls `setTimeout` and its kin. Each end is a step of the world. Leaves out `ref` and
 * `unref`, which are taken and do nothing: a process of the world ends when its start does.
 */
import { promisify } from "node:util";
import { type Clock, createCancellation } from "@casebook/ports";

export interface Timers {
  readonly setTimeout: (callback: Callback, delayMs?: number, ...given: unknown[]) => Timer;
  readonly setInterval: (callback: Callback, delayMs?: number, ...given: unknown[]) => Timer;
  readonly setImmediate: (callback: Callback, ...given: unknown[]) => Timer;
  readonly clearTimeout: (timer: unknown) => void;
  readonly clearInterval: (timer: unknown) => void;
  readonly clearImmediate: (timer: unknown) => void;
  /** `node:timers/promises`. */
  readonly promises: Readonly<Record<string, unknown>>;
}

type Callback = (...given: never[]) => unknown;

export interface Timer {
  ref(): Timer;
  unref(): Timer;
  hasRef(): boolean;
  refresh(): Timer;
  close(): Timer;
  [Symbol.toPrimitive](): number;
}

/** As Node: what is no delay, or too long a one, is one millisecond. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export function createTimers(clock: Clock): Timers {
  const running = new Map<number, Running>();
  let made = 0;

  function begin(callback: Callback, delayMs: number, isRepeated: boolean, given: readonly unknown[]): Timer {
    if (typeof callback !== "function") throw Object.assign(new TypeError(`ERR_INVALID_ARG_TYPE: "callback" has to be a function, and is ${typeof callback}`), { code: "ERR_INVALID_ARG_TYPE" });
    made += 1;
    const timer = new Running(clock, made, callback, delayMs, isRepeated, given, running);
    timer.start();
    return timer;
  }

  function clear(timer: unknown): void {
    const key = typeof timer === "string" || typeof timer === "number" ? Number(timer) : timer instanceof Running ? timer.id : undefined;
    if (key !== undefined) running.get(key)?.close();
  }

  async function wait(delayMs: number, value?: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> {
    const { signal } = options;
    if ((await clock.sleep(delayMs, signal)) === "elapsed") return value;
    throw Object.assign(new Error("ABORT_ERR: the wait was aborted", { cause: signal?.reason }), { name: "AbortError", code: "ABORT_ERR" });
  }

  const promises = {
    setTimeout: (delayMs?: unknown, value?: unknown, options?: { signal?: AbortSignal }) => wait(delayOf(delayMs), value, options),
    setImmediate: (value?: unknown, options?: { signal?: AbortSignal }) => wait(0, value, options),
    async *setInterval(delayMs?: unknown, value?: unknown, options?: { signal?: AbortSignal }) {
      for (;;) yield await wait(delayOf(delayMs), value, options);
    },
    scheduler: { wait: (delayMs: unknown, options?: { signal?: AbortSignal }) => wait(delayOf(delayMs), undefined, options), yield: () => wait(0) },
  };
  const setTimeout: Timers["setTimeout"] = (callback, delayMs, ...given) => begin(callback, delayOf(delayMs), false, given);
  const setImmediate: Timers["setImmediate"] = (callback, ...given) => begin(callback, 0, false, given);

  return {
    // As in Node, `promisify` of these two is a wait.
    setTimeout: Object.assign(setTimeout, { [promisify.custom]: promises.setTimeout }),
    setInterval: (callback, delayMs, ...given) => begin(callback, delayOf(delayMs), true, given),
    setImmediate: Object.assign(setImmediate, { [promisify.custom]: promises.setImmediate }),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    promises,
  };
}

class Running implements Timer {
  readonly id: number;
  readonly #clock: Clock;
  readonly #callback: Callback;
  readonly #delayMs: number;
  readonly #isRepeated: boolean;
  readonly #given: readonly unknown[];
  readonly #running: Map<number, Running>;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, id: number, callback: Callback, delayMs: number, isRepeated: boolean, given: readonly unknown[], running: Map<number, Running>) {
    this.id = id;
    this.#clock = clock;
    this.#callback = callback;
    this.#delayMs = delayMs;
    this.#isRepeated = isRepeated;
    this.#given = given;
    this.#running = running;
  }

  start(): void {
    const { signal, cancel } = createCancellation();
    this.#cancel = cancel;
    this.#running.set(this.id, this);
    void this.#clock.sleep(this.#delayMs, signal).then((how) => {
      // Cleared between the end of the wait and its step.
      if (how === "cancelled" || signal.aborted) return;
      if (this.#isRepeated) this.start();
      else this.#running.delete(this.id);
      this.#callback(...(this.#given as never[]));
    });
  }

  close(): this {
    this.#running.delete(this.id);
    this.#cancel();
    return this;
  }

  refresh(): this {
    this.#cancel();
    this.start();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }
}

function delayOf(delayMs: unknown): number {
  const wanted = Number(delayMs);
  return wanted >= 1 && wanted <= MAX_DELAY_MS ? Math.trunc(wanted) : 1;
}
