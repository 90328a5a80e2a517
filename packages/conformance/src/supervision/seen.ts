/**
 * What the kit sees of one execution by itself, and what the adapter's `read` makes of each state of the ledger. Where both speak of
 * the same thing, a rule believes what was seen.
 */
import type { LedgerRow } from "@casebook/ports";
import type { LedgerState } from "@casebook/sim/kernel";
import { readAnswered, readThrown } from "../answers.ts";
import type { LedgerPicture, RunAccount, RunToSupervise, SupervisorAdapter } from "./adapter.ts";
import { readAccount } from "./read-account.ts";
import type { CheckedSupervisionRule } from "./rule.ts";

export interface ToolCall {
  readonly process: string;
  readonly item: string;
  /** What it answers: no two calls answer the same. */
  readonly answer: string;
  readonly beganAtMs: number;
  endedAtMs: number | undefined;
}

export interface Look {
  readonly atMs: number;
  readonly processes: readonly { readonly name: string; readonly status: string }[];
}

export interface AccountAt {
  readonly atMs: number;
  /** Who asked for the transition that led to it. */
  readonly by: string;
  readonly account: RunAccount;
}

/** Written while an execution is played. */
export interface Observed {
  readonly tools: ToolCall[];
  /** Agents that came to life: their process, and who asked for it. */
  readonly begun: { readonly process: string; readonly by: string; readonly atMs: number }[];
  /** Messages and answers to a process, when they were sent. */
  readonly told: { readonly to: string; readonly atMs: number }[];
  /** What the adapter did that no supervisor may do. */
  readonly broken: string[];
  /** One second behind the deadline. */
  behindDeadline: Look | undefined;
  /** When everything has to be over. */
  last: Look | undefined;
}

export interface SupervisionSeen extends Observed {
  readonly rule: CheckedSupervisionRule;
  readonly run: RunToSupervise;
  /** In order, each different from the one before. */
  readonly accounts: readonly AccountAt[];
  /** Everything in the store, by address. */
  readonly artefacts: ReadonlyMap<string, string>;
}

export const emptyRecord = (): Observed => ({ tools: [], begun: [], told: [], broken: [], behindDeadline: undefined, last: undefined });

const NOTHING: RunAccount = { state: "none", records: [], held: [], owed: [], items: [] };

export const lastAccount = ({ accounts }: SupervisionSeen): RunAccount => accounts.at(-1)?.account ?? NOTHING;

/** When the run was first said to be over, or undefined. */
export function endedAt({ accounts }: SupervisionSeen): AccountAt | undefined {
  return accounts.find(({ account: { state } }) => state !== "none" && state !== "running");
}

/** When the record was first there. */
export function recordedAt({ accounts }: SupervisionSeen): AccountAt | undefined {
  return accounts.find(({ account: { records } }) => records.length > 0);
}

/** When the item was first called done. */
export function doneAt({ accounts }: SupervisionSeen, item: string): AccountAt | undefined {
  return accounts.find(({ account: { items } }) => items.some(({ name, status }) => name === item && status === "done"));
}

/** Plays the journal of the ledger again, as far as it has come, and asks the adapter after each transition. */
export class Accounts {
  readonly #ledger: LedgerState;
  readonly #adapter: SupervisorAdapter;
  readonly #run: RunToSupervise;
  readonly #broken: string[];
  readonly #rows = new Map<string, Map<string, LedgerRow>>();
  readonly #picture = new Map<string, readonly LedgerRow[]>();
  readonly #accounts: AccountAt[] = [];
  #played = 0;
  #lastText = "";
  #first: { readonly picture: LedgerPicture; readonly text: string | undefined } | undefined;

  constructor(ledger: LedgerState, adapter: SupervisorAdapter, run: RunToSupervise, broken: string[]) {
    this.#ledger = ledger;
    this.#adapter = adapter;
    this.#run = run;
    this.#broken = broken;
  }

  get all(): readonly AccountAt[] {
    const { journal } = this.#ledger;
    while (this.#played < journal.length) {
      const { outcome, changes, atMs, by } = journal[this.#played] as (typeof journal)[number];
      this.#played += 1;
      if (outcome === "refused") continue;
      for (const { table, id, set } of changes) {
        const rows = this.#rows.get(table) ?? new Map<string, LedgerRow>();
        this.#rows.set(table, rows.set(id, frozen({ ...rows.get(id), ...set, id })));
      }
      for (const table of new Set(changes.map((change) => change.table))) this.#picture.set(table, sorted(this.#rows.get(table)));
      this.#ask(atMs, by);
    }
    return this.#accounts;
  }

  /** From within a process of the world, where a look at a real clock is seen: the same rows again, and those of the beginning, and the same answers are wanted. */
  askAgain(): void {
    void this.all;
    const [one, two] = [this.#read(this.#picture), this.#read(this.#picture)];
    const isOther = this.#first !== undefined && this.#read(this.#first.picture) !== this.#first.text;
    if (one !== two || isOther) this.#note("read answered two things for the same rows. Answer from the rows alone, and keep nothing");
  }

  #ask(atMs: number, by: string): void {
    const text = this.#read(this.#picture);
    this.#first ??= { picture: new Map(this.#picture), text };
    if (text === undefined || text === this.#lastText) return;
    this.#lastText = text;
    this.#accounts.push({ atMs, by, account: JSON.parse(text) as RunAccount });
  }

  #read(picture: LedgerPicture): string | undefined {
    let answer: unknown;
    try {
      answer = this.#adapter.read(picture, this.#run);
    } catch (failure) {
      return this.#note(`read threw ${readThrown(failure).text}. Rows cannot be changed; answer for every state of the ledger, an empty one too`);
    }
    const read = readAnswered(answer, (value) => readAccount(value, this.#run));
    return "value" in read ? JSON.stringify(read.value) : this.#note(`read answered ${read.wrong}`);
  }

  #note(text: string): undefined {
    if (!this.#broken.includes(text)) this.#broken.push(text);
    return undefined;
  }
}

function sorted(rows: ReadonlyMap<string, LedgerRow> | undefined): readonly LedgerRow[] {
  return Object.freeze([...(rows?.values() ?? [])].sort(({ id: one }, { id: other }) => (one < other ? -1 : 1)));
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) frozen(part as object);
  return Object.freeze(value);
}
