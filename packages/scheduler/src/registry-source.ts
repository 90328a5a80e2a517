/**
 * A task source over a registry on disk. A registry that gives no list is "no answer", never "no tasks".
 * Models one writer: stamps of one process wait for each other, so that none finds the file changed under it.
 */
import type { Ports } from "@casebook/ports";
import { type LoaderPolicy, readRegistry, type RegistryLocation, stampRun } from "@casebook/registry";
import { createSerial } from "./serial.ts";
import type { TaskSource } from "./task-source.ts";

/**
 * `list` and `read` reject with REGISTRY_REJECTED, REGISTRY_UNREADABLE or REGISTRY_ABSENT when the reading has no entries
 * to offer; `stamp` rejects with the code of the refused write.
 */
export function createRegistrySource(
  ports: Pick<Ports, "disk" | "ids" | "log" | "faults">,
  location: RegistryLocation,
  loader: LoaderPolicy,
): TaskSource {
  const oneAtATime = createSerial();

  async function load() {
    const reading = await readRegistry(ports, location, loader);
    if (reading.outcome === "loaded") return reading.loaded;
    throw coded(`REGISTRY_${reading.outcome.toUpperCase()}`, `${location.path} gave no tasks (${reading.problem.code}).`);
  }

  return {
    list: load,
    async read(id) {
      return (await load()).find((task) => task.id === id);
    },
    stamp: (id, atMs) =>
      oneAtATime(async () => {
        const result = await stampRun(ports, location, id, atMs);
        if (result.outcome !== "written") throw coded(result.code, result.say);
      }),
  };
}

function coded(code: string, say: string): Error {
  return Object.assign(new Error(`${code}: ${say}`), { code });
}
