/** The traps: what they name, whom they let pass, and that everything is put back. */
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { doors } from "./ambient.ts";
import { trapAmbient } from "./traps.ts";

function trapped(call: () => unknown): string {
  const traps = trapAmbient();
  try {
    call();
    return "passed";
  } catch (failure) {
    return `${(failure as { code: string }).code}, ${traps.leaks.length} noted`;
  } finally {
    traps.restore();
  }
}

/** Everything that can be told of what is behind the doors. */
const behind = (): unknown[] => [
  globalThis.Date,
  Date.now,
  readFileSync,
  createServer,
  ...doors().map(({ owner, key }) => Object.getOwnPropertyDescriptor(owner, key) ?? (owner as Record<string, unknown>)[key]),
];

describe("the traps", () => {
  it("stand at every door", () => {
    const all = doors();
    expect(all.length).toBeGreaterThan(150);
    const open = all.filter(({ owner, key, name }) => {
      // Without arguments nothing happens behind a door that has no trap; but this one would start a process.
      if (name === "cluster.fork") return false;
      return trapped(() => (owner as Record<string, () => unknown>)[key]?.()) !== "AMBIENT_CALL, 1 noted";
    });
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it("also at names that were imported one by one", () => {
    expect([trapped(() => readFileSync("/nothing")), trapped(() => createServer())]).toEqual(["AMBIENT_CALL, 1 noted", "AMBIENT_CALL, 1 noted"]);
  });

  it("let a date of given numbers pass, and no other", () => {
    expect([trapped(() => new Date(0)), trapped(() => new Date()), trapped(() => Date()), trapped(() => Date.UTC(2026, 0))]).toEqual([
      "passed",
      "AMBIENT_CALL, 1 noted",
      "AMBIENT_CALL, 1 noted",
      "passed",
    ]);
    const traps = trapAmbient();
    const made = new Date(0);
    traps.restore();
    expect([made instanceof Date, made.getTime()]).toEqual([true, 0]);
  });

  it("put back what was there, whatever was thrown", () => {
    const before = behind();
    trapped(() => Math.random());
    const after = behind();
    expect(after).toHaveLength(before.length);
    // A descriptor is made anew at each look; what is in it is not.
    expect(after).toEqual(before);
    expect(after.slice(0, 4).every((one, at) => one === before[at])).toBe(true);
  });

  it("refuse to stand twice, and can be taken away twice", () => {
    const traps = trapAmbient();
    expect(() => trapAmbient()).toThrow("TRAPS_IN_USE: the traps are in place already, and can watch one run at a time. Await the other run, or restore its traps.");
    traps.restore();
    traps.restore();
    trapAmbient().restore();
  });

  it("name the function that handed a door on to the engine", () => {
    const traps = trapAmbient();
    const draw = (): number[] => [1].map(Math.random);
    expect(draw).toThrow(/^AMBIENT_CALL: Math\.random was called by draw \(node\/traps\.test\.ts:\d+:\d+\)\. Take `ids` from the ports and call `ids\.next\(prefix\)`\.$/);
    traps.restore();
  });
});
