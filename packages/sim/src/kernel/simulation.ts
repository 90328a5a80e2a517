/**
 * A system under simulation: what is put into an execution, and what can be said about it afterwards. `build` is called anew for
 * every execution, so nothing may outlive it: state that a closure keeps from one call to the next makes runs differ.
 */
import type { Volume } from "memfs";
import { copyStore } from "../disk/copy.ts";
import { setMounts } from "../disk/mounts.ts";
import { createStore, type Store } from "../disk/store.ts";
import { storeFromVolume } from "../disk/volume.ts";
import { WorldError } from "../world-options.ts";
import { type FilesOfHost, filesOf } from "../disk/files.ts";
import { type Durability, type Unsynced, unsyncedReport } from "../disk/images.ts";
import { type ArmedFault, checkFault } from "./armed-fault.ts";
import { type Chooser, Execution } from "./execution.ts";
import { strikesAtSteps } from "./faults.ts";
import { type KeptLog, PortsOfLife, type ProcessPorts } from "./process-ports.ts";
import { type RuntimeOptions, RuntimeState } from "./sessions.ts";
import { ArtefactsState } from "./artefacts.ts";
import { LedgerState } from "./ledger.ts";
import { type ServiceOptions, ServiceState } from "./service.ts";
import { CellState, LockState } from "./shared.ts";

/** What `build` puts its parts into. */
export interface Space {
  /** Processes begin in the order in which they are put in. `start` is given the ports of one life and nothing else. */
  process(name: string, start: (ports: ProcessPorts) => Promise<unknown>, options?: ProcessOptions): void;
  cell<T>(name: string, initial: T): CellState<T>;
  lock(name: string): LockState;
  /** A runtime that model sessions are started at. */
  sessions(name: string, options?: RuntimeOptions): RuntimeState;
  ledger(name: string, options?: ServiceOptions): LedgerState;
  artefacts(name: string, options?: ServiceOptions): ArtefactsState;
  /** What is on the disk of a host at the start. */
  disk(host: string, volume: Volume): void;
  /** Makes a directory that is on a host's disk another file system: a rename across its border answers EXDEV. */
  mount(host: string, directory: string): void;
  /** What is on the disk of a host now, for the facts. */
  files(host: string): FilesOfHost;
  /** What a power loss of the host would lose now. */
  unsynced(host: string): readonly Unsynced[];
  readonly log: readonly KeptLog[];
  /** How each process stands: `running` is one that had not ended when the execution did, `hangs` its calls that never settle. */
  states(): { readonly name: string; readonly status: string; readonly life: number; readonly hangs: number; readonly failure: string }[];
}

export interface ProcessOptions {
  /** Default: a host of its own, called like it. */
  readonly host?: string;
  /** One that is not waited for, such as a poller. */
  readonly isDaemon?: boolean;
  /** Begins when another process calls `spawn` with its name, and may so begin again after it ended. Default: with the world. */
  readonly isSpawned?: boolean;
}

export interface BuiltSystem<Facts> {
  /** Small and countable; asked after the end, and after each step where a check wants it. */
  facts(): Facts;
}

export type Build<Facts> = (space: Space) => BuiltSystem<Facts>;

export interface SimulationOptions {
  readonly seed?: number;
  readonly epoch?: number;
  readonly chooser: Chooser;
  readonly faults?: readonly ArmedFault[];
  readonly maxSteps?: number;
  readonly maxVirtualMs?: number;
  readonly healMs?: number | undefined;
  /** What a dead host, or one that lost its power, forgets of its disk. Default `kill`: nothing. */
  readonly durability?: Durability | undefined;
  readonly isWatched?: boolean;
}

export interface Simulation<Facts> {
  readonly execution: Execution;
  facts(): Facts;
}

export const KERNEL_MAX_STEPS = 10_000;
/** Thirty days. */
export const KERNEL_MAX_VIRTUAL_MS = 30 * 24 * 3_600_000;
export const KERNEL_EPOCH_MS = Date.UTC(2026, 0, 1);

