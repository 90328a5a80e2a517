/**
 * Waits until no promise callback is runnable. The only place where the world touches real time.
 * One hop to a new macrotask: the engine drains every microtask and tick before it starts one.
 */
import { createClock } from "@sinonjs/fake-timers";

export type Barrier = () => Promise<unknown>;

// A clock on which nothing is ever scheduled: its `nextAsync` does nothing but hop over the real setImmediate,
// which this file may not name because it also has to run where there is none.
const idle = createClock(0);

export const macrotaskBarrier: Barrier = () => idle.nextAsync();
