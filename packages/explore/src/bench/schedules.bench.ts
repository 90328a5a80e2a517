/**
 * Schedules a second beside fast-check's scheduler, same model, same process, 200 schedules an iteration. Choices, trace and hash are
 * on, as in a search. Printed and read, never asserted: `pnpm bench:schedules`.
 */
import { asynchronousRunner, type Build, type CellState, createSimulation, createStream, type Execution, macrotasks, type Runner } from "@casebook/sim/kernel";
import { findRunner, tickRunner } from "@casebook/sim/node";
import fc from "fast-check";
import { Volume } from "memfs";
import { bench, describe } from "vitest";
import { randomly } from "../strategies.ts";

const SCHEDULES = 200;

interface Shape {
  readonly tasks: number;
  readonly steps: number;
  /** Awaits of the code's own between two port calls. */
  readonly nested: number;
}

const FILES = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`/state/file-${String(at).padStart(2, "0")}`, "x".repeat(200)]));
const volume = Volume.fromJSON(FILES);

/** 20 disk calls of three tasks on a disk of 20 files, which every schedule begins with anew. */
const onDisk: Build<number> = (space) => {
  space.disk("box", volume);
  for (let task = 0; task < 3; task += 1) {
    space.process(`task-${task}`, async ({ disk }) => {
      const own = `/state/file-0${task}`;
      const file = await disk.open(`${own}.tmp`, "wx");
      await file.write(new Uint8Array(200));
      await file.sync();
      await file.close();
      await disk.rename(`${own}.tmp`, own);
      await disk.syncDirectory("/state");
      if (task < 2) await disk.unlink(`/state/file-1${task}`);
    }, { host: "box" });
  }
  return { facts: () => 0 };
};

/** The same calls on a fresh memfs volume, which is what a user of fast-check has today. */
async function fastCheckOnMemfs(): Promise<void> {
  for (const scheduler of fc.sample(fc.scheduler(), { numRuns: SCHEDULES, seed: 1 })) {
    const disk = Volume.fromJSON(FILES).promises;
    const step = async <T>(work: () => Promise<T>): Promise<T> => scheduler.schedule(ready).then(work);
    const work = Array.from({ length: 3 }, async (_, task) => {
      const own = `/state/file-0${task}`;
      const file = await step(() => disk.open(`${own}.tmp`, "wx"));
      await step(() => file.write(Buffer.alloc(200)));
      await step(() => file.datasync());
      await step(() => file.close());
      await step(() => disk.rename(`${own}.tmp`, own));
      await step(async () => undefined);
      if (task < 2) await step(() => disk.unlink(`/state/file-1${task}`));
    });
    await waitOneAndDrain(scheduler, Promise.all(work));
  }
}

const ready = Promise.resolve();

/** memfs answers later than a microtask, so one turn of the event loop a step. */
async function waitOneAndDrain(scheduler: fc.Scheduler, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  void work.then(() => (isOver = true));
  while (!isOver) {
    if (scheduler.count() > 0) await scheduler.waitOne();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function system({ tasks, steps, nested }: Shape): Build<number> {
  return (space) => {
    const cells = Array.from({ length: tasks }, (_, at) => space.cell(`cell-${at}`, 0));
    for (let task = 0; task < tasks; task += 1) {
      space.process(`task-${task}`, async (ports) => {
        const cell = ports.cell(cells[task] as CellState<number>);
        for (let step = 0; step < steps; step += 1) {
          await cell.write(step);
          if (nested > 0) await deep(nested);
        }
      });
    }
    return { facts: () => cells.reduce((sum, { value }) => sum + value, 0) };
  };
}

async function deep(levels: number): Promise<void> {
  if (levels > 1) await deep(levels - 1);
  else await Promise.resolve();
}

const kernel = (shape: Shape, runner: Runner): Promise<void> => schedules(system(shape), runner);

async function schedules(build: Build<number>, runner: Runner): Promise<void> {
  // Of one search: a volume is read once.
  const templates: Parameters<typeof createSimulation<number>>[2] = new Map();
  let played = 0;
  await runner.run(
    (): Execution | undefined => {
      if (played >= SCHEDULES) return undefined;
      played += 1;
      return createSimulation(build, { chooser: randomly(createStream(played, "bench")) }, templates).execution;
    },
    () => undefined,
  );
}

async function fastCheck({ tasks, steps, nested }: Shape, drain: (scheduler: fc.Scheduler, work: Promise<unknown>) => Promise<unknown>): Promise<void> {
  const schedulers = fc.sample(fc.scheduler(), { numRuns: SCHEDULES, seed: 1 });
  for (const scheduler of schedulers) {
    const cells = Array.from({ length: tasks }, () => 0);
    let left = tasks;
    const work = Array.from({ length: tasks }, async (_, task) => {
      for (let step = 0; step < steps; step += 1) {
        await scheduler.schedule(ready);
        cells[task] = step;
        if (nested > 0) await deep(nested);
      }
      left -= 1;
    });
    await drain(scheduler, Promise.all(work));
    if (left > 0) throw new Error("a task did not end");
  }
}

/** The floor: the same awaits with nobody who decides anything. */
async function bare({ tasks, steps, nested }: Shape): Promise<void> {
  for (let schedule = 0; schedule < SCHEDULES; schedule += 1) {
    const cells = Array.from({ length: tasks }, () => 0);
    const work = async (_: unknown, task: number): Promise<void> => {
      for (let step = 0; step < steps; step += 1) {
        await ready;
        cells[task] = step;
        if (nested > 0) await deep(nested);
      }
    };
    await Promise.all(cells.map(work));
  }
}

const waitFor = (scheduler: fc.Scheduler, work: Promise<unknown>): Promise<unknown> => scheduler.waitFor(work);
const waitIdle = (scheduler: fc.Scheduler): Promise<void> => scheduler.waitIdle();
const waitOne = async (scheduler: fc.Scheduler): Promise<void> => {
  while (scheduler.count() > 0) await scheduler.waitOne();
};

const runner = await findRunner();
const ticks = tickRunner();
const macrotaskRunner = asynchronousRunner(macrotasks);

for (const [title, shape] of [
  ["3 tasks × 10 steps", { tasks: 3, steps: 10, nested: 0 }],
  ["3 tasks × 5 steps with three nested awaits between", { tasks: 3, steps: 5, nested: 3 }],
] as const) {
  describe(`${title}, ${SCHEDULES} schedules`, () => {
    bench(`kernel, ${runner.name}`, () => kernel(shape, runner));
    bench(`kernel, ${ticks.name}`, () => kernel(shape, ticks));
    bench("kernel, macrotask", () => kernel(shape, macrotaskRunner));
    bench("no scheduler, bare awaits", () => bare(shape));
    bench("fast-check, waitFor", () => fastCheck(shape, waitFor));
    bench("fast-check, waitIdle", () => fastCheck(shape, waitIdle));
    if (shape.nested === 0) bench("fast-check, waitOne", () => fastCheck(shape, waitOne));
  });
}

describe(`20 disk calls on 20 files, ${SCHEDULES} schedules`, () => {
  bench(`kernel, ${runner.name}`, () => schedules(onDisk, runner));
  bench("fast-check, waitFor, 20 steps and no files", () => fastCheck({ tasks: 2, steps: 10, nested: 0 }, waitFor));
  bench("fast-check, waitOne, fresh memfs volume", fastCheckOnMemfs);
});
