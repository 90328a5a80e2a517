/** What every operation at a port of a world passes through. One takes effect at the call, another parks and lets the kernel decide when. */

/** Of what is shared. Two calls that only read a part, or only add to it, may change places. */
export interface Part {
  readonly name: string;
  readonly access: "read" | "add" | "write";
}

/** What only a kernel with faults and a search asks about a call. */
export interface MoreOfRequest<T> {
  /** Of a write: half of it. */
  readonly half?: () => T;
  /** Told when an error comes in place of the work. */
  readonly refused?: () => void;
  /** See `OperationPlan.parts`. */
  readonly parts?: () => readonly Part[] | undefined;
}

export interface Gate {
  /** A synchronous port call. Throws WORLD_ENDED or WORLD_TIMED_OUT. */
  call<T>(operation: string, object: string, work: () => T, describe?: (value: T) => string): T;
  /** An asynchronous one. Rejects with WORLD_ENDED; never settles once the steps of a run are used up. */
  request<T>(operation: string, object: string, work: () => T, describe?: (value: T) => string, more?: MoreOfRequest<T>): Promise<T>;
  /** Something that happened later than its call, such as the end of a wait. */
  note(operation: string, object: string, outcome: string, detail: string): void;
}
