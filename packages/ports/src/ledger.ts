/**
 * The ledger port: rows that several processes share, changed by conditional transitions only. Models what one database transaction
 * with a predicate on each row does. Locks, worker slots, leases and obligations are rows like any other.
 * Leaves out queries beyond equality, joins, and isolation between two reads.
 *
 * A call may be slow, be refused, or never be answered although it was carried out. Whoever calls bounds the wait, and asks again
 * what became of it.
 */

export type LedgerValue = string | number | boolean | null | readonly LedgerValue[] | { readonly [field: string]: LedgerValue };

/** Fields by name; `id` is one of them and names the row within its table. */
export type LedgerRow = { readonly id: string } & { readonly [field: string]: LedgerValue };

export type LedgerFields = Readonly<Record<string, LedgerValue>>;

/** One row of a transition. */
export interface LedgerChange {
  readonly table: string;
  readonly id: string;
  /**
   * The predicate. `absent`: there is no such row yet. Fields: the row is there and each of these has this value. `any`: no predicate
   * at all, the row is made if need be; two writers that use it overwrite each other.
   */
  readonly when: "absent" | "any" | LedgerFields;
  readonly set?: LedgerFields | undefined;
  /** Added to fields that hold numbers; a missing one counts as 0. */
  readonly add?: Readonly<Record<string, number>> | undefined;
  /** After adding, no field may be above its limit. */
  readonly atMost?: Readonly<Record<string, number>> | undefined;
}

export type TransitionAnswer =
  /** The rows as they are now, in the order of the changes. */
  | { readonly outcome: "applied"; readonly rows: readonly LedgerRow[] }
  /** Nothing was changed. `at`: position of the first change whose predicate did not hold. `field`: which one differs or is over. */
  | {
      readonly outcome: "refused";
      readonly at: number;
      readonly why: "present" | "absent" | "differs" | "over";
      readonly field: string | undefined;
      readonly row: LedgerRow | undefined;
    };

export interface Ledger {
  /** The row, or undefined. */
  read(table: string, id: string): Promise<LedgerRow | undefined>;
  /** Rows that have all these values, sorted by id; all of the table without `where`. */
  list(table: string, where?: LedgerFields): Promise<readonly LedgerRow[]>;
  /** All changes or none. `reason` says in a word why, for whoever reads the journal: `item.claimed`. */
  transition(reason: string, changes: readonly LedgerChange[]): Promise<TransitionAnswer>;
}

/** What the store keeps of a transition, in order: the export that somebody reads afterwards. One JSON line each. */
export interface LedgerEntry {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Of the store's clock. */
  readonly atMs: number;
  /** Who asked. */
  readonly by: string;
  readonly reason: string;
  readonly outcome: "applied" | "refused";
  /** What each changed row was set to; of a refused one, what it should have been set to. */
  readonly changes: readonly { readonly table: string; readonly id: string; readonly set: LedgerFields }[];
  /** Of a refused one: `present`, `absent`, `differs state`, `over tokensUsed`. */
  readonly why?: string | undefined;
}

/** Refuses: LEDGER_REFUSES (nothing was carried out; ask again), LEDGER_FULL (reads go on), LEDGER_CONNECTION_LOST (it may have been). */
export type LedgerErrorCode = "LEDGER_REFUSES" | "LEDGER_FULL" | "LEDGER_CONNECTION_LOST";
