/** Croner reads the clock at every call, also when it is told from which moment to count. The traps let it, for this reason. */
import { ALLOWED, trapAmbient } from "@casebook/sim/node";
import { Cron } from "croner";
import { expect, it } from "vitest";

const LATER_MS = 86_400_000_000;

it("croner reads the clock, and its answer does not depend on it", () => {
  const next = (): string | undefined => new Cron("0 5 * * *", { timezone: "UTC", paused: true }).nextRun(new Date(0))?.toISOString();
  let reads = 0;
  const { now } = Date;
  const outside = next();
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct(target, given: [], newTarget) {
      if (given.length > 0) return Reflect.construct(target, given, newTarget) as Date;
      reads += 1;
      return new target(now() + LATER_MS);
    },
  });
  try {
    expect(next()).toBe(outside);
  } finally {
    globalThis.Date = RealDate;
  }
  expect([outside, reads > 0]).toEqual(["1970-01-01T05:00:00.000Z", true]);

  const traps = trapAmbient();
  try {
    expect(next()).toBe(outside);
  } finally {
    traps.restore();
  }
  expect(traps.leaks).toEqual([]);
  expect(ALLOWED.filter(({ where, calls }) => where.test("/node_modules/croner/") && calls.test("new Date()"))).toHaveLength(1);
});
