/**
 * What a case is made of, scenes that differ in one thing and the facts each must show, and how a scene is played: in a
 * world of its own. Same scene, same parameters: same facts, same trace. Prints nothing; that is `/node`.
 */
import { createWorld, type Volume, type World } from "@casebook/sim";

/** A fact is small and countable: a number, a word, or a sorted list of words. `null`: it was looked for, and there was none. */
export type Fact = string | number | boolean | null | readonly string[];
export type Facts = Readonly<Record<string, Fact>>;

export interface Scene<Parameters, Seen extends Facts> {
  /** Printed as `mode=<name>`; unique within its case. */
  readonly name: string;
  /** What is on disk before the first step. Left out: nothing. */
  disk?(parameters: Parameters): Volume;
  /** The story. Everything it uses comes from the world. */
  run(world: World, parameters: Parameters): Promise<Seen>;
  readonly with: Parameters;
  /** What the case's README says one sees when the scene is played with its own parameters. */
  readonly expect: Seen;
}

export interface Repro<Parameters, Seen extends Facts> {
  /** Three digits. */
  readonly id: string;
  /** The mechanism in one sentence. */
  readonly claim: string;
  readonly seed: number;
  /** The instant at which every scene starts, ISO-8601. */
  readonly epoch: string;
  readonly broken: Scene<Parameters, Seen>;
  readonly fixed: Scene<Parameters, Seen>;
  readonly control: Scene<Parameters, Seen>;
  /** The scenes a plain run plays, in the order of the page. */
  readonly shown: readonly Scene<Parameters, Seen>[];
  /** Further scenes, played under `--all` only. */
  readonly more: readonly Scene<Parameters, Seen>[];
  /** The counter lines, from what was seen and from nothing else. */
  print(seen: readonly SeenInScene<Seen>[]): string[];
}

export interface SeenInScene<Seen extends Facts> {
  readonly name: string;
  readonly facts: Seen;
}

/** Checks what the types cannot: names that clash, a scene that is played nowhere. */
export function defineRepro<Parameters, Seen extends Facts>(
  repro: Repro<Parameters, Seen>,
): Repro<Parameters, Seen> {
  const all = [...repro.shown, ...repro.more];
  const names = all.map((scene) => scene.name);
  for (const name of names) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      throw new Error(`SCENE_TWICE: case ${repro.id} has two scenes named "${name}". Rename one.`);
    }
  }
  for (const role of ["broken", "fixed", "control"] as const) {
    if (!all.includes(repro[role])) {
      throw new Error(
        `SCENE_UNPLAYED: case ${repro.id} never plays its ${role} scene "${repro[role].name}". Add it to \`shown\` or \`more\`.`,
      );
    }
  }
  return repro;
}

export interface Played<Seen extends Facts> {
  readonly scene: string;
  readonly facts: Seen;
  readonly traceHash: string;
  readonly log: World["log"];
  /** The world's time when the scene had ended. */
  readonly endedAtMs: number;
  /** What the scene left on disk, as a memfs volume of its own. */
  volume(): Volume;
}

/** The part of a case that `play` needs; a whole `Repro` fits. */
export type Setting = Pick<Repro<never, Facts>, "id" | "seed" | "epoch">;

/** Plays a scene in a world of its own. `other` replaces single parameters of the scene: `{ tasks: 9, bad: 2 }`. */
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
    endedAtMs: world.ports.clock.now(),
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
