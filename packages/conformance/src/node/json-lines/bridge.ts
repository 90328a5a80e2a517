/**
 * A program behind the adapter. Each life of a process is a program of its own; when the world kills a process, its program hears no
 * answer any more and is stopped at the latest when the next begins. Comes with the runner that waits for programs between steps.
 */
import { asynchronousRunner, type Runner } from "@casebook/sim/kernel";
import { errorCode } from "@casebook/ports";
import type { AdapterPorts, DispatcherAdapter, DispatcherUnderTest } from "../../dispatch/adapter.ts";
import { type Child, type Program, startChild } from "./child.ts";
import { ASKS, type Line } from "./protocol.ts";

export interface Bridge {
  readonly adapter: DispatcherAdapter;
  readonly runner: Runner;
  close(): void;
}

export type Manifest = Pick<DispatcherAdapter, "name" | "version" | "capabilities" | "limits">;

export function createBridge(program: Program, manifest: Manifest): Bridge {
  const children = new Map<string, Child>();
  let busy = 0;
  const atRest: (() => void)[] = [];
  const change = (by: 1 | -1): void => {
    busy += by;
    if (busy === 0) for (const look of atRest.splice(0)) setImmediate(look);
  };

  return {
    adapter: { ...manifest, create },
    runner: asynchronousRunner({
      name: "json-lines",
      whenAtRest(goOn) {
        // A turn of the event loop, so that what the last line set in motion has asked for its next.
        const look = (): void => void (busy === 0 ? goOn() : atRest.push(look));
        setImmediate(look);
      },
    }),
    close() {
      for (const child of children.values()) child.kill();
      children.clear();
    },
  };

  async function create(ports: AdapterPorts): Promise<DispatcherUnderTest> {
    children.get(ports.name)?.kill();
    const child = startChild(program, change);
    children.set(ports.name, child);
    const call = createCalls(child, ports);
    await call("create", { name: ports.name, keys: ports.sessions.keys, trust: ports.trust });
    return {
      submit: (task) => call("submit", { task }) as Promise<never>,
      tick: async () => void (await call("tick", {})),
      tell: (notice) => call("tell", { notice }) as Promise<never>,
      observe: () => call("observe", {}) as Promise<never>,
    };
  }
}

function createCalls(child: Child, ports: AdapterPorts) {
  let number = 0;
  return async (name: string, facts: Line): Promise<unknown> => {
    number += 1;
    const now = () => ({ nowMs: ports.clock.now() });
    let line = await child.exchange({ call: number, do: name, ...facts, ...now() });
    while ("ask" in line) {
      const answer = await answerTo(ports, line);
      line = await child.exchange({ ...answer, ...now() });
    }
    if ("throw" in line) throw new Error(String(line["throw"]));
    return line["return"];
  };
}

async function answerTo(ports: AdapterPorts, line: Line): Promise<Line> {
  const ask = ASKS[String(line["ask"])];
  if (ask === undefined) return { error: "EINVAL", says: `there is no ${String(line["ask"])}; there are ${Object.keys(ASKS).join(", ")}` };
  try {
    return { answer: (await ask(ports, line)) ?? null };
  } catch (failure) {
    return { error: errorCode(failure) || "EIO", says: failure instanceof Error ? failure.message : String(failure) };
  }
}
