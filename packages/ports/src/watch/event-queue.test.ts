import { describe, expect, it } from "vitest";
import type { WatchEvent } from "../watch.ts";
import { createWatcher, EventQueue, MAX_UNREAD_EVENTS } from "./index.ts";

const changed = (name: string): WatchEvent => ({ kind: "changed", name });

function rest(queue: EventQueue): (WatchEvent | undefined | string)[] {
  const taken: (WatchEvent | undefined | string)[] = [];
  while (queue.isReady && taken.length < 5) {
    try {
      taken.push(queue.take());
    } catch (failure) {
      taken.push((failure as Error).message);
    }
  }
  return taken;
}

describe("the queue of a watcher", () => {
  it("keeps as many events as it may, and at one more only that there were too many", () => {
    const queue = new EventQueue();
    for (let count = 1; count <= MAX_UNREAD_EVENTS; count += 1) queue.push(changed(`${count}`));
    expect(queue.take()).toEqual(changed("1"));
    queue.push(changed("room for one"));
    queue.push(changed("one too many"));
    queue.push(changed("part of everything"));
    expect(rest(queue)).toEqual([{ kind: "overflow" }]);
    queue.push(changed("after the look"));
    expect(rest(queue)).toEqual([changed("after the look")]);
  });

  it("forgets what was not read when it overflows before its bound", () => {
    const queue = new EventQueue();
    queue.push(changed("a"));
    queue.push({ kind: "overflow" });
    expect(rest(queue)).toEqual([{ kind: "overflow" }]);
  });

  it("says once that the watcher failed, behind what came before, and then that it is over", () => {
    const queue = new EventQueue();
    queue.push(changed("a"));
    queue.fail(new Error("broken"));
    queue.fail(new Error("again"));
    queue.push(changed("b"));
    expect(rest(queue)).toEqual([changed("a"), "broken", undefined, undefined, undefined]);
  });

  it("has nothing to say once it is closed, not even that it failed", () => {
    const queue = new EventQueue();
    queue.push(changed("a"));
    queue.fail(new Error("broken"));
    queue.close();
    queue.push(changed("b"));
    expect([queue.isReady, queue.take()]).toEqual([true, undefined]);
  });
});

describe("a watcher over a queue", () => {
  it("gives each event to one of those who wait, and all the end", async () => {
    let stops = 0;
    const { watcher, queue, wake } = createWatcher(() => void (stops += 1));
    const waiting = [watcher.next(), watcher.next(), watcher.next()];
    queue.push(changed("a"));
    wake();
    await waiting[0];
    await watcher.close();
    await watcher.close();
    expect([await Promise.all(waiting), stops]).toEqual([[changed("a"), undefined, undefined], 1]);
  });
});
