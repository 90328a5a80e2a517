import { promisify } from "node:util";
import { createWorld, type World } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { createTimers, type Timers } from "./index.ts";

const freshWorld = (): World => createWorld({ seed: 1, epoch: 0 });

/** What happened when, in virtual milliseconds. */
async function told(work: (timers: Timers, note: (what: string) => void, sleep: (ms: number) => Promise<unknown>) => Promise<void>): Promise<string[]> {
  const notes: string[] = [];
  await freshWorld().run(({ clock }) => work(createTimers(clock), (what) => notes.push(`${clock.now()} ${what}`), (ms) => clock.sleep(ms)));
  return notes;
}

describe("timers over the clock of a world", () => {
  it("call back at their time, with what they were given", async () => {
    const notes = await told(async ({ setTimeout, setImmediate }, note, sleep) => {
      setTimeout((what: string) => note(what), 20, "later");
      setTimeout(() => note("no delay is a millisecond"), Number.NaN);
      setImmediate(() => note("at once"));
      await sleep(100);
    });
    expect(notes).toEqual(["0 at once", "1 no delay is a millisecond", "20 later"]);
  });

  it("repeat until they are cleared, from within as well", async () => {
    const notes = await told(async ({ setInterval, clearInterval }, note, sleep) => {
      let rounds = 0;
      const timer = setInterval(() => {
        note(`round ${++rounds}`);
        if (rounds === 2) clearInterval(timer);
      }, 10);
      await sleep(100);
    });
    expect(notes).toEqual(["10 round 1", "20 round 2"]);
  });

  it("do not call back once they are cleared, by themselves or by their number, and begin anew when refreshed", async () => {
    const notes = await told(async ({ setTimeout, clearTimeout }, note, sleep) => {
      clearTimeout(setTimeout(() => note("cleared"), 10));
      clearTimeout(+(setTimeout(() => note("cleared by number"), 10) as unknown as number));
      const timer = setTimeout(() => note("refreshed"), 10);
      await sleep(6);
      timer.refresh().unref().ref();
      await sleep(100);
    });
    expect(notes).toEqual(["16 refreshed"]);
  });

  it("can be waited for, and given up", async () => {
    const notes = await told(async ({ promises, setTimeout }, note, sleep) => {
      const wait = promises["setTimeout"] as (ms: number, value: string, options?: { signal: AbortSignal }) => Promise<string>;
      note(await wait(5, "waited"));
      await (promisify(setTimeout) as unknown as (ms: number) => Promise<void>)(5);
      note("waited as promisify does it");
      const controller = new AbortController();
      const given = wait(50, "never", { signal: controller.signal }).catch((failure: Error) => note(`${failure.name} ${(failure as { code?: string }).code}`));
      await sleep(5);
      controller.abort();
      await given;
    });
    expect(notes).toEqual(["5 waited", "10 waited as promisify does it", "15 AbortError ABORT_ERR"]);
  });
});
