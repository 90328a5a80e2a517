/** What a disk needs of the world it is in. */
import type { Gate } from "../gate.ts";
import type { RandomStream } from "../random.ts";
import type { Store } from "./store.ts";

export interface DiskHost {
  readonly store: Store;
  readonly gate: Gate;
  /** Orders listings; nothing else draws from it. */
  readonly listings: RandomStream;
  nowMs(): number;
}
