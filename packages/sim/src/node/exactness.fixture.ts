/** Plays random programs under several barriers, and says which differ from the strictest. */
import { asynchronousRunner, createStream, macrotasks, type Runner } from "../kernel/index.ts";
import { createSimulation } from "../kernel/simulation.ts";
import { immediates, synchronousBarrier, tickBarrier } from "./barriers.ts";
import { randomProgram, type Spice, tickBy } from "./random-program.fixture.ts";
import { synchronousRunner, watchingRunner } from "./runner.ts";

interface Seen {
  readonly hash: string;
  readonly steps: number;
  readonly choices: readonly number[];
  readonly events: readonly string[];
  readonly escapes: readonly string[];
}

async function playUnder(runner: Runner, seeds: readonly number[], spice: Spice): Promise<Seen[]> {
  const seen: Seen[] = [];
  let at = 0;
  let events: string[] = [];
  await runner.run(
    () => {
      const seed = seeds[at];
      if (seed === undefined) return undefined;
      at += 1;
      events = [];
      const build = randomProgram(createStream(seed, "program"), spice, events);
      const schedule = createStream(seed, "schedule");
      const chooser = { choose: (ready: readonly unknown[]) => (ready.length === 1 ? 0 : schedule.below(ready.length)) };
      return createSimulation((space) => (build(space), { facts: () => undefined }), { chooser, maxSteps: 500 }).execution;
    },
    (execution) =>
      void seen.push({
        hash: execution.hash(),
        steps: execution.steps.length,
        choices: [...execution.choices],
        events,
        escapes: execution.escapes.map(({ what, process, says }) => `${what} ${process} ${says}`),
      }),
  );
  return seen;
}

export interface Compared {
  readonly programs: number;
  readonly steps: number;
  readonly rejections: number;
  /** For each barrier: programs that differ from `setImmediate`, by seed. */
  readonly differing: Readonly<Record<string, readonly number[]>>;
}

export async function compareAll(first: number, count: number, spice: Spice): Promise<Compared> {
  const seeds = Array.from({ length: count }, (_, at) => first + at);
  tickBy((callback) => process.nextTick(callback));
  const strict = await playUnder(watchingRunner(immediates), seeds, spice);
  const differing: Record<string, number[]> = {};
  const compare = async (runner: Runner): Promise<void> => {
    const seen = await playUnder(runner, seeds, spice);
    differing[runner.name] = seeds.filter((_, at) => JSON.stringify(seen[at]) !== JSON.stringify(strict[at]));
  };
  const checkpoint = await synchronousBarrier();
  if (checkpoint !== undefined) await compare(synchronousRunner(checkpoint));
  // Hears of rejections from nobody: that is the other runner's.
  if (spice !== "rejections") await compare(asynchronousRunner(macrotasks));
  const ticks = tickBarrier();
  try {
    await compare(watchingRunner(ticks));
  } finally {
    ticks.uninstall();
  }
  const rejections = strict.reduce((sum, { escapes }) => sum + escapes.length, 0);
  return { programs: count, steps: strict.reduce((sum, { steps }) => sum + steps, 0), rejections, differing };
}
