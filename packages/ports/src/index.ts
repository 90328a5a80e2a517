/** Types of the doors to the outside, and the few pure functions over them. Imports nothing. */
import type { Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";
import type { Faults } from "./faults.ts";
import type { Ids } from "./ids.ts";
import type { Log } from "./log.ts";

export * from "./clock.ts";
export * from "./disk.ts";
// Types only, so that a program does not load three empty files to start.
export type * from "./faults.ts";
export type * from "./ids.ts";
export type * from "./log.ts";

/** What a model is handed. A model asks for the doors it uses: `Pick<Ports, "clock" | "disk">`. */
export interface Ports {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly ids: Ids;
  readonly log: Log;
  readonly faults: Faults;
}
