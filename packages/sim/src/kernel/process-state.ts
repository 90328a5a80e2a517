/**
 * Processes and the hosts they live on, as the kernel keeps them.
 *
 * | what happens      | memory | disk                  | connections            | its calls                        |
 * | ----------------- | ------ | --------------------- | ---------------------- | -------------------------------- |
 * | kill              | gone   | stays, synced or not  | peers see them close   | never settle                     |
 * | kill and restart  | gone   | stays, synced or not  | peers see them close   | never settle; a new life begins  |
 * | stop, continue    | stays  | stays                 | stay open              | wait until it is continued       |
 * | host dead         | gone   | a crash image         | stay open, and silent  | never settle                     |
 * | power loss        | gone   | a crash image         | stay open, and silent  | never settle; new lives begin    |
 * | host unreachable  | stays  | stays                 | stay open, and silent  | local ones go on, remote ones wait |
 *
 * Which crash image is a choice of the search; under the durability `kill` there is one, the disk as it was.
 */
import type { Store } from "../disk/store.ts";
import type { RandomStream } from "../random.ts";

export interface HostState {
  readonly name: string;
  status: "up" | "dead" | "unreachable";
  /** Made when it is first asked for. */
  store: Store | undefined;
  /** Ahead of the world's clock by so much. */
  clockOffsetMs: number;
  /** What its clock shows while it stands still; its waits go on. */
  clockFrozenAtMs: number | undefined;
  isDiskFull: boolean;
}

export interface ProcessState {
  /** Order of declaration; the same in every life. */
  readonly index: number;
  readonly name: string;
  readonly label: number;
  readonly host: HostState;
  /** Nobody waits for its end. */
  readonly isDaemon: boolean;
  /** Begins when another process starts it, and not with the world. */
  readonly isSpawned: boolean;
  readonly begin: (process: ProcessState, life: number) => Promise<unknown>;
  /** How far each of its calls reaches because a fault may strike at it. */
  readonly reach: "host" | "world" | undefined;
  /** 1 for the first. */
  life: number;
  status: "waiting" | "running" | "stopped" | "ended" | "threw" | "killed" | "restarting";
  /** Calls that a fault made hang; they never settle. */
  hangs: number;
  /** Calls of this life that the clock settles: sleeps, and requests with their limit. */
  timed: number;
  /** Calls made so far, in all lives. */
  calls: number;
  idsGiven: number;
  /** Made when it is first asked for. */
  listings: RandomStream | undefined;
  failure: unknown;
}

/** Its code does not run any more: whatever would let it go on must not. One that ended by itself may have left strands. */
export function isGone({ status, host }: ProcessState): boolean {
  return status === "killed" || status === "restarting" || host.status === "dead";
}

export function isAlive(process: ProcessState): boolean {
  return (process.status === "running" || process.status === "stopped") && process.host.status !== "dead";
}
