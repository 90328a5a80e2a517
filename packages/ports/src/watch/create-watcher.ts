/** A watcher over a queue that something fills: for systems that call back when they have an event. */
import type { Watcher } from "../watch.ts";
import { EventQueue } from "./event-queue.ts";

export interface FilledWatcher {
  readonly watcher: Watcher;
  /** Call `wake` after every change of it. */
  readonly queue: EventQueue;
  wake(): void;
}

/** `stop` lets go of what fills the queue; called once. */
export function createWatcher(stop: () => void): FilledWatcher {
  const queue = new EventQueue();
  let waiting: (() => void)[] = [];
  let isClosed = false;
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  return {
    queue,
    wake,
    watcher: {
      async next() {
        while (!queue.isReady) await new Promise<void>((resolve) => waiting.push(resolve));
        return queue.take();
      },
      async close() {
        if (isClosed) return;
        isClosed = true;
        stop();
        queue.close();
        wake();
      },
    },
  };
}
