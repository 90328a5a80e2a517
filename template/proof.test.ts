/** What case 000 rests on: other numbers, the mutants of its guard, and how it could be fooled. */
import { lockStale } from "@casebook/guards";
import { play } from "@casebook/repro";
import { describe, expect, it } from "vitest";
import { expires, forEver, repro, undisturbed } from "./repro.ts";

const HOUR_MS = 3_600_000;
const lock = (hoursOld: number) => ({ locks: [{ path: "/job/lock", atMs: 0, staleAfterMs: HOUR_MS }], nowMs: hoursOld * HOUR_MS });

describe("the mechanism of case 000", () => {
  it("is not a matter of four nights and the first: of nine, dying on the third, two run before it and none after", async () => {
    const numbers = { nights: 9, diesOn: 3 };
    expect((await play(repro, forEver, numbers)).facts).toMatchObject({ ran: 2, skipped: 6, redNights: 1 });
    expect((await play(repro, expires, numbers)).facts).toMatchObject({ ran: 8, skipped: 0, redNights: 1 });
  });

  it("needs the death: without it the lock that is for ever stops nothing", async () => {
    expect((await play(repro, forEver, { diesOn: 0 })).facts).toEqual(undisturbed.expect);
  });

  it("leaves another trace when one parameter is another", async () => {
    const { traceHash } = await play(repro, forEver);
    expect((await play(repro, forEver, { nights: 5 })).traceHash).not.toBe(traceHash);
  });
});

describe("the guard of case 000", () => {
  it("alarms in the operator's cell: the job stays bad, and somebody looks at the lock", async () => {
    expect((await play(repro, forEver)).facts.guard).toBe("ALARM: 1 of 1 locks are stale: /job/lock is 4.0 d old, stale after 60 min");
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const tells = (guard: (facts: ReturnType<typeof lock>) => unknown) => guard(lock(2)) !== undefined && guard(lock(1)) === undefined;
    expect(tells(lockStale)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "lock/stale" }))).toBe(false);
  });

  it("is fooled by a job that touches the lock and does nothing else", () => {
    const touched = { locks: [{ path: "/job/lock", atMs: 99 * HOUR_MS, staleAfterMs: HOUR_MS }], nowMs: 99 * HOUR_MS };
    expect(lockStale(touched)).toBeUndefined();
  });
});
