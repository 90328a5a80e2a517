/**
 * A service that processes call and that lives on no host of theirs, such as a ledger. It serves so many calls at once, each for so
 * long; the rest queue, so that slowness comes from load and not from a setting. Without a service time a call is one step and atomic.
 *
 * A call is carried out at one moment, whoever waits for it: the caller may have given up, or died, and it is carried out all the same.
 * Leaves out that the service itself crashes and forgets.
 */
import { ARMED_FAULTS, DEFAULT_FOR_MS, type FaultKind } from "./armed-fault.ts";
import type { Execution } from "./execution.ts";
import { strike } from "./faults.ts";
import { HELD, type Operation, type OperationPlan } from "./operation.ts";
import { isGone, type ProcessState } from "./process-state.ts";

export interface ServiceOptions {
  /** Calls served at the same time. Default 1. */
  readonly capacity?: number;
  /** How long one call takes. Default 0: nobody ever queues. */
  readonly serviceMs?: number;
  /** What some calls take longer, by the object that they are on, such as a table that is dear to read: `{ waits: 500 }`. */
  readonly longerMs?: Readonly<Record<string, number>>;
}

export class ServiceState {
  readonly name: string;
  readonly capacity: number;
  readonly serviceMs: number;
  readonly longerMs: Readonly<Record<string, number>>;
  /** Until when, in elapsed time, each of its places serves what it has accepted. */
  readonly busyUntilMs: number[];
  /** Nothing arrives, and no answer leaves. */
  isAway = false;
  /** Every call takes longer by so much. */
  slowerByMs = 0;
  isRefusing = false;
  /** Writes are refused, reads are not. */
  isFull = false;
  /** Reads answer what was true when this began. */
  isStale = false;
  /** Told when staleness begins and ends: whoever holds the data keeps the picture. */
  onStale: (isStale: boolean) => void = () => undefined;

  constructor(execution: Execution, name: string, { capacity = 1, serviceMs = 0, longerMs = {} }: ServiceOptions) {
    this.name = name;
    this.capacity = capacity;
    this.serviceMs = serviceMs;
    this.longerMs = longerMs;
    this.busyUntilMs = Array.from({ length: capacity }, () => 0);
    execution.rare.services.set(name, this);
  }
}

type Named = Pick<ServiceState, "name">;

export interface ServiceCall<T> {
  /** `read`, `transition`. */
  readonly call: string;
  /** For the trace: on what. */
  readonly object: string;
  readonly access: "read" | "write";
  /** Carries it out. What it throws is what the caller sees. */
  work(): T;
  describe?(value: T): string;
}

export function callService<T>(execution: Execution, process: ProcessState, life: number, service: ServiceState, call: ServiceCall<T>): Promise<T> {
  const name = `${service.name}.${call.call}`;
  const isArmed = execution.isArmed(name);
  return execution.park<T>(process, life, {
    name,
    object: call.object,
    // Where calls queue, also the order of two reads matters. An armed fault counts the calls of everybody.
    shared: isArmed ? ARMED_FAULTS : service.name,
    access: service.serviceMs > 0 || Object.keys(service.longerMs).length > 0 ? "write" : call.access,
    reach: isArmed ? "world" : undefined,
    isRemote: true,
    ...(call.describe === undefined ? {} : { describe: call.describe }),
    effect: (operation) => arrive(execution, process, life, service, call, operation),
  });
}

function arrive<T>(execution: Execution, process: ProcessState, life: number, service: ServiceState, call: ServiceCall<T>, operation: Operation): T | typeof HELD {
  const fault = execution.faultAt(`${service.name}.${call.call}`, process.name, "point");
  if (fault?.kind === "error") throw refused(service, fault.errno ?? "REFUSES", call);
  const later = (): void => serve(execution, process, life, service, call, operation, 0, true);
  if (fault !== undefined && isOfCaller(fault.kind)) {
    // A call is carried out when its caller goes on; who dies at a call has not made it.
    if (strike(execution, process, fault, operation, later) === HELD) return HELD;
  }
  if (fault?.kind.startsWith("service-") === true) beginTrouble(execution, process, service, fault.kind, fault.forMs, fault.byMs);
  if (fault?.kind === "hang" || service.isAway) return lose(execution, process, life, service, operation);
  if (service.isRefusing) throw refused(service, "REFUSES", call);
  if (service.isFull && call.access === "write") throw refused(service, "FULL", call);
  const longerMs = service.slowerByMs + (service.longerMs[call.object] ?? 0) + (fault?.kind === "slow" ? (fault.forMs ?? DEFAULT_FOR_MS) : 0);
  const isAnswered = fault?.kind !== "lost-answer";
  if (service.serviceMs + longerMs === 0 && isAnswered) return call.work();
  serve(execution, process, life, service, call, operation, service.serviceMs + longerMs, isAnswered);
  return HELD;
}

