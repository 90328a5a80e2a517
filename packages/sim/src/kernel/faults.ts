/** What each kind of fault does at a point. All that it undoes later, by time or by the heal phase, goes through the world's clock. */
import { DiskError } from "@casebook/ports";
import { applyImage, crashImages } from "../disk/images.ts";
import { ARMED_FAULTS, type ArmedFault, DEFAULT_FOR_MS, DEFAULT_JUMP_MS, DISK_POINT, REACH, STEP } from "./armed-fault.ts";
import type { AtStep, Execution } from "./execution.ts";
import { closeConnections, loseInbox } from "./network.ts";
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
      return fault === undefined ? undefined : strike(execution, process, fault, operation, () => operation.resolve(undefined));
    },
  };
}

/** What a call at the disk port can have done to it. */
export interface DiskCall<T> {
  readonly work: () => T;
  /** Of a write: half of it. */
  readonly half?: (() => T) | undefined;
  /** Told when an error comes in place of the work. */
  readonly refused?: (() => void) | undefined;
}

/** The effect of a call at the disk port with what is armed at it. */
export function withDiskFaults<T>(execution: Execution, process: ProcessState, name: string, object: string, call: DiskCall<T>): (operation: Operation) => T {
  return (operation) => {
    const fault = execution.faultAt(name, process.name, "point");
    if (fault === undefined) return call.work();
    if (fault.kind === "error") {
      call.refused?.();
      execution.noteStruck(fault);
      throw new DiskError(fault.errno ?? "EIO", name.slice(DISK_POINT.length), object);
    }
    execution.rare.due.set(operation, fault);
    return fault.kind === "short-write" || fault.kind === "torn-write" ? (call.half ?? call.work)() : call.work();
  };
}

/** For an execution in which something is armed that strikes once a call has taken effect; else undefined. */
export function strikesAtSteps(execution: Execution): AtStep | undefined {
  if (!execution.faults.some(({ fault: { at } }) => at === STEP || at.startsWith(DISK_POINT))) return undefined;
  const isAtSteps = execution.isArmed(STEP);
  return (operation, settle) => {
    const { process } = operation;
    const { due } = execution.rare;
    const fault = due.get(operation) ?? (isAtSteps ? execution.faultAt(STEP, process.name, "point") : undefined);
    due.delete(operation);
    if (fault === undefined) return undefined;
    execution.noteStruck(fault);
    return strike(execution, process, fault, operation, settle) === HELD ? HELD : undefined;
  };
}

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

/** `settle` lets the caller go on. */
export function strike(execution: Execution, process: ProcessState, fault: ArmedFault, operation: Operation, settle: () => void): void | typeof HELD {
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
    if (process.life === life && !isGone(process)) settle();
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
    case "torn-write":
    case "kill-restart":
      kill(execution, process);
      process.status = "restarting";
      later("process.restart", () => {
        // Its host may have died meanwhile, or lost its power: then the host starts it, or has.
        if (process.status === "restarting" && process.life === life && host.status !== "dead") execution.begin(process);
      });
      return HELD;
    case "stop-continue":
      // A strand that its process left behind may come to a step: there is nothing left to stop, and nothing to go on.
      if (!isAlive(process)) return undefined;
      process.status = "stopped";
      until("process.continue", () => {
        if (process.status !== "stopped" || process.life !== life) return;
        process.status = "running";
        // It stopped before what follows the point: even the time that it reads next is that of its return.
        goOn();
      });
      return HELD;
    case "host-dead":
      for (const one of loseHost(execution, process)) one.status = "killed";
      return HELD;
    case "power-loss": {
      const restarting = loseHost(execution, process);
      for (const one of restarting) one.status = "restarting";
      later("host.restart", () => {
        host.status = "up";
        for (const one of restarting) execution.begin(one);
      });
      return HELD;
    }
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

/** Nothing is closed and nothing is said; the disk keeps what a choice says. Answers the processes that were there to lose. */
function loseHost(execution: Execution, process: ProcessState): readonly ProcessState[] {
  const { host } = process;
  const here = execution.processes.filter((other) => other.host === host);
  const lost = here.filter((one) => isAlive(one) || one.status === "restarting");
  host.status = "dead";
  for (const one of here) {
    execution.forget(one);
    loseInbox(execution, one);
  }
  const { store } = host;
  if (store === undefined || execution.options.durability !== "posix-min") return lost;
  const images = crashImages(store);
  execution.parkAlternatives(
    process,
    images.map((image) => ({
      name: "disk.crash-image",
      object: image.label,
      reach: "host",
      effect: () => applyImage(store, image),
    })),
  );
  return lost;
}

/** Its calls never settle again; its peers see its connections close, in one delivery step each. */
export function kill(execution: Execution, process: ProcessState): void {
  process.status = "killed";
  execution.forget(process);
  closeConnections(execution, process);
}
