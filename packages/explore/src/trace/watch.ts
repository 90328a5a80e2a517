/**
 * Writes down, while an execution is played, what it does not keep itself: when each step was taken, out of how many, which
 * fault fired at it, how the processes stood afterwards, and what of a disk a power loss would take. For one execution, because a
 * search has no use for it.
 */
import { type Chooser, type Execution, unsyncedReport } from "@casebook/sim/kernel";

export interface StepNote {
  /** Virtual time since the start. */
  readonly atMs: number;
  readonly life: number;
  /** How many operations could be taken, and which was, from 0. */
  readonly options: number;
  readonly taken: number;
  /** Positions of the armed faults that fired at it. */
  readonly fired: readonly number[];
  readonly isHealing: boolean;
}

export interface Change {
  /** Number of the step that brought it, from 1; 0: there at the start. */
  readonly step: number;
  readonly process: number;
  readonly status: string;
  readonly life: number;
}

export interface DiskChange {
  /** Number of the step that brought it, from 1. */
  readonly step: number;
  readonly host: string;
  /** In words, by path; none: all that is on the disk is durable. */
  readonly pending: readonly string[];
}

/** Records of one disk's journal; a longer one is noted no more: what is pending is worked out anew after every step. */
export const MAX_NOTED_RECORDS = 500;

/** How it stood when the step that was asked for had been taken. */
export interface Moment {
  readonly step: number;
  readonly waiting: readonly string[];
  readonly facts: unknown;
}

type AfterStep<Facts> = (facts: () => Facts, execution: Execution) => string | undefined;

export class Watch {
  readonly notes: StepNote[] = [];
  readonly changes: Change[] = [];
  /** Under `posix-min`: after each step that changed it, what is pending on the disk of its host. */
  readonly disks: DiskChange[] = [];
  readonly #pending = new Map<string, string>();
  moment: Moment | undefined = undefined;
  readonly #momentAt: number | undefined;
  #options = 1;
  #taken = 0;
  #fired: number[] = [];
  #standing: string[] = [];

  /** `momentAt`: number of the step after which waiting calls and facts are kept. */
  constructor(momentAt?: number) {
    this.#momentAt = momentAt;
  }

  around(chooser: Chooser): Chooser {
    return {
      choose: (ready, execution) => {
        this.#options = ready.length;
        this.#taken = chooser.choose(ready, execution);
        return this.#taken;
      },
    };
  }

  /** To be asked after every step, in front of the checks. */
  before<Facts>(checks: ((facts: () => Facts) => string | undefined) | undefined): AfterStep<Facts> {
    return (facts, execution) => {
      this.#look(execution);
      this.#lookAtDisk(execution);
      const isMoment = this.#momentAt === execution.steps.length && this.moment === undefined;
      if (isMoment) this.moment = { step: execution.steps.length, waiting: callsOf(execution), facts: facts() };
      return checks?.(facts);
    };
  }

  #look(execution: Execution): void {
    const { steps, options, faults, processes, isHealing } = execution;
    const fired = faults.map((state) => state.fired);
    const last = steps.at(-1);
    if (last !== undefined && steps.length > this.notes.length) {
      this.notes.push({
        atMs: execution.nowMs() - options.epochMs,
        life: last.process.life,
        // Nothing is chosen while the world heals.
        options: isHealing ? 1 : this.#options,
        taken: isHealing ? 0 : this.#taken,
        fired: fired.flatMap((count, at) => (count > (this.#fired[at] ?? 0) ? [at] : [])),
        isHealing,
      });
    }
    this.#fired = fired;
    processes.forEach(({ index, status, life, host }) => {
      const shown = host.status === "dead" && status !== "ended" && status !== "threw" ? "host dead" : host.status === "unreachable" ? `${status}, host unreachable` : status;
      const key = `${shown} ${life}`;
      if (this.#standing[index] !== key) this.changes.push({ step: steps.length, process: index, status: shown, life });
      this.#standing[index] = key;
    });
  }

  #lookAtDisk({ steps, options }: Execution): void {
    const last = steps.at(-1);
    if (options.durability !== "posix-min" || last?.plan.name.startsWith("disk.") !== true) return;
    const { name, store } = last.process.host;
    if (store === undefined || store.journal.length > MAX_NOTED_RECORDS) return;
    const pending = unsyncedReport(store).map(({ operation }) => operation);
    const known = this.#pending.get(name) ?? "";
    if (known === pending.join("\n")) return;
    this.#pending.set(name, pending.join("\n"));
    this.disks.push({ step: steps.length, host: name, pending });
  }
}

/** Each call that nobody has taken yet, and whether it could be next. */
function callsOf(execution: Execution): string[] {
  return execution.parked.map((operation) => {
    const { process, plan } = operation;
    const call = plan.object === "" ? plan.name : `${plan.name} ${JSON.stringify(plan.object)}`;
    return `${process.name}: ${call} ${execution.isReady(operation) ? "can be next" : `waits for ${plan.waitsFor ?? "its process or its host"}`}`;
  });
}
