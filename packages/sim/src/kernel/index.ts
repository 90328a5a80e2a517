/** The kernel: executions of several processes, decided step by step. */
export {
  type ArmedFault,
  canStrike,
  DEFAULT_FOR_MS,
  FAULT_KINDS,
  faultText,
  type FaultKind,
  type FaultPlace,
  LINK_FAULTS,
  type LinkFault,
  placeOf,
  POINT_FAULTS,
  type PointFault,
  SERVICE_FAULTS,
  type ServiceFault,
  STEP,
  STEP_FAULTS,
  WATCH_FAULTS,
  type WatchFault,
} from "./armed-fault.ts";
export {
  type AsynchronousBarrier,
  asynchronousRunner,
  macrotasks,
  play,
  playSynchronously,
  type Runner,
  type SynchronousBarrier,
} from "./drive.ts";
export { type Cap, type Chooser, type Ending, type Escape, type Execution, MAX_LOG_LINES, MAX_WAITING } from "./execution.ts";
export { assertFired } from "./fired.ts";
export { RunningHash } from "../trace.ts";
export { createStream, type RandomStream } from "../random.ts";
export type { Delivery, Network, Reply } from "./network.ts";
export { type CrashImage, type Durability, type Unsynced, unsyncedReport } from "../disk/images.ts";
export type { FilesOfHost } from "../disk/files.ts";
export { conflict, HELD, type Operation } from "./operation.ts";
export type { ProcessPorts } from "./process-ports.ts";
export { type RuntimeOptions, type RuntimeState, SESSION_STARTED } from "./sessions.ts";
export type { ArtefactsState } from "./artefacts.ts";
export type { LedgerState } from "./ledger.ts";
export type { ServiceOptions, ServiceState } from "./service.ts";
export type { Cell, CellState, Lock, LockState } from "./shared.ts";
export {
  type Build,
  type BuiltSystem,
  createSimulation,
  KERNEL_EPOCH_MS,
  KERNEL_MAX_STEPS,
  KERNEL_MAX_VIRTUAL_MS,
  type Simulation,
  type SimulationOptions,
  type Space,
} from "./simulation.ts";