/** `templates` keeps the stores of one search, so that a volume is read once. */
export function createSimulation<Facts>(
  build: Build<Facts>,
  options: SimulationOptions & { readonly afterStep?: (facts: () => Facts, execution: Execution) => string | undefined },
  templates: Map<Volume, Store> = new Map(),
): Simulation<Facts> {
  const epochMs = options.epoch ?? KERNEL_EPOCH_MS;
  const { afterStep } = options;
  let built: BuiltSystem<Facts> | undefined;
  const execution = new Execution({
    seed: options.seed ?? 0,
    epochMs,
    chooser: options.chooser,
    faults: options.faults ?? [],
    maxSteps: options.maxSteps ?? KERNEL_MAX_STEPS,
    maxVirtualMs: options.maxVirtualMs ?? KERNEL_MAX_VIRTUAL_MS,
    healMs: options.healMs,
    durability: options.durability ?? "kill",
    isWatched: options.isWatched === true,
    afterStep: afterStep === undefined ? undefined : (one) => afterStep(() => (built as BuiltSystem<Facts>).facts(), one),
  });
  if (execution.faults.length > 0) {
    execution.faults.forEach(({ fault }) => checkFault(fault));
    execution.atStep = strikesAtSteps(execution);
  }
  built = build(new SpaceOfExecution(execution, templates));
  return { execution, facts: () => (built as BuiltSystem<Facts>).facts() };
}

class SpaceOfExecution implements Space {
  readonly log: KeptLog[] = [];
  readonly #execution: Execution;
  readonly #templates: Map<Volume, Store>;
  readonly #objects: string[] = [];

  constructor(execution: Execution, templates: Map<Volume, Store>) {
    this.#execution = execution;
    this.#templates = templates;
  }

  process(name: string, start: (ports: ProcessPorts) => Promise<unknown>, { host = name, isDaemon = false, isSpawned = false }: ProcessOptions = {}): void {
    if (this.#execution.processes.some((process) => process.name === name)) throw twice("processes", name);
    const execution = this.#execution;
    execution.declare(name, host, isDaemon, (process, life) => start(new PortsOfLife(execution, process, life, this.log)), isSpawned);
  }

  cell<T>(name: string, initial: T): CellState<T> {
    this.#once(name);
    return new CellState(name, initial);
  }

  lock(name: string): LockState {
    this.#once(name);
    return new LockState(name);
  }

  sessions(name: string, options: RuntimeOptions = {}): RuntimeState {
    this.#once(name);
    return new RuntimeState(name, options);
  }

  ledger(name: string, options: ServiceOptions = {}): LedgerState {
    this.#once(name);
    return new LedgerState(new ServiceState(this.#execution, name, options));
  }

  artefacts(name: string, options: ServiceOptions = {}): ArtefactsState {
    this.#once(name);
    return new ArtefactsState(new ServiceState(this.#execution, name, options));
  }

  disk(host: string, volume: Volume): void {
    const template = this.#templates.get(volume) ?? storeFromVolume(volume, this.#execution.options.epochMs);
    this.#templates.set(volume, template);
    this.#execution.host(host).store = copyStore(template);
  }

  mount(host: string, directory: string): void {
    setMounts(this.#storeOf(host), [directory]);
  }

  files(host: string): FilesOfHost {
    return filesOf(this.#storeOf(host));
  }

  unsynced(host: string): readonly Unsynced[] {
    return unsyncedReport(this.#storeOf(host));
  }

  #storeOf(host: string): Store {
    return (this.#execution.host(host).store ??= createStore(this.#execution.options.epochMs));
  }

  states(): ReturnType<Space["states"]> {
    return this.#execution.processes.map(({ name, status, life, hangs, failure }) => ({
      name,
      status,
      life,
      hangs,
      failure: failure === undefined ? "" : failure instanceof Error ? failure.message : String(failure),
    }));
  }

  #once(name: string): void {
    if (this.#objects.includes(name)) throw twice("objects", name);
    this.#objects.push(name);
  }
}

function twice(kind: string, name: string): WorldError {
  return new WorldError("SYSTEM_NAME_TWICE", `two ${kind} are called ${JSON.stringify(name)}; names tell them apart in a trace. Give each its own.`);
}
