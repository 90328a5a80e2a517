/** What every clock does. Leaves out how exact it is: a busy machine wakes late and no test can forbid it. */
import { createCancellation, withinDeadline, type Clock } from "../index.ts";
import { codeOf, expectEqual, type ContractCase } from "./contract.ts";

export const clockContract: readonly ContractCase<Clock>[] = [
  {
    name: "shows whole milliseconds since 1970",
    async run(makePort) {
      const nowMs = (await makePort()).now();
      expectEqual(Number.isSafeInteger(nowMs) && nowMs >= 0, true, `now() answered ${nowMs}`);
    },
  },
  {
    name: "answers that a wait elapsed, also a wait of nothing or of part of a millisecond",
    async run(makePort) {
      const clock = await makePort();
      for (const durationMs of [0, 0.4, 2]) {
        expectEqual(await clock.sleep(durationMs), "elapsed", `sleep(${durationMs})`);
      }
    },
  },
  {
    name: "wakes the shorter wait first",
    async run(makePort) {
      const clock = await makePort();
      const woken: string[] = [];
      const long = clock.sleep(40).then(() => woken.push("40 ms"));
      const short = clock.sleep(1).then(() => woken.push("1 ms"));
      await Promise.all([long, short]);
      expectEqual(woken, ["1 ms", "40 ms"], "order of waking");
    },
  },
  {
    name: "does not mistake a wait beyond 2^31-1 ms for one that is over",
    async run(makePort) {
      const clock = await makePort();
      const cancellation = createCancellation();
      const long = clock.sleep(2 ** 31 + 5, cancellation.signal);
      const first = await Promise.race([long, clock.sleep(5).then(() => "5 ms first")]);
      cancellation.cancel();
      expectEqual([first, await long], ["5 ms first", "cancelled"], "the two waits");
    },
  },
  {
    name: "ends a cancelled wait as cancelled, before or during it, and no other",
    async run(makePort) {
      const clock = await makePort();
      const cancellation = createCancellation();
      const during = clock.sleep(3_600_000, cancellation.signal);
      const other = clock.sleep(3);
      cancellation.cancel();
      const after = clock.sleep(3_600_000, cancellation.signal);
      expectEqual(await Promise.all([during, after, other]), ["cancelled", "cancelled", "elapsed"], "how they ended");
    },
  },
  {
    name: "keeps a wait that has elapsed elapsed when it is cancelled later",
    async run(makePort) {
      const clock = await makePort();
      const cancellation = createCancellation();
      const wait = clock.sleep(1, cancellation.signal);
      await wait;
      cancellation.cancel();
      expectEqual(await wait, "elapsed", "the wait");
    },
  },
  {
    name: "rejects a duration that is negative, infinite or no number with ERR_INVALID_DURATION",
    async run(makePort) {
      const clock = await makePort();
      for (const durationMs of [-1, Infinity, Number.NaN]) {
        expectEqual(await codeOf(clock.sleep(durationMs)), "ERR_INVALID_DURATION", `sleep(${durationMs})`);
      }
    },
  },
  {
    name: "bounds work by a deadline",
    async run(makePort) {
      const clock = await makePort();
      const never = new Promise<never>(() => undefined);
      expectEqual(await withinDeadline(clock, 2, never), { outcome: "deadline" }, "work that never ends");
      const done = withinDeadline(clock, 3_600_000, Promise.resolve(7));
      expectEqual(await done, { outcome: "done", value: 7 }, "work that is done");
    },
  },
];
