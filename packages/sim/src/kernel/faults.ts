/** What each kind of fault does at a point. All that it undoes later, by time or by the heal phase, goes through the world's clock. */
import { DiskError } from "@casebook/ports";
import { ARMED_FAULTS, type ArmedFault, type FaultKind, DEFAULT_FOR_MS, DEFAULT_JUMP_MS } from "./armed-fault.ts";
import type { Execution } from "./execution.ts";
import { closeConnections } from "./network.ts";
import { HELD, type Operation, type OperationPlan } from "./operation.ts";
import { isAlive, isGone, type ProcessState } from "./process-state.ts";
import { beginTrouble, type ServiceState } from "./service.ts";
import { WorldError } from "../world-options.ts";

/** `faults.reach` as an operation: free unless something is armed at the point. */
export function reachPlan(execution: Execution, process: ProcessState, point: string): OperationPlan<void> {
  if (!execution.isArmed(point)) {
    return { name: "faults.reach", object: point, effect: () => void execution.faultAt(point, process.name, "point") };
  }
  return {
    name: "faults.reach",
    object: point,
    // Which reach is the nth, and which lets a held one go, depends on the order of all of them.
    shared: ARMED_FAULTS,
    access: "write",
    reach: widest(execution, point),
    effect: (operation) => {
      release(execution, point);
      const fault = execution.faultAt(point, process.name, "point");
      return fault === undefined ? undefined : strike(execution, process, fault, operation);
    },
  };
}

/** How far a fault of this kind reaches beyond its own process. A kill reaches its peers through messages only. */
const REACH: Partial<Record<FaultKind, "host" | "world">> = {
  "host-dead": "host",
  "host-unreachable": "world",
  "disk-full": "host",
  "clock-jump": "host",
  "clock-back": "host",
  "clock-freeze": "host",
  "service-away": "world",
  "service-slow": "world",
  "service-refuses": "world",
  "service-full": "world",
  "service-stale": "world",
};

function widest(execution: Execution, point: string): "host" | "world" | undefined {
  const reaches = execution.faults.filter(({ fault }) => fault.at === point).map(({ fault }) => REACH[fault.kind]);
  return (["world", "host"] as const).find((reach) => reaches.includes(reach));
}

function release(execution: Execution, point: string): void {
  for (const held of execution.rare.held.splice(0)) {
    if (held.until === point) held.release();
    else execution.rare.held.push(held);
  }
}

export function strike(execution: Execution, process: ProcessState, fault: ArmedFault, operation: Operation): void | typeof HELD {
  const forMs = fault.forMs ?? DEFAULT_FOR_MS;
  const { life, host } = process;
  const later = (name: string, effect: () => void, resumes = false): void => {
    execution.clock.wait(forMs, undefined, () => {
      execution.parkOfWorld(process, { name, object: process.name, reach: REACH[fault.kind], resumes, effect });
    });
  };
  /** Undone when its time is up or by the heal phase, whichever comes first. */
  const until = (name: string, undo: () => void): void => {
    execution.rare.mend.push(undo);
    later(name, undo);
  };
  /** Lets the caller go on, unless it died meanwhile. */
  const goOn = (): void => {
    if (process.life === life && !isGone(process)) operation.resolve(undefined);
  };
  switch (fault.kind) {
    case "error":
      throw new DiskError(fault.errno ?? "EIO", "reach", fault.at);
    case "hang":
      process.hangs += 1;
      return HELD;
    case "slow":
      later("faults.slow-ends", goOn, true);
      return HELD;
    case "hold":
      execution.rare.held.push({
        operation,
        until: fault.until,
        release: () => execution.parkOfWorld(process, { name: "faults.go-on", object: fault.at, resumes: true, effect: goOn }),
      });
      return HELD;
    case "kill":
      kill(execution, process);
      return HELD;
    case "kill-restart":
      kill(execution, process);
      process.status = "restarting";
      later("process.restart", () => {
        // Its host may have died meanwhile.
        if (process.status === "restarting") execution.begin(process);
      });
      return HELD;
    case "stop-continue":
      // It stopped before what follows the point: even the time that it reads next is that of its return.
      stopFor(execution, process, forMs, goOn);
      return HELD;
    case "host-dead":
      killHost(execution, process);
      return HELD;
    case "host-unreachable":
      host.status = "unreachable";
      until("host.reconnect", () => {
        if (host.status === "unreachable") host.status = "up";
      });
      return undefined;
    case "disk-full":
      host.isDiskFull = true;
      until("disk.freed", () => void (host.isDiskFull = false));
      return undefined;
    case "clock-back":
      host.clockOffsetMs -= fault.byMs ?? DEFAULT_JUMP_MS;
      return undefined;
    case "clock-freeze":
      host.clockFrozenAtMs = execution.nowMs(host);
      // Somebody sets it right, as a time service does.
      until("clock.goes-on", () => void (host.clockFrozenAtMs = undefined));
      return undefined;
    case "clock-jump":
      host.clockOffsetMs += fault.byMs ?? DEFAULT_JUMP_MS;
      return undefined;
    case "service-away":
    case "service-slow":
    case "service-refuses":
    case "service-full":
    case "service-stale":
      beginTrouble(execution, process, serviceOf(execution, fault), fault.kind, forMs, fault.byMs);
      return undefined;
    default:
      // Kinds of links are never handed out at a point, and no point but a call has an answer to lose.
      return undefined;
  }
}

function serviceOf(execution: Execution, fault: ArmedFault): ServiceState {
  const { services } = execution.rare;
  const service = services.get(fault.service ?? "");
  if (service !== undefined) return service;
  throw new WorldError(
    "FAULT_NEEDS_SERVICE",
    `${fault.kind} at ${fault.at} names the service ${JSON.stringify(fault.service ?? "")}; there are ${[...services.keys()].join(", ") || "none"}. Write service: with one of them.`,
  );
}

/** Continued when its time is up, or by the heal phase. */
export function stopFor(execution: Execution, process: ProcessState, forMs: number, goOn: () => void = () => undefined): void {
  const { life } = process;
  process.status = "stopped";
  const undo = (): void => {
    if (process.status !== "stopped" || process.life !== life) return;
    process.status = "running";
    goOn();
  };
  execution.rare.mend.push(undo);
  execution.clock.wait(forMs, undefined, () => execution.parkOfWorld(process, { name: "process.continue", object: process.name, effect: undo }));
}

/** Nothing is closed and nothing is said. */
function killHost(execution: Execution, { host }: ProcessState): void {
  for (const one of execution.processes.filter((other) => other.host === host)) {
    if (isAlive(one) || one.status === "restarting") one.status = "killed";
    execution.forget(one);
  }
  host.status = "dead";
}

/** Its calls never settle again; its peers see its connections close, in one delivery step each. */
export function kill(execution: Execution, process: ProcessState): void {
  process.status = "killed";
  execution.forget(process);
  closeConnections(execution, process);
}
