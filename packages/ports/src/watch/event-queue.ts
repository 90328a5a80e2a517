/** What a watcher was told and nobody has read yet. Pure; whoever waits for it is not its business. */
import type { WatchEvent } from "../watch.ts";

/** Beyond this an overflow takes the place of all that was not read: a reader that sleeps must not take the memory of the machine. */
export const MAX_UNREAD_EVENTS = 1_024;

const OVERFLOW: WatchEvent = { kind: "overflow" };

export class EventQueue {
  #events: WatchEvent[] = [];
  #failure: Error | undefined;
  #isOver = false;

  /** Ignored once the watcher failed or was closed. */
  push(event: WatchEvent): void {
    // Nobody has looked since an overflow: what happens now is part of everything.
    if (this.#isOver || this.#events[0]?.kind === "overflow") return;
    if (event.kind === "overflow" || this.#events.length >= MAX_UNREAD_EVENTS) this.#events = [OVERFLOW];
    else this.#events.push(event);
  }

  /** The last thing it says, behind what was not read yet. */
  fail(failure: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
  }

  close(): void {
    this.#isOver = true;
    this.#failure = undefined;
    this.#events = [];
  }

  /** Whether `take` has an answer. */
  get isReady(): boolean {
    return this.#isOver || this.#events.length > 0;
  }

  /** The next event; throws the failure, once; undefined when there will be no other. Ask `isReady` before. */
  take(): WatchEvent | undefined {
    const event = this.#events.shift();
    if (event !== undefined || this.#failure === undefined) return event;
    const failure = this.#failure;
    this.#failure = undefined;
    throw failure;
  }
}
