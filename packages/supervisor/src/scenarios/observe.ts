/** What can be counted in a played run beyond the invariants: from the journal of the ledger, the log, and the rows. */
import type { LedgerEntry } from "@casebook/ports";
import type { ItemRow } from "../judge/index.ts";
import type { PlayedRun } from "./play-run.ts";
import { recordsOf, type RunSnapshot } from "./read-facts.ts";
import type { TerminalRecord } from "../judge/index.ts";
import { RUN_ID } from "../rules/index.ts";

/** An observation in words with its figures, and whether it is what was expected. */
export interface Observation {
  readonly holds: boolean;
  readonly says: string;
}

/** `910500 ms`, or `never`. */
export function atText(sinceMs: number): string {
  return Number.isFinite(sinceMs) ? `${sinceMs} ms` : "never";
}

export class Seen {
  readonly snapshot: RunSnapshot;
  readonly log: PlayedRun["log"];
  readonly beganAtMs: number;
  readonly items: readonly ItemRow[];
  readonly record: TerminalRecord | undefined;

  constructor({ log, beganAtMs }: PlayedRun, snapshot: RunSnapshot) {
    this.snapshot = snapshot;
    this.log = log;
    this.beganAtMs = beganAtMs;
    this.items = (snapshot.tables.get("items") ?? []) as unknown as readonly ItemRow[];
    this.record = recordsOf(RUN_ID, snapshot)[0];
  }

  entries(reason: string, outcome: LedgerEntry["outcome"] = "applied"): readonly LedgerEntry[] {
    return this.snapshot.journal.filter((entry) => entry.reason.startsWith(reason) && entry.outcome === outcome);
  }

  /** Of the items that were taken back from a lost agent: which, when, why, and what became of them. */
  reassigned(): readonly { readonly item: ItemRow; readonly atMs: number; readonly why: string; readonly claimedAtMs: number; readonly expiresAtMs: number; readonly owner: string }[] {
    return this.entries("item.reassigned").flatMap((entry) =>
      entry.changes.flatMap(({ table, id }) => {
        const item = this.items.find((one) => one.id === id);
        if (table !== "items" || item === undefined) return [];
        const before = this.snapshot.journal.filter(({ seq, outcome }) => seq < entry.seq && outcome === "applied").flatMap(({ reason, atMs, changes }) => changes.filter((change) => change.id === id && change.table === "items").map(({ set }) => ({ reason, atMs, set })));
        const claim = before.findLast(({ reason }) => reason === "item.claimed");
        const expiry = before.findLast(({ set }) => typeof set["expiresAtMs"] === "number");
        return [{ item, atMs: entry.atMs, why: entry.reason.slice("item.reassigned ".length), claimedAtMs: claim?.atMs ?? 0, expiresAtMs: Number(expiry?.set["expiresAtMs"] ?? 0), owner: String(claim?.set["owner"] ?? "") }];
      }),
    );
  }

  /** Milliseconds since the run began; NaN of what did not happen, which is neither early nor late enough for anything. */
  since(atMs: number | undefined): number {
    return (atMs ?? Number.NaN) - this.beganAtMs;
  }

  logged(event: string): PlayedRun["log"] {
    return this.log.filter((entry) => entry.event === `supervisor.${event}`);
  }
}
