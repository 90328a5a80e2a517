/** What can be searched: a system in a simulated world, the faults it has to survive, and what must hold. */
import type { ArmedFault, Build, Durability, FaultKind, PointFault } from "@casebook/sim/kernel";

export interface Check<Facts> {
  /** Stable; what a shrunk counterexample has to fail as well. */
  readonly id: string;
  /** `each-step`: also between two steps, where `reads` says what it looks at. */
  readonly when: "end" | "each-step";
  /**
   * Names of the objects that a check of each step reads. A search that leaves out equivalent schedules has to keep the order
   * of all steps at these; without the list it leaves out none.
   */
  readonly reads?: readonly string[];
  /** What is wrong, with its figures; undefined: nothing is. */
  alarm(facts: Facts): string | undefined;
}

/** As a method, so that systems of different facts can stand in one list. */
type Holds<Facts> = { holds(facts: Facts): boolean }["holds"];

export interface System<Facts> {
  /** The case and the variant, such as `005/claim-per-prompt`. */
  readonly name: string;
  /** One sentence. */
  readonly claim: string;
  /** `fails`: a broken variant, in which a search that finds nothing is a search that missed it. Default `holds`. */
  readonly expect?: "holds" | "fails";
  readonly build: Build<Facts>;
  readonly checks: readonly Check<Facts>[];
  /** What has to happen at least once in a search for it to have been worth something. */
  readonly sometimes?: Readonly<Record<string, Holds<Facts>>>;
  /** Tried at every point named, or found, below. */
  readonly faults?: {
    /** Points that its processes reach, links as `network.<from>-><to>`, and watchers of a process as `watch.<process>`. */
    readonly points: readonly string[];
    readonly kinds: readonly FaultKind[];
    /** Tried at every port call of every process, each an arm of its own: a crash at any step. */
    readonly steps?: readonly PointFault[];
    /** Tried as they stand, such as `{ at: "disk.rename", kind: "error", errno: "EPERM", times: 3 }`. */
    readonly armed?: readonly ArmedFault[];
  };
  /** What a host that dies or loses its power forgets of its disk. Default `kill`: nothing. */
  readonly durability?: Durability;
  /** Virtual time after the end in which faults stop and everything reconnects, before the checks of the end. */
  readonly healMs?: number;
  /** `fails`: a process that throws is a finding. `ends`: it is gone, and the checks say whether that matters. Default `fails`. */
  readonly onThrow?: "fails" | "ends";
  readonly maxSteps?: number;
  readonly maxVirtualMs?: number;
}

/** Any system, whatever its facts are: what a case exports a list of. */
export type AnySystem = System<unknown>;

/** What the kernel itself finds, beside the checks of a system. */
export const DEADLOCK = "kernel/deadlock";
export const THREW = "kernel/process-threw";
