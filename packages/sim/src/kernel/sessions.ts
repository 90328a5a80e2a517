/**
 * The model runtime as processes share it: it lives on no host of theirs, and a session outlives who started it. "Executions
 * started" are counted here and nowhere else. Each call is one step; after that of a start stands the moment `sessions.started`,
 * at which an armed fault loses the answer (`error`), or the caller (`kill`). At a call (`sessions.status`) an `error` comes in its
 * place, `slow` leaves it on its way for so long, whoever waits for it, and with `hang` it never arrives. A session ends by itself
 * after `runsForMs`, or as the world says with `end`. Leaves out what sessions do, and the failure of the runtime itself.
 */
import type { Session, SessionKeys, SessionRequest, Sessions, SessionStatus } from "@casebook/ports";
import { ARMED_FAULTS, DEFAULT_FOR_MS } from "./armed-fault.ts";
import type { Execution } from "./execution.ts";
import { reachPlan, strike } from "./faults.ts";
import { textLabel } from "./labels.ts";
import { HELD, type Operation, type OperationPlan } from "./operation.ts";
import { plainCopy } from "./plain.ts";
import { isGone, type ProcessState } from "./process-state.ts";
import { answer, lose } from "./service.ts";

export const SESSION_STARTED = "sessions.started";

export interface RuntimeOptions {
  /** Default `recorded`: a second start is a second session, so that nothing hides it. */
  readonly keys?: SessionKeys;
  /** Default: until somebody ends it. */
  readonly runsForMs?: number;
  /** What it ends as. Default `ended`. */
  readonly endsAs?: "ended" | "failed";
}

type Kept = { -readonly [Name in keyof Session]: Session[Name] };

export class RuntimeState {
  readonly name: string;
  readonly keys: SessionKeys;
  readonly #runsForMs: number;
  readonly #endsAs: "ended" | "failed";
  readonly #kept: Kept[] = [];

  constructor(name: string, { keys = "recorded", runsForMs = Number.POSITIVE_INFINITY, endsAs = "ended" }: RuntimeOptions) {
    this.name = name;
    this.keys = keys;
    this.#runsForMs = runsForMs;
    this.#endsAs = endsAs;
  }

  /** What was started, in order, as it stands at that time. For facts and for the port. */
  sessions(nowMs: number): readonly Session[] {
    for (const one of this.#kept) {
      if (one.status === "running" && nowMs - one.startedAtMs >= this.#runsForMs) one.status = this.#endsAs;
    }
    return this.#kept.map((one) => ({ ...one }));
  }

  start(request: SessionRequest, nowMs: number): { outcome: "started" | "already-started"; id: string } {
    if (request.key === "") throw refusal("SESSION_KEY_EMPTY", `a start for ${request.task} has no key. Give one for each intent.`);
    const known = this.keys === "honoured" ? this.#kept.find(({ key }) => key === request.key) : undefined;
    if (known !== undefined && known.task !== request.task) {
      throw refusal("SESSION_KEY_CONFLICT", `the key ${request.key} stands for ${known.task}, and was given for ${request.task}. Give each intent its own.`);
    }
    if (known !== undefined) return { outcome: "already-started", id: known.id };
    const id = `session-${String(this.#kept.length + 1).padStart(4, "0")}`;
    this.#kept.push({ ...request, id, startedAtMs: nowMs, status: "running" });
    return { outcome: "started", id };
  }

  /** The world ends a session, as the model's own end would. */
  end(id: string, as: Exclude<SessionStatus, "running">): SessionStatus | "absent" {
    const one = this.#kept.find((session) => session.id === id);
    if (one?.status === "running") one.status = as;
    return one?.status ?? "absent";
  }
}

function refusal(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code });
}

export class SessionsPort implements Sessions {
  readonly #execution: Execution;
  readonly #process: ProcessState;
  readonly #life: number;
  readonly #state: RuntimeState;

