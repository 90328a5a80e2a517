/** A scenario as data: one fault, the rule it leans on, and both halves of its verdict as checks of their own. */
import type { ArmedFault, RuntimeOptions } from "@casebook/sim/kernel";
import type { Cast, DeskFile } from "./desk.ts";
import type { FaultNumber, Layer } from "./faults/index.ts";
import type { Told } from "./told.ts";

export interface Half {
  /** `F09/recognised`. */
  readonly id: string;
  /** What must hold, in words. */
  readonly says: string;
  /** What is wrong; undefined: it holds. */
  alarm(told: Told): string | undefined;
}

export interface Scenario {
  readonly id: FaultNumber;
  /** The fault, in words. */
  readonly fault: string;
  readonly layer: Layer;
  /** The rule of the six that the fault leans on most. */
  readonly rule: 1 | 2 | 3 | 4 | 5 | 6;
  readonly files: readonly DeskFile[];
  readonly runtime?: RuntimeOptions;
  /** Who plays; the files and the runtime are there. */
  cast(cast: Cast): void;
  readonly faults: readonly ArmedFault[];
  readonly halves: readonly [Half, Half, ...Half[]];
  /** Rules whose guard must alarm, because the fault itself is what it is there to notice. */
  readonly noticedBy?: readonly number[];
}
