/**
 * What a supervisor of agents has to offer to be judged: the bodies of its processes over ports, and one function that reads its
 * ledger. Which tables it keeps, how work reaches an agent and who asks whom are its own affair.
 */
import type { Artefacts, Clock, Faults, Ids, Ledger, LedgerRow, Log, Messages, Spawner } from "@casebook/ports";
import type { AgentSpec, BudgetSpec, Cause, RunState } from "@casebook/supervisor/rules";

export const SUPERVISOR_CAPABILITIES = {
  agents: "Several agents work at the same time.",
  needs: "An item is begun when the items that it needs are done.",
  "wait-cycles": "An agent takes the locks of its item one after the other, in the item's order, and waits for each; who waits for whom is known.",
  "spawn-trees": "An agent begins the agents below it.",
  "replaces-agents": "Another agent does what one that died, or that is not heard of any more, has left.",
  "tool-limit": "A tool that takes longer than the limit of the run is given up, and its item is tried again.",
  budgets: "Agents, tokens and calls of tools are counted; a run that may not call a tool any more is cancelled, with the counter as the cause.",
  cancel: "An operator ends a run from a process of his own, by `cancel`.",
  successor: "A run whose supervisor died is ended by another process, by `succeed`.",
} as const;

export type SupervisorCapability = keyof typeof SUPERVISOR_CAPABILITIES;

export interface ItemOfRun {
  /** Of one run, no two are equal. */
  readonly name: string;
  /** Names of items that have to be done before. */
  readonly needs: readonly string[];
  /** Held while it is worked on, taken in this order. */
  readonly locks: readonly string[];
  /** What a call of its tool costs. */
  readonly tokens: number;
}

export interface RunToSupervise {
  readonly id: string;
  readonly items: readonly ItemOfRun[];
  /** Whom the supervisor begins; children are begun by their parent, where spawn trees are declared. */
  readonly agents: readonly AgentSpec[];
  /** `agents`: how many may be begun, also instead of lost ones. `tokens` go into agents and calls of the tool. */
  readonly budget: BudgetSpec;
  /** What beginning an agent costs. */
  readonly spawnTokens: number;
  /** Milliseconds since 1970, of the world's clock. */
  readonly deadlineAtMs: number;
  /** So long a call of the tool may take; more than the run has where nobody is to give it up. */
  readonly toolLimitMs: number;
  /** Processes in which agents can be begun. */
  readonly places: readonly string[];
  /** The process that supervises it, to which messages can be sent. */
  readonly supervisor: string;
}

/** What an agent works with. Answers what the item comes to; that is put, whole, at the address of its artefact. */
export interface ToolOfAgent {
  call(item: string): Promise<string>;
}

export interface SupervisorAdapterPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly faults: Faults;
  /** Empty at the first; the same for all processes. */
  readonly ledger: Ledger;
  readonly artefacts: Artefacts;
  readonly messages: Messages;
  readonly spawner: Spawner;
  /** For agents. */
  readonly tool: ToolOfAgent;
  /** Of this process; a name of `places` in an agent's. */
  readonly name: string;
}

export interface SupervisorUnderTest {
  /** Takes the run to its end, and comes back when it is over. */
  supervise(run: RunToSupervise): Promise<unknown>;
  /** An agent, in the process that `spawner.spawn` began. Comes back when it is over. */
  work(run: RunToSupervise): Promise<unknown>;
  /** Ends the run now. */
  cancel?(run: RunToSupervise): Promise<unknown>;
  /** Begun with the run, in a process of its own. Ends the run behind its deadline when nobody did. */
  succeed?(run: RunToSupervise): Promise<unknown>;
}

export const ITEM_STATES = ["open", "claimed", "done", "failed", "dropped"] as const;

export interface ItemAccount {
  readonly name: string;
  /** `dropped`: neither done nor failed when the run ended. */
  readonly status: (typeof ITEM_STATES)[number];
  /** Of what is done: its address in the artefact store. */
  readonly artefact?: string | undefined;
}

/** What a terminal record says. */
export interface RecordAccount {
  readonly state: Exclude<RunState, "running">;
  readonly cause: Cause;
  /** Names of the agents of a wait cycle; empty without one. */
  readonly participants: readonly string[];
  readonly done: readonly string[];
  readonly failed: readonly string[];
  readonly notFinished: readonly string[];
}

export const HELD_KINDS = ["lease", "lock", "slot"] as const;

/** How the ledger says that a run stands. */
export interface RunAccount {
  /** `none`: it was not begun. */
  readonly state: RunState | "none";
  /** All there are. More than one is a fault that is not to be hidden here. */
  readonly records: readonly RecordAccount[];
  /** Of this run, by whomever. */
  readonly held: readonly { readonly kind: (typeof HELD_KINDS)[number]; readonly name: string }[];
  /** What is still to come: an item, or the end of an agent. */
  readonly owed: readonly { readonly debtor: string; readonly creditor: string }[];
  readonly items: readonly ItemAccount[];
}

/** Rows by table, sorted by id. They cannot be changed. */
export type LedgerPicture = ReadonlyMap<string, readonly LedgerRow[]>;

export interface SupervisorAdapter {
  readonly name: string;
  readonly version: string;
  readonly capabilities: readonly SupervisorCapability[];
  /** Called for each process, and again after a crash: the same ledger, no memory. */
  create(ports: SupervisorAdapterPorts): Promise<SupervisorUnderTest> | SupervisorUnderTest;
  /** What stands in the ledger, in the kit's words. Asked after every transition; answers the same for the same rows, and uses nothing else. */
  read(ledger: LedgerPicture, run: RunToSupervise): RunAccount;
}

/** What a run is given beyond its deadline: to the supervisor to end it, and as much again to a successor. */
export const GRACE_MS = 20_000;
/** The longest that an agent may keep its work, or wait for some, without a word: then it has stopped, or knows from the ledger that its run goes on. */
export const MAX_LEASE_MS = 90_000;
