/** The ports of one life of one process. What asks the world parks at the kernel; what only looks does not. */
import { type Artefacts, type CancelSignal, type Clock, type Disk, DiskError, type Faults, type Ids, type Ledger, type Log, type LogEntry, type Ports, type Sessions, type Watch } from "@casebook/ports";
import { recording } from "../disk/changes.ts";
import { createDisk } from "../disk/port.ts";
import { createStore, type Store } from "../disk/store.ts";
import type { Gate, Part } from "../gate.ts";
import { createStream } from "../random.ts";
import { checkDuration } from "../world-ports.ts";
import { reachOfCalls } from "./armed-fault.ts";
import { type Execution, MAX_LOG_LINES } from "./execution.ts";
import { type DiskCall, reachPlan, withDiskFaults } from "./faults.ts";
import { createNetwork, type Network } from "./network.ts";
import { type OperationPlan, withParts } from "./operation.ts";
import { isGone, type ProcessState } from "./process-state.ts";
import { type RuntimeState, SessionsPort } from "./sessions.ts";
import { type ArtefactsState, artefactsPort } from "./artefacts.ts";
import { type LedgerState, ledgerPort } from "./ledger.ts";
import { spawnPlan } from "./spawn.ts";
import { type Cell, CellPort, type CellState, type Lock, LockPort, type LockState } from "./shared.ts";
import { createWatch, diskKey, isAnyWatching, tellWatchers, watchReach, withEvents } from "./watch.ts";

export interface ProcessPorts extends Ports {
  readonly process: { readonly name: string; readonly host: string; /** 1 for the first. */ readonly life: number };
  readonly network: Network;
  cell<T>(state: CellState<T>): Cell<T>;
  lock(state: LockState): Lock;
  sessions(state: RuntimeState): Sessions;
  ledger(state: LedgerState): Ledger;
  artefacts(state: ArtefactsState): Artefacts;
  /** Begins a life of a process that was put in with `isSpawned`. Rejects with SPAWN_FAILED where its host is gone. */
  spawn(name: string): Promise<"started" | "running">;
}

export interface KeptLog {
  readonly process: string;
  readonly level: LogEntry["level"];
  readonly event: string;
  readonly facts: LogEntry["facts"];
  readonly atMs: number;
}

/** Who calls: the execution, the process, and which of its lives. */
class Caller {
  readonly execution: Execution;
  readonly state: ProcessState;
  readonly life: number;

  constructor(execution: Execution, state: ProcessState, life: number) {
    this.execution = execution;
    this.state = state;
    this.life = life;
  }

  now(): number {
    return this.execution.nowMs(this.state.host);
  }

  park<T>(plan: OperationPlan<T>): Promise<T> {
    return this.execution.park(this.state, this.life, plan);
  }

  /** Effect and reach of a call at the disk port, with what is armed at it. */
  armed<T>(name: string, object: string, call: DiskCall<T>): Pick<OperationPlan<T>, "effect" | "reach"> {
    const { execution, state } = this;
    if (!execution.isArmed(name)) return { effect: call.work };
    return { effect: withDiskFaults(execution, state, name, object, call), reach: reachOfCalls(execution.faults, state.name, name) };
  }
}

/** Each part is made when it is asked for: most models use two or three. */
export class PortsOfLife implements ProcessPorts {
  readonly #caller: Caller;
  readonly #log: KeptLog[];
  #clock: Clock | undefined;
  #disk: Disk | undefined;
  #watch: Watch | undefined;
  #network: Network | undefined;
  #faults: Faults | undefined;

  constructor(execution: Execution, process: ProcessState, life: number, log: KeptLog[]) {
    this.#caller = new Caller(execution, process, life);
    this.#log = log;
  }

  get process(): ProcessPorts["process"] {
    const { state, life } = this.#caller;
    return { name: state.name, host: state.host.name, life };
  }