const OF_CALLER: readonly FaultKind[] = ["kill", "kill-restart", "host-dead", "power-loss", "host-unreachable", "stop-continue", "hold", "disk-full", "clock-jump", "clock-back", "clock-freeze"];

function isOfCaller(kind: FaultKind): boolean {
  return OF_CALLER.includes(kind);
}

/** Takes the place that is free first, and answers when its turn is over. */
function serve<T>(
  execution: Execution,
  process: ProcessState,
  life: number,
  service: ServiceState,
  call: ServiceCall<T>,
  operation: Operation,
  takesMs: number,
  isAnswered: boolean,
): void {
  const nowMs = execution.clock.elapsedMs();
  const place = service.busyUntilMs.indexOf(Math.min(...service.busyUntilMs));
  const endMs = Math.max(nowMs, service.busyUntilMs[place] as number) + takesMs;
  service.busyUntilMs[place] = endMs;
  process.timed += 1;
  execution.clock.wait(endMs - nowMs, undefined, () => {
    const { shared, access } = { shared: service.name, access: call.access };
    execution.parkOfWorld(process, { name: `${service.name}.carried-out`, object: call.object, shared, access, effect: carryOut });
  });

  function carryOut(): void {
    let settle: () => void;
    try {
      const value = call.work();
      settle = () => operation.resolve(value);
    } catch (failure) {
      settle = () => operation.reject(failure);
    }
    if (isAnswered && !service.isAway) answer(execution, process, life, service, settle);
    else lose(execution, process, life, service, operation);
    if (process.life === life && !isGone(process)) process.timed -= 1;
  }
}

/** At once where the caller runs; else when it runs again and can be reached. */
export function answer(execution: Execution, process: ProcessState, life: number, service: Named, settle: () => void): void {
  const isThere = (): boolean => process.life === life && !isGone(process);
  if (process.status !== "stopped" && process.host.status === "up") return isThere() ? settle() : undefined;
  execution.parkOfWorld(process, {
    name: `${service.name}.answer`,
    object: "",
    resumes: true,
    isReady: () => process.host.status !== "unreachable",
    effect: () => (isThere() ? settle() : undefined),
  });
}

/** No answer will come; when the world heals, the connection is found to be dead. */
export function lose(execution: Execution, process: ProcessState, life: number, service: Named, operation: Operation): typeof HELD {
  const release = (): void => {
    const plan: OperationPlan<void> = {
      name: `${service.name}.connection-lost`,
      object: "",
      resumes: true,
      effect: () => {
        if (process.life === life && !isGone(process)) operation.reject(codedError(service, "CONNECTION_LOST", "the connection is gone; the call may have been carried out. Ask what became of it."));
      },
    };
    execution.parkOfWorld(process, plan);
  };
  execution.rare.held.push({ operation, until: undefined, release });
  return HELD;
}

export function beginTrouble(execution: Execution, process: ProcessState, service: ServiceState, kind: FaultKind, forMs = DEFAULT_FOR_MS, byMs = 1_000): void {
  const undo = trouble(service, kind, byMs);
  execution.rare.mend.push(undo);
  execution.clock.wait(forMs, undefined, () => {
    execution.parkOfWorld(process, { name: `${service.name}.recovers`, object: "", reach: "world", effect: undo });
  });
}

function trouble(service: ServiceState, kind: FaultKind, byMs: number): () => void {
  switch (kind) {
    case "service-away":
      service.isAway = true;
      return () => void (service.isAway = false);
    case "service-slow":
      service.slowerByMs = byMs;
      return () => void (service.slowerByMs = 0);
    case "service-refuses":
      service.isRefusing = true;
      return () => void (service.isRefusing = false);
    case "service-full":
      service.isFull = true;
      return () => void (service.isFull = false);
    default:
      service.isStale = true;
      service.onStale(true);
      return () => {
        service.isStale = false;
        service.onStale(false);
      };
  }
}

function refused(service: ServiceState, why: string, { call, object }: { readonly call: string; readonly object: string }): Error {
  return codedError(service, why, `${call} ${object} was refused and not carried out. Try again later.`);
}

function codedError(service: Named, why: string, text: string): Error {
  const code = `${service.name.toUpperCase()}_${why}`;
  return Object.assign(new Error(`${code}: ${text}`), { code });
}
