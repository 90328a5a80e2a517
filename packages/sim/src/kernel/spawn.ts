/** One process begins another that stands ready to be begun. Models a machine that starts what it is told; leaves out images and warm-up. */
import { WorldError } from "../world-options.ts";
import type { Execution } from "./execution.ts";
import type { OperationPlan } from "./operation.ts";
import { isAlive } from "./process-state.ts";

export function spawnPlan(execution: Execution, name: string): OperationPlan<"started" | "running"> {
  const process = execution.processes.find((one) => one.name === name && one.isSpawned);
  if (process === undefined) {
    const known = execution.processes.filter(({ isSpawned }) => isSpawned).map((one) => one.name);
    throw new WorldError("SPAWN_NO_SUCH_PROCESS", `no process ${JSON.stringify(name)} stands ready to be begun; there are ${known.join(", ") || "none"}. Put it in with isSpawned.`);
  }
  return {
    name: "process.spawn",
    object: name,
    isRemote: true,
    // What is delivered to it before and what behind are two different things.
    reach: "world",
    effect() {
      if (process.host.status !== "up") throw Object.assign(new Error(`SPAWN_FAILED: host ${process.host.name} of ${name} does not answer. Start another.`), { code: "SPAWN_FAILED" });
      if (isAlive(process) || process.status === "restarting") return "running";
      execution.begin(process);
      return "started";
    },
  };
}
