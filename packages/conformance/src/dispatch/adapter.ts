/**
 * What a dispatcher has to offer to be judged: one factory over ports, and two to four functions. Says nothing about how it stores,
 * how it looks for work, or what it calls its parts.
 */
import type { Clock, Disk, Faults, Ids, Log, Session, SessionKeys, SessionStatus } from "@casebook/ports";

/**
 * What a dispatcher can say it does. A rule that needs one that is not declared is listed as unsupported, outside the planned
 * count; one that is declared and broken is a FAIL.
 */
export const CAPABILITIES = {
  durable: "What it accepted is still known to an instance that is created later over the same disk.",
  "power-loss": "The same when the host loses its power and everything that was not synced may be gone.",
  "replaces-files": "It replaces files by `disk.rename`, and tries again when that is refused for a moment.",
  after: "A task waits for the tasks that its `after` names, and starts once they have ended well.",
  "one-per-agent": "An agent has one session at a time; its next task waits.",
  "concurrent-calls": "Its functions may be called while an earlier call has not answered. Without it the kit calls one at a time.",
  "many-dispatchers": "Several instances in several processes share one disk.",
  "keyless-runtime": "At a runtime that forgets keys it leaves a doubtful start to a person.",
  "silent-runtime": "A runtime that does not answer a start holds up that task, and no other; it is not started again meanwhile.",
  "shared-runtime": "Others start sessions at the same runtime; it takes none of them for its own and stops none of them.",
  sources: "A task whose `source` is not among `trust.sources` is answered `rejected` and not started.",
  gates: "A task waits for the gate that its `gate` names, until a reviewer tells `approve`.",
  holds: "A task that was told `hold` is not started before `release`.",
  reviews: "Work whose session has ended is in `review`, and done when a reviewer who did not do it tells `accept`.",
  wakes: "Told `wake`, it looks at that task at once. A wake is a hint: it may be late, come twice, or name nothing.",
  edits: "Told `edit`, the adapter puts the text where the accepted one is kept, as a hand would, past its dispatcher, which notices.",
} as const;

export type Capability = keyof typeof CAPABILITIES;

export interface Task {
  /** The identity: one id, one job. */
  readonly id: string;
  readonly text: string;
  /** Of the text; equal texts have equal revisions. */
  readonly revision: string;
  readonly agent: string;
  /** Ids of tasks that have to end well before this one starts. */
  readonly after: readonly string[];
  /** Where it comes from. `trust.sources` says which are known. */
  readonly source: string;
  /** Has to be approved before this one starts. */
  readonly gate?: string;
}

/** What somebody tells it. Each kind is told only to who declares the capability beside it. */
export type Notice =
  /** `wakes`. */
  | { readonly kind: "wake"; readonly task: string }
  /** `holds`. The first hold stays, however often it is told. */
  | { readonly kind: "hold" | "release"; readonly task: string; readonly because: string }
  /** `gates`. Counts if `from` is a reviewer. */
  | { readonly kind: "approve"; readonly gate: string; readonly from: string }
  /** `reviews`. A report claims that work is done, and accepts nothing. */
  | { readonly kind: "report"; readonly task: string; readonly from: string; readonly id: string }
  /** `reviews`. Counts if `from` is a reviewer, and not the agent of the task. */
  | { readonly kind: "accept"; readonly task: string; readonly from: string }
  /** `edits`. The id is that of a task that was accepted. */
  | { readonly kind: "edit"; readonly task: Task };

/** What has to be declared to be told of it. */
export const TOLD: Readonly<Record<Notice["kind"], Capability>> = { wake: "wakes", hold: "holds", release: "holds", approve: "gates", report: "reviews", accept: "reviews", edit: "edits" };

/**
 * `accepted`: it will be started when it may. `duplicate`: it is known with this text. `conflict`: it is known with another text.
 * `rejected`: it will not be started.
 */
