/** Plays a scene in a world of its own. Same scene, same parameters: same facts, same trace. */
import { createWorld, type Volume, type World } from "@casebook/sim";

import type { Fact, Facts, Repro, Scene } from "./repro.ts";

export interface Played<Seen extends Facts> {
  readonly scene: string;
  readonly facts: Seen;
  readonly traceHash: string;
  readonly log: World["log"];
  /** What the scene left on disk, as a memfs volume of its own. */
  volume(): Volume;
}

/** The part of a case that `play` needs; a whole `Repro` fits. */
export type Setting = Pick<Repro<never, Facts>, "id" | "seed" | "epoch">;

/** `other` replaces single parameters of the scene: `{ tasks: 9, bad: 2 }`. */
export async function play<Parameters, Seen extends Facts>(
  setting: Setting,
  scene: Scene<Parameters, Seen>,
  other?: Partial<Parameters>,
): Promise<Played<Seen>> {
  const parameters: Parameters = { ...scene.with, ...other };
  const volume = scene.disk?.(parameters);
  const world = createWorld({
    seed: setting.seed,
    epoch: setting.epoch,
    ...(volume === undefined ? {} : { volume }),
  });
  // The run's own ports, which are dead once it has ended: a forgotten strand can count nothing afterwards.
  const facts = await world.run((ports) => scene.run({ ...world, ports }, parameters));
  return {
    scene: scene.name,
    facts,
    traceHash: world.trace.hash(),
    log: world.log,
    volume: () => world.volume(),
  };
}

/** The first fact that is not as it should be, in the order in which `expected` lists them; undefined when all are. */
export function firstDifference(
  expected: Facts,
  seen: Facts,
): { fact: string; expected: string; seen: string } | undefined {
  const names = [...Object.keys(expected), ...Object.keys(seen).filter((name) => !(name in expected))];
  for (const fact of names) {
    const difference = { fact, expected: show(expected[fact]), seen: show(seen[fact]) };
    if (difference.expected !== difference.seen) return difference;
  }
  return undefined;
}

function show(fact: Fact | undefined): string {
  return fact === undefined ? "nothing" : JSON.stringify(fact);
}
