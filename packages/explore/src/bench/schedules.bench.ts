/**
 * Schedules a second beside fast-check's scheduler, same model, same process, 200 schedules an iteration. Choices, trace and hash are
 * on, as in a search. Printed and read, never asserted: `pnpm bench:schedules`.
 */
import { asynchronousRunner, type Build, type CellState, createSimulation, createStream, type Execution, macrotasks, type Runner } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import fc from "fast-check";
import { bench, describe } from "vitest";
import { randomly } from "../strategies.ts";

const SCHEDULES = 200;

interface Shape {
  readonly tasks: number;
  readonly steps: number;
  /** Awaits of the code's own between two port calls. */
  readonly nested: number;
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

async function kernel(shape: Shape, runner: Runner): Promise<void> {
  const build = system(shape);
  let played = 0;
  await runner.run(
    (): Execution | undefined => {
      if (played >= SCHEDULES) return undefined;
      played += 1;
      return createSimulation(build, { chooser: randomly(createStream(played, "bench")) }).execution;
    },
    () => undefined,
  );
}

async function fastCheck({ tasks, steps, nested }: Shape, drain: (scheduler: fc.Scheduler, work: Promise<unknown>) => Promise<unknown>): Promise<void> {
  const ready = Promise.resolve();
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

const waitFor = (scheduler: fc.Scheduler, work: Promise<unknown>): Promise<unknown> => scheduler.waitFor(work);
const waitIdle = (scheduler: fc.Scheduler): Promise<void> => scheduler.waitIdle();
const waitOne = async (scheduler: fc.Scheduler): Promise<void> => {
  while (scheduler.count() > 0) await scheduler.waitOne();
};

const runner = await findRunner();
const macrotaskRunner = asynchronousRunner(macrotasks);


for (const [title, shape] of [
  ["3 tasks × 10 steps", { tasks: 3, steps: 10, nested: 0 }],
  ["3 tasks × 5 steps with three nested awaits between", { tasks: 3, steps: 5, nested: 3 }],
] as const) {
  describe(`${title}, ${SCHEDULES} schedules`, () => {
    bench(`kernel, ${runner.name}`, () => kernel(shape, runner));
    bench("kernel, macrotask", () => kernel(shape, macrotaskRunner));
    bench("fast-check, waitFor", () => fastCheck(shape, waitFor));
    bench("fast-check, waitIdle", () => fastCheck(shape, waitIdle));
    if (shape.nested === 0) bench("fast-check, waitOne", () => fastCheck(shape, waitOne));
  });
}
