/**
 * The two wirings of a guard test, in one vitest run. The project says which by `provide`:
 * `against` is the system that `subject` hands out, `protection` is what `protects` means.
 */
import { expect, inject, it, TestRunner } from "vitest";
import { type Facts, play as playScene, type Played, type Repro, type Scene, type Setting } from "@casebook/repro";

declare module "vitest" {
  interface ProvidedContext {
    /** Which of a case's systems `subject` is. */
    against: "fixed" | "broken";
    /** `must-hold`: `protects` is `it`. `must-fail`: the body has to fail an assertion. */
    protection: "must-hold" | "must-fail";
    /** Of a suite of rules: the system that is tried, by its name among those known to be wrong. Left out: the reference. */
    knownBad: string;
  }
  interface TaskMeta {
    /** What each played scene counted, for people who read `--against broken`. */
    counted?: string[];
    /** Set for tests that have to fail against the broken system. */
    protects?: true;
  }
}

/** The fixed system, or the broken one under `casebook test NNN --against broken`. */
export function subject<Parameters, Seen extends Facts>(
  repro: Repro<Parameters, Seen>,
): { readonly name: string; play(other?: Partial<Parameters>): Promise<Played<Seen>> } {
  const scene = inject("against") === "broken" ? repro.broken : repro.fixed;
  return { name: scene.name, play: (other) => play(repro, scene, other) };
}

/** As `play` of `@casebook/repro`, and notes what was counted on the running test. */
export async function play<Parameters, Seen extends Facts>(
  setting: Setting,
  scene: Scene<Parameters, Seen>,
  other?: Partial<Parameters>,
): Promise<Played<Seen>> {
  const played = await playScene(setting, scene, other);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta !== undefined) (meta.counted ??= []).push(`${labelOf(scene.name, other)}: ${countedLine(played.facts)}`);
  return played;
}

/** The scene, and what was changed about it. */
function labelOf(name: string, other: object | undefined): string {
  const changes = Object.entries(other ?? {}).map(([parameter, value]) => `${parameter}=${String(value)}`);
  return changes.length === 0 ? name : `${name} with ${changes.join(" ")}`;
}

function countedLine(facts: Facts): string {
  return Object.entries(facts)
    .map(([name, fact]) => `${name}=${fact !== null && typeof fact === "object" ? fact.join("+") || "none" : String(fact)}`)
    .join(" ");
}

/**
 * A test that must fail when it is wired to the broken system. It has to fail by an assertion: a body
 * that dies of a TypeError would protect nothing and still look red.
 */
export function protects(name: string, body: () => Promise<void> | void): void {
  if (inject("protection") === "must-hold") {
    it(name, async () => {
      const meta = TestRunner.getCurrentTest()?.meta;
      if (meta !== undefined) meta.protects = true;
      await body();
    });
    return;
  }
  it(`fails on the broken system: ${name}`, async () => {
    const thrown = await failureOf(body);
    if (thrown === undefined) {
      expect.fail(`PROTECTS_NOTHING: "${name}" passes against the broken system. Assert what the fix changes.`);
    }
    if (!isAssertion(thrown)) {
      throw new Error(`FAILED_FOR_THE_WRONG_REASON: "${name}" did not fail an assertion against the broken system.`, {
        cause: thrown,
      });
    }
  });
}

async function failureOf(body: () => Promise<void> | void): Promise<unknown> {
  try {
    await body();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

function isAssertion(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "AssertionError";
}
