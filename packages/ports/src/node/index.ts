/** The real doors: the machine's clock, disk, random source and standard error. */
import type { Ports } from "../index.ts";
import { nodeClock } from "./node-clock.ts";
import { nodeDisk } from "./node-disk.ts";
import { nodeFaults } from "./node-faults.ts";
import { nodeIds } from "./node-ids.ts";
import { nodeLog } from "./node-log.ts";
import { nodeWatch } from "./node-watch.ts";

export { nodeClock, nodeDisk, nodeFaults, nodeIds, nodeLog, nodeWatch };

export interface NodePortsOptions {
  /** Absolute directory that port paths are under; "/" if left out. */
  readonly root?: string | undefined;
  /** Takes one line per log entry; standard error if left out. */
  readonly log?: ((line: string) => void) | undefined;
}

export function createNodePorts(options: NodePortsOptions = {}): Ports {
  return {
    clock: nodeClock(),
    disk: nodeDisk(options.root),
    watch: nodeWatch(options.root),
    ids: nodeIds(),
    log: nodeLog(options.log),
    faults: nodeFaults(),
  };
}
