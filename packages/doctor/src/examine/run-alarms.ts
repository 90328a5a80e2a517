/** The guards over the runs of a supervisor's ledger. What a file cannot show (processes, the artefact store) is not asked. */
import {
  dispatchExpiredLeaseHeld,
  type Finding,
  type GuardAbout,
  supervisionItemsTerminal,
  supervisionNoOpenObligation,
  supervisionNothingHeld,
  supervisionOneTerminalRecord,
  supervisionWaitCycle,
  supervisionWithinBudget,
} from "@casebook/guards";
import { CAUSES, TERMINAL_ITEM_STATUSES } from "@casebook/supervisor/judge";
import type { NotRead, RunLedgerObservation } from "../observation.ts";
import { notRead } from "../read/index.ts";
import { raise, type Raised } from "./raised.ts";
import { type RunAccount, runAccounts } from "./run-accounts.ts";

export function runAlarms(observation: RunLedgerObservation, nowMs: number): Raised[] {
  return runAccounts(observation, nowMs).runs.flatMap((account) => alarmsOf(account, observation, nowMs));
}

function alarmsOf({ run, facts, unknown, obligations }: RunAccount, { path, transitions, graceMs }: RunLedgerObservation, nowMs: number): Raised[] {
  const { records, items, isOver, isSettled, nameOf, edges, cycle, owed, looked, locksHeld, slotsHeld, counters } = facts;
  const ask = <Facts>(guard: { (facts: Facts): Finding | undefined; readonly about: GuardAbout }, asked: Facts): Raised[] =>
    raise(guard, asked, { tasks: [run], where: { path }, proof: [`run ${run}`, `transitions ${transitions}`], confidence: "measured", within: path });
  const oneRecord = () => ask(supervisionOneTerminalRecord, { run, records, knownCauses: CAUSES });
  // Two are two, whatever else could not be read; of anything else a row that may be old says nothing.
  if (unknown !== undefined) return records.length > 1 ? oneRecord() : [];
  const held = items.filter(({ status }) => status === "claimed");
  const since = Math.max(...edges.filter(({ from }) => cycle.includes(nameOf(from))).map(({ sinceMs }) => sinceMs));
  const always = [
    ...ask(supervisionWithinBudget, { run, counters }),
    ...(isOver || records.length > 1 ? oneRecord() : []),
  ];
  if (!isSettled) {
    const leases = held.map(({ name, owner, claimedAtMs, expiresAtMs }) => ({ task: name, owner: nameOf(owner ?? ""), beganAtMs: claimedAtMs, expiresAtMs }));
    return [...always, ...ask(supervisionWaitCycle, { run, waiting: edges.length, cycle, sinceMs: since, nowMs }), ...ask(dispatchExpiredLeaseHeld, { leases, nowMs, graceMs })];
  }
  return [
    ...always,
    ...ask(supervisionNothingHeld, { run, leases: held.map(({ name }) => name), locks: locksHeld, slots: slotsHeld, looked: { items: items.length, ...looked } }),
    ...ask(supervisionNoOpenObligation, { run, obligations, open: owed }),
    // The store is not looked at; an address is all that a ledger can show.
    ...ask(supervisionItemsTerminal, { run, items: items.map(({ name, status, uri }) => ({ item: name, status, isTerminal: TERMINAL_ITEM_STATUSES.includes(status), hasArtefact: uri !== null && uri !== "" })) }),
  ];
}

/** Rows of runs that are not there: what they owe, nobody can ask for. */
export function strayRows(observation: RunLedgerObservation, nowMs: number): NotRead[] {
  const { path } = observation;
  return [...runAccounts(observation, nowMs).strays].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([run, counts]) =>
    notRead(path, "missing-input", `${counts.join(", ")} of ${path} are of the run ${run}, which it does not have: whether they are open nobody can ask`, "UNKNOWN_RUN"),
  );
}