  get clock(): Clock {
    return (this.#clock ??= new ClockPort(this.#caller));
  }

  get disk(): Disk {
    if (this.#disk !== undefined) return this.#disk;
    const caller = this.#caller;
    const { state, execution } = caller;
    const store = (state.host.store ??= createStore(execution.options.epochMs));
    state.listings ??= createStream(execution.options.seed, `listings ${state.name}`);
    return (this.#disk = createDisk({ store, gate: createDiskGate(caller), listings: state.listings, nowMs: () => caller.now() }));
  }

  get watch(): Watch {
    const { execution, state, life } = this.#caller;
    return (this.#watch ??= createWatch(execution, state, life));
  }

  get network(): Network {
    const { execution, state, life } = this.#caller;
    return (this.#network ??= createNetwork(execution, state, life));
  }

  get ids(): Ids {
    return new IdsPort(this.#caller.state);
  }

  get log(): Log {
    return new LogPort(this.#caller, this.#log);
  }

  get faults(): Faults {
    return (this.#faults ??= new FaultsPort(this.#caller));
  }

  // Answered as functions of their own, because people take ports apart: `({ cell, disk }) => …`.
  get cell(): <T>(state: CellState<T>) => Cell<T> {
    const { execution, state: process, life } = this.#caller;
    return (state) => new CellPort(execution, process, life, state);
  }

  get lock(): (state: LockState) => Lock {
    const { execution, state: process, life } = this.#caller;
    return (state) => new LockPort(execution, process, life, state);
  }

  sessions(state: RuntimeState): Sessions {
    const { execution, state: process, life } = this.#caller;
    return new SessionsPort(execution, process, life, state);
  }

  get ledger(): (state: LedgerState) => Ledger {
    const { execution, state: process, life } = this.#caller;
    return (state) => ledgerPort(execution, process, life, state);
  }

  get artefacts(): (state: ArtefactsState) => Artefacts {
    const { execution, state: process, life } = this.#caller;
    return (state) => artefactsPort(execution, process, life, state);
  }

  get spawn(): (name: string) => Promise<"started" | "running"> {
    const caller = this.#caller;
    return (name) => caller.park(spawnPlan(caller.execution, name));
  }
}

class ClockPort implements Clock {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  now(): number {
    return this.#caller.now();
  }

  async sleep(durationMs: number, cancel?: CancelSignal): Promise<"elapsed" | "cancelled"> {
    checkDuration(durationMs);
    const { execution, state, life } = this.#caller;
    state.timed += 1;
    return new Promise((resolve) => {
      execution.clock.wait(durationMs, cancel, (how) => {
        if (state.life !== life || isGone(state)) return;
        state.timed -= 1;
        if (how === "cancelled") return resolve(how);
        void this.#caller.park(WAKE).then(() => resolve(how));
      });
    });
  }
}

/** The end of a wait is a step of its own, so that equal ends come in any order. */
const WAKE: OperationPlan<void> = { name: "clock.wake", object: "" };

class IdsPort implements Ids {
  readonly #process: ProcessState;

  constructor(process: ProcessState) {
    this.#process = process;
  }

  next(prefix: string): string {
    // Counted in the process: a count for all would tie every process to every other.
    this.#process.idsGiven += 1;
    return `${prefix}-${this.#process.name}-${String(this.#process.idsGiven).padStart(4, "0")}`;
  }
}

class LogPort implements Log {
  readonly #caller: Caller;
  readonly #log: KeptLog[];

  constructor(caller: Caller, log: KeptLog[]) {
    this.#caller = caller;
    this.#log = log;
  }

  write(level: LogEntry["level"], event: string, facts: LogEntry["facts"] = {}): void {
    if (this.#log.length >= MAX_LOG_LINES) return this.#caller.execution.overflow("log lines");
    this.#log.push({ process: this.#caller.state.name, level, event, facts: { ...facts }, atMs: this.#caller.now() });
  }
}

class FaultsPort implements Faults {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  reach(point: string): Promise<void> {
    return this.#caller.park(reachPlan(this.#caller.execution, this.#caller.state, point));
  }
}

const READS: ReadonlySet<string> = new Set(["disk.read", "disk.stat", "disk.fstat", "disk.readdir"]);
/** What needs room. A file that is opened for writing may still be created: its entry has room for long. */
const NEEDS_ROOM: ReadonlySet<string> = new Set(["disk.write", "disk.mkdir"]);

/** Operations on one host's disk conflict through the entries, listings and contents that both touch. */
function createDiskGate(caller: Caller): Gate {
  const { host } = caller.state;
  const shared = diskKey(host);
  return {
    call: (_operation, _object, work) => work(),
    note: () => undefined,
    request(operation, object, work, describe, more = {}) {
      const access: "read" | "write" = READS.has(operation) ? "read" : "write";
      const needsRoom = NEEDS_ROOM.has(operation);
      const inRoom = <T>(part: () => T) => (): T => {
        if (needsRoom && host.isDiskFull) throw new DiskError("ENOSPC", operation.slice(5), object);
        if (access === "read" || !isAnyWatching(caller.execution)) return part();
        return recording(host.store as Store, part, (records) => tellWatchers(caller.execution, records));
      };
      const { half, refused, parts } = more;
      const call = { work: inRoom(work), half: half === undefined ? undefined : inRoom(half), refused };
      const armed = caller.armed(operation, object, call);
      const reach = armed.reach === "world" || access === "read" ? armed.reach : (watchReach(caller.execution, host) ?? armed.reach);
      const plan = { name: operation, object, shared, access, describe, ...armed, reach };
      if (parts === undefined || !caller.execution.keepsParts) return caller.park(plan);
      const touched = (): readonly Part[] | undefined => withEvents(caller.execution, host, parts());
      // A sync that is refused gives up for ever what another one, just before it, makes durable.
      const canGiveUp = refused !== undefined && caller.execution.isArmed(operation, ["error"]);
      return caller.park(withParts(plan, canGiveUp ? () => touched()?.map(({ name }) => ({ name, access: "write" })) : touched));
    },
  };
}
