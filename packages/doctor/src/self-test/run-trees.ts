/** What a ledger of runs does not have when all is well: two ends, what is still held or owed, circles, and the rest. */
import { iso } from "../presets/fixtures/fixture.ts";
import { LEDGER_STEPS, type LedgerStep, nightRecord, NIGHT, runLedger } from "../presets/fixtures/run-ledger.fixture.ts";
import { damaged } from "./damaged.ts";
import type { GuardTrees } from "./planted.ts";

const at = "2026-09-02T07:58:00Z";

export function runTrees(): GuardTrees[] {
  const healthy = runLedger();
  const tree = (guard: string, what: string, ...rows: LedgerStep["rows"]) => damaged(guard, what, runLedger([...NIGHT, { at, reason: "test", rows }]), healthy);
  const { begun, done, ended, second } = LEDGER_STEPS;
  const waits = (owner: string, kind: string, target: string) => ["waits", owner, { run: "night-2", owner, kind, target, sinceMs: iso("2026-09-02T07:57:00Z") }] as const;
  return [
    tree("supervision/one-terminal-record", "two records of one run", ["records", "record-2", nightRecord({ cause: "deadline", state: "cancelled", writtenBy: "operator" })]),
    tree("supervision/nothing-held", "a lock of a run that is over", ["locks", "vendor", { run: "night-1", holder: "reader-o" }]),
    damaged("supervision/no-open-obligation", "a run that ended and was not settled", runLedger([begun, done, ended, second]), healthy),
    tree("supervision/items-terminal", "an item without an address", ["items", "night-1/plan", { uri: null }]),
    tree("supervision/within-budget", "a run that spent too much", ["runs", "night-2", { tokens: 1_001 }]),
    tree("supervision/wait-cycle", "two agents that wait for each other", ["locks", "vendor", { run: "night-2", holder: "writer-o" }], waits("reader-o", "lock", "vendor")),
    tree("dispatch/expired-lease-held", "a lease that was not renewed", ["items", "night-2/plan", { expiresAtMs: iso("2026-09-02T07:55:00Z") }]),
  ];
}
