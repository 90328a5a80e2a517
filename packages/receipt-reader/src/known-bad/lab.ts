/** What a rule is tried in: a disk of its own for each try, and a process that can die at any step. Whoever has a world gives one. */
import type { WriterPorts } from "@casebook/receipt-reader";
import type { Ports } from "@casebook/ports";

export type RulePorts = WriterPorts & Pick<Ports, "ids">;

/** What a crash leaves: everything that was written, or of what was not synced any part that the rules of disks allow. */
export type CrashImage = "process-killed" | "power-lost";

export interface ReceiptLab {
  /** On a fresh disk. */
  play<T>(act: (ports: RulePorts) => Promise<T>): Promise<T>;
  /**
   * On a fresh disk: `before` to its end and made durable, then `act` until it has asked the disk `steps` times, of which the last is not
   * done any more; nothing answers it after that. Then `after`, in a new process, on what is left: once for each disk that can be left.
   * `isOver`: `act` ended before that.
   */
  crash<T>(crash: {
    readonly image: CrashImage;
    readonly steps: number;
    before?(ports: RulePorts): Promise<void>;
    act(ports: RulePorts): Promise<void>;
    after(ports: RulePorts): Promise<T>;
    /** Called before each play of `act`, which may be played more than once. */
    reset(): void;
  }): Promise<{ readonly isOver: boolean; readonly left: readonly { /** Which disk, in words. */ readonly disk: string; readonly value: T }[] }>;
}
