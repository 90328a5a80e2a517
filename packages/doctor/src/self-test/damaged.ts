/** A fixture and its damage as a pair to plant. */
import { FIXTURE_NOW_MS, FIXTURE_ZONE, type Fixture } from "../presets/fixtures/fixture.ts";
import { memoryTree } from "../trees/index.ts";
import type { GuardTrees, Planted } from "./planted.ts";

/** `nowMs` and `twinNowMs`: when the bad tree is looked at, and when its twin. */
export function damaged(
  guard: string,
  what: string,
  bad: Fixture,
  healthy: Fixture,
  nowMs: number = FIXTURE_NOW_MS,
  twinNowMs: number = FIXTURE_NOW_MS,
): GuardTrees {
  return {
    guard,
    bad: () => planted(`${healthy.preset}: ${what}`, bad, nowMs),
    healthy: () => planted(`${healthy.preset}, healthy`, healthy, twinNowMs),
  };
}

function planted(title: string, { files, places, presets }: Fixture, nowMs: number): Planted {
  return { title, tree: memoryTree(files), places, ...(presets === undefined ? {} : { presets }), nowMs, zone: FIXTURE_ZONE };
}