export const ANSWERS = ["accepted", "duplicate", "conflict", "rejected"] as const;
export type Answer = (typeof ANSWERS)[number];

/** `review` is of those who declare `reviews`. */
export const STATES = ["waiting", "running", "review", "done", "failed", "conflict", "needs-human"] as const;

export interface TaskView {
  readonly id: string;
  readonly state: (typeof STATES)[number];
  /** Why it stands so, in words; not empty. What waits names what it waits for: the id of the task, the gate, or the agent. */
  readonly because: string;
  /** Id of the session that it knows of. */
  readonly session?: string | undefined;
}

/** For who wants the white-box rules judged as well. Leave out what there is not. */
export interface Probe {
  /** Every record that was ever written, oldest first. */
  readonly history?: readonly string[] | undefined;
  /** For each task how often work on it was taken up, and how many decisions about that are on record. */
  readonly attempts?: readonly { readonly task: string; readonly claims: number; readonly decisions: number }[] | undefined;
  /** Ids of the sessions at the runtime that it cannot account for. */
  readonly strangers?: readonly string[] | undefined;
}

export interface StartRequest {
  /** Not empty. Equal keys are one intent. */
  readonly key: string;
  readonly task: string;
  readonly revision: string;
  readonly agent: string;
  readonly attempt?: string | undefined;
  readonly epoch?: number | undefined;
}

/** The runtime. A rejection of `start` says that nobody knows whether it started. */
export interface SessionsPort {
  readonly keys: SessionKeys;
  start(request: StartRequest): Promise<{ readonly outcome: "started" | "already-started"; readonly id: string }>;
  find(key: string): Promise<Session | undefined>;
  list(): Promise<readonly Session[]>;
  status(id: string): Promise<SessionStatus | "absent">;
  cancel(id: string): Promise<SessionStatus | "absent">;
}

/** To the other instances of this dispatcher, where there are any. */
export interface PeerNetwork {
  readonly peers: readonly string[];
  send(to: string, body: unknown): Promise<void>;
  receive(): Promise<{ readonly from: string; readonly body: unknown }>;
}

export interface AdapterPorts {
  readonly clock: Clock;
  /** An empty disk; `/` is there. */
  readonly disk: Disk;
  readonly sessions: SessionsPort;
  readonly network: PeerNetwork;
  readonly ids: Ids;
  readonly log: Log;
  readonly faults: Faults;
  /**
   * A name for this process. Two processes have two; a process that is started again keeps its own, and that may be while the old
   * one is only stopped, and goes on later.
   */
  readonly name: string;
  /** Who may send tasks, and who may approve gates and accept work. */
  readonly trust: { readonly sources: readonly string[]; readonly reviewers: readonly string[] };
}

export interface DispatcherUnderTest {
  submit(task: Task): Promise<Answer> | Answer;
  /** Looks once for what is to be done, and does it. Called every `TICK_MS`. Leave it out if it looks by itself. */
  tick?(): Promise<void> | void;
  /** Hears what somebody tells it, and answers nothing: what came of it is in the list. Needed by `TOLD` only. */
  tell?(notice: Notice): Promise<void> | void;
  /** What it would tell a person about every task it knows. */
  observe(): Promise<readonly TaskView[]> | readonly TaskView[];
  probe?(): Promise<Probe> | Probe;
}

export interface DispatcherAdapter {
  readonly name: string;
  readonly version: string;
  readonly capabilities: readonly Capability[];
  readonly limits?: {
    /** The longest it may occupy a task after its process died, in virtual milliseconds; at most 60,000. Default 30,000. */
    readonly leaseMs?: number;
  };
  /** Called for each process, and again after a crash: the same disk, no memory. */
  create(ports: AdapterPorts): Promise<DispatcherUnderTest> | DispatcherUnderTest;
}

/** Between two ticks, in virtual milliseconds. */
export const TICK_MS = 10_000;
