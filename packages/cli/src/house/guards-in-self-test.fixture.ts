/**
 * The self-test against guards that lie. Run by `guards-in-self-test.real.ts`, in a vitest that lets `globalThis.lyingGuard`
 * speak for one guard inside `defineGuard`, below everything that the self-test is made of.
 */
import { fixtureTrees, GUARD_IDS, selfTest } from "@casebook/doctor";
import { expect, it } from "vitest";

export interface LyingGuard {
  readonly id: string;
  readonly lie: "mute" | "always alarming";
}

/** The doctor asks these only where something is wrong already (no JSON; a version that it does not know), so a false alarm of theirs is never heard. */
const ASKED_WHEN_ILL: readonly string[] = ["registry/parity", "registry/unsupported-version"];

async function failedWith(lyingGuard: LyingGuard): Promise<string[]> {
  const all = globalThis as { lyingGuard?: LyingGuard };
  const [honest = ""] = GUARD_IDS.filter((id) => id !== lyingGuard.id);
  all.lyingGuard = lyingGuard;
  try {
    const results = await selfTest(fixtureTrees(), { only: [lyingGuard.id, honest] });
    return results.filter(({ verdict }) => verdict === "FAIL").map(({ id }) => id);
  } finally {
    delete all.lyingGuard;
  }
}

it.each(GUARD_IDS)("fails for %s alone when it is mute", async (id) => {
  expect(await failedWith({ id, lie: "mute" })).toEqual([id]);
});

it.each(GUARD_IDS)("fails for %s alone when it always alarms, if a healthy tree ever asks it", async (id) => {
  expect(await failedWith({ id, lie: "always alarming" })).toEqual(ASKED_WHEN_ILL.includes(id) ? [] : [id]);
});
