/** Prints a trace hash for each of some executions: for comparing barriers, zones, languages, folders and Node versions. */
import { asynchronousRunner, createStream, macrotasks, type Runner } from "@casebook/sim/kernel";
import { findRunner, immediates, tickBarrier } from "@casebook/sim/node";
import { playAlone, randomly, simulationOf } from "../index.ts";
import { claimRace, depthThree, lostUpdate, zombie } from "./models.ts";
import { randomSystem } from "./random-system.ts";

const models = [lostUpdate({ processes: 2, steps: 3 }), zombie(5), depthThree(), claimRace(3)].map((system) => ({ system: system as never, faults: [] }));
const systems = [...models, ...Array.from({ length: 60 }, (_, at) => randomSystem(at + 1) as never)] as { system: never; faults: never[] }[];

for (const { system, faults } of systems) {
  const { execution } = simulationOf(system, randomly(createStream(7, "hashes")), faults);
  await playAlone(execution, await runnerCalled(process.argv[2]));
  process.stdout.write(`${(system as { name: string }).name} ${execution.steps.length} ${execution.hash()}\n`);
}

async function runnerCalled(name: string | undefined): Promise<Runner> {
  switch (name) {
    case "setImmediate":
      return asynchronousRunner(immediates);
    case "macrotask":
      return asynchronousRunner(macrotasks);
    case "nextTick": {
      const barrier = tickBarrier();
      const runner = asynchronousRunner(barrier);
      return {
        name: runner.name,
        run: (next, done) => runner.run(next, done).finally(() => barrier.uninstall()),
      };
    }
    default:
      return findRunner();
  }
}
