/**
 * The sessions port: the runtime that model sessions are started at. Models starting, finding, listing and cancelling; leaves out
 * what a session does, and what it costs. It is reached over a wire: a start can take effect although its answer is lost, so
 * a rejection of `start` says that nobody knows, and not that nothing started.
 */

export interface SessionRequest {
  /** Idempotency key: equal keys are one intent. Not empty. */
  readonly key: string;
  readonly task: string;
  /** Of the task's text, as the intent names it. */
  readonly revision: string;
  readonly agent: string;
  readonly attempt: string;
  /** Of the lease under which it is started. */
  readonly epoch: number;
}

/** `ended` is the session's own end, whatever it achieved; `failed` is the runtime's word that it broke. */
export type SessionStatus = "running" | "ended" | "failed" | "cancelled";

export interface Session extends SessionRequest {
  readonly id: string;
  readonly startedAtMs: number;
  readonly status: SessionStatus;
}

/**
 * What a runtime does with the key of a start. `honoured`: a second start with one key answers the session of the first.
 * `recorded`: it starts again, but `find` knows the key. `none`: the key is dropped, and nobody can ask for it.
 */
export type SessionKeys = "honoured" | "recorded" | "none";

export interface Sessions {
  readonly keys: SessionKeys;
  /**
   * Rejects with SESSION_KEY_CONFLICT where keys are honoured and the key was used for another task, and with SESSION_KEY_EMPTY.
   * Any other rejection says nothing about whether it started.
   */
  start(request: SessionRequest): Promise<{ readonly outcome: "started" | "already-started"; readonly id: string }>;
  /** The first session that was started with this key, whatever became of it. Always undefined where keys are `none`. */
  find(key: string): Promise<Session | undefined>;
  /** All that were ever started here, in no particular order. */
  list(): Promise<readonly Session[]>;
  /** `absent`: it was never started here. */
  status(id: string): Promise<SessionStatus | "absent">;
  /** Answers the status afterwards; one that is over stays what it was. */
  cancel(id: string): Promise<SessionStatus | "absent">;
}