  constructor(execution: Execution, process: ProcessState, life: number, state: RuntimeState) {
    this.#execution = execution;
    this.#process = process;
    this.#life = life;
    this.#state = state;
  }

  get keys(): SessionKeys {
    return this.#state.keys;
  }

  async start(request: SessionRequest): ReturnType<Sessions["start"]> {
    const copy = plainCopy(request);
    const answer = await this.#call("start", "write", () => this.#state.start(copy, this.#nowMs()), ({ outcome, id }) => `${copy.key} ${outcome} ${id}`);
    await this.#execution.park(this.#process, this.#life, reachPlan(this.#execution, this.#process, SESSION_STARTED));
    return answer;
  }

  find(key: string): ReturnType<Sessions["find"]> {
    const look = (): Session | undefined => (this.keys === "none" ? undefined : this.#now().find((one) => one.key === key));
    return this.#call("find", "read", look, (one) => `${key} ${one === undefined ? "none" : `${one.id} ${one.status}`}`);
  }

  list(): ReturnType<Sessions["list"]> {
    return this.#call("list", "read", () => this.#now(), (all) => String(all.length));
  }

  status(id: string): ReturnType<Sessions["status"]> {
    const look = (): SessionStatus | "absent" => this.#now().find((one) => one.id === id)?.status ?? "absent";
    return this.#call("status", "read", look, (status) => `${id} ${status}`);
  }

  cancel(id: string): ReturnType<Sessions["cancel"]> {
    const cancel = (): SessionStatus | "absent" => {
      this.#now();
      return this.#state.end(id, "cancelled");
    };
    return this.#call("cancel", "write", cancel, (status) => `${id} ${status}`);
  }

  #now(): readonly Session[] {
    return this.#state.sessions(this.#nowMs());
  }

  /** The runtime's own clock: it is on no host of theirs. */
  #nowMs(): number {
    return this.#execution.nowMs();
  }

  #call<T>(name: string, access: "read" | "write", effect: () => T, describe: (value: T) => string): Promise<T> {
    const plan: OperationPlan<T> = { name: `sessions.${name}`, object: "", label: textLabel(`sessions.${name} ${this.#state.name}`), shared: this.#state.name, access, isRemote: true, effect, describe };
    return this.#execution.park(this.#process, this.#life, this.#execution.isArmed(plan.name) ? this.#faulty(plan, effect) : plan);
  }

  #faulty<T>(plan: OperationPlan<T>, effect: () => T): OperationPlan<T> {
    const [execution, process, life] = [this.#execution, this.#process, this.#life];
    const runtime = { name: "sessions" };
    const carryOut = (operation: Operation): void => {
      let settle: () => void;
      try {
        const value = effect();
        settle = () => operation.resolve(value);
      } catch (failure) {
        settle = () => operation.reject(failure);
      }
      answer(execution, process, life, runtime, settle);
    };
    const arriveLate = (operation: Operation, afterMs: number): void => {
      process.timed += 1;
      execution.clock.wait(afterMs, undefined, () => {
        const arrive = (): void => {
          carryOut(operation);
          if (process.life === life && !isGone(process)) process.timed -= 1;
        };
        execution.parkOfWorld(process, { name: `${plan.name}.carried-out`, object: "", shared: plan.shared, access: plan.access, effect: arrive });
      });
    };
    return {
      ...plan,
      // Which call is the nth depends on the order of all of them.
      shared: ARMED_FAULTS,
      access: "write",
      reach: "world",
      effect(operation) {
        const fault = execution.faultAt(plan.name, process.name, "point");
        if (fault === undefined) return effect();
        if (fault.kind === "hang") return lose(execution, process, life, runtime, operation);
        if (fault.kind !== "slow") return strike(execution, process, fault, operation, () => carryOut(operation)) === HELD ? HELD : effect();
        arriveLate(operation, fault.forMs ?? DEFAULT_FOR_MS);
        return HELD;
      },
    };
  }
}
