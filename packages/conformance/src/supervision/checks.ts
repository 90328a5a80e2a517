/**
 * The eleven sentences as questions to what was seen. Six ask the guards of supervision, which know no fault. What only grows is asked
 * at every moment, so that a failure can name its step; the rest when everything has to be over.
 */
import { type Finding, supervisionItemsTerminal, supervisionNoDescendantExecuting, supervisionNoOpenObligation, supervisionNothingHeld, supervisionOneTerminalRecord, supervisionWithinBudget } from "@casebook/guards";
import { CAUSES, locksOf, type SupervisorRule } from "@casebook/supervisor/rules";
import { hasFaults } from "../play/playable.ts";
import { GRACE_MS, type ItemAccount, MAX_LEASE_MS, type RecordAccount, type RunAccount } from "./adapter.ts";
import { type AccountAt, doneAt, endedAt, lastAccount, recordedAt, type SupervisionSeen, type ToolCall } from "./seen.ts";
import { TELL_MS } from "./world.ts";

export type Alarm = (seen: SupervisionSeen) => string | undefined;

const EXECUTING: readonly string[] = ["running", "stopped", "restarting"];

function firstOf<T>(all: Iterable<T>, says: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const said = says(one);
    if (said !== undefined) return said;
  }
  return undefined;
}

const guarded = (finding: Finding | undefined): string | undefined => finding?.message;
const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

/** Asked only when everything has to be over. */
const atEnd = (alarm: Alarm): Alarm => (seen) => (seen.last === undefined ? undefined : alarm(seen));

/** Its supervisor did not live to begin it: there is nothing that could have ended. */
const isNowhere = (seen: SupervisionSeen): boolean => lastAccount(seen).state === "none" && seen.begun.length === 0;

/** Milliseconds since the run began. */
const since = ({ run }: SupervisionSeen, atMs: number): number => atMs - (run.deadlineAtMs - run.budget.wallClockMs);

const callsOf = ({ tools }: SupervisionSeen, item: string): readonly ToolCall[] => tools.filter((call) => call.item === item);

function oneRecord(seen: SupervisionSeen): string | undefined {
  const { accounts, run, last } = seen;
  const changed = unwritten(seen);
  if (changed !== undefined || last === undefined || isNowhere(seen)) return changed;
  const { records, state } = lastAccount(seen);
  const writtenBy = (at: number): string => accounts.find(({ account }) => account.records.length > at)?.by ?? "nobody";
  const found = guarded(supervisionOneTerminalRecord({ run: run.id, records: records.map(({ cause }, at) => ({ writtenBy: writtenBy(at), cause })), knownCauses: CAUSES }));
  return found ?? (state === records[0]?.state ? undefined : `the run is said to be ${state}, and its record says ${records[0]?.state ?? "nothing"}`);
}

/** What was the end of a run once is its end. */
function unwritten(seen: SupervisionSeen): string | undefined {
  return changedSince(seen, endedAt(seen), ({ state }) => state) ?? changedSince(seen, recordedAt(seen), ({ records }) => records.map(recordText).join(" and "));
}

/** In no particular order: some read their lists from rows that change when the run is given back. */
function recordText({ state, cause, done, failed, notFinished }: RecordAccount): string {
  const names = (list: readonly string[]): string => listed(list.toSorted());
  return `a record of ${state}, ${cause} (done ${names(done)}; failed ${names(failed)}; not finished ${names(notFinished)})`;
}

function changedSince(seen: SupervisionSeen, first: AccountAt | undefined, textOf: (account: RunAccount) => string): string | undefined {
  if (first === undefined) return undefined;
  const other = seen.accounts.slice(seen.accounts.indexOf(first)).find(({ account }) => textOf(account) !== textOf(first.account));
  if (other === undefined) return undefined;
  return `at ${since(seen, first.atMs)} ms ${first.by} had written ${textOf(first.account)}; at ${since(seen, other.atMs)} ms ${other.by} made ${textOf(other.account) || "no record"} of it`;
}

const nobodyExecutes = atEnd((seen) => {
  const { run, begun, last } = seen;
  const places = new Set(begun.map(({ process }) => process));
  const executing = last?.processes.filter(({ name, status }) => places.has(name) && EXECUTING.includes(status)).map(({ name }) => name) ?? [];
  return guarded(supervisionNoDescendantExecuting({ run: run.id, begun: places.size, executing })) ?? beganBehindTheEnd(seen);
});

/**
 * What began when the run had been over for longer than anybody may keep its work without a word; and where nothing had gone wrong and
 * nothing was left to do, at all. Whoever looks when everything has to be over finds it gone again.
 */
function beganBehindTheEnd(seen: SupervisionSeen): string | undefined {
  const end = endedAt(seen);
  if (end === undefined) return undefined;
  const isSmooth = !hasFaults(seen.rule.faults) && end.account.state === "completed";
  const sinceMs = end.atMs + (isSmooth ? 0 : MAX_LEASE_MS + 1);
  const over = `and the run was over at ${since(seen, end.atMs)} ms`;
  const begun = seen.begun.find(({ atMs }) => atMs >= sinceMs);
  if (begun !== undefined) return `${begun.process} was begun by ${begun.by} at ${since(seen, begun.atMs)} ms, ${over}`;
  const called = seen.tools.find(({ beganAtMs }) => beganAtMs >= sinceMs);
  return called === undefined ? undefined : `${called.process} called the tool for ${called.item} at ${since(seen, called.beganAtMs)} ms, ${over}`;
}

const nothingHeld = atEnd((seen) => {
  const { run } = seen;
  const of = (wanted: string): string[] => lastAccount(seen).held.filter(({ kind }) => kind === wanted).map(({ name }) => name);
  const looked = { items: run.items.length, locks: locksOf(run).length, slots: run.places.length };
  return guarded(supervisionNothingHeld({ run: run.id, leases: of("lease"), locks: of("lock"), slots: of("slot"), looked }));
});

const nothingOwed = atEnd((seen) => {
  const { owed } = lastAccount(seen);
  return guarded(supervisionNoOpenObligation({ run: seen.run.id, obligations: seen.run.items.length + seen.begun.length, open: owed }));
});

const TERMINAL: readonly ItemAccount["status"][] = ["done", "failed", "dropped"];

const itemsTerminal = atEnd((seen) => {
  if (isNowhere(seen)) return undefined;
  const { items, records } = lastAccount(seen);
  const missing = seen.run.items.find(({ name }) => !items.some((item) => item.name === name));
  if (missing !== undefined) return `${missing.name} is not among the items`;
  const hasArtefact = ({ name, artefact = "" }: ItemAccount): boolean => callsOf(seen, name).some(({ answer, endedAtMs }) => endedAtMs !== undefined && seen.artefacts.get(artefact)?.includes(answer) === true);
  const found = guarded(supervisionItemsTerminal({ run: seen.run.id, items: items.map((item) => ({ item: item.name, status: item.status, isTerminal: TERMINAL.includes(item.status), hasArtefact: hasArtefact(item) })) }));
  return found ?? firstOf(records, (record) => wrongRecord(seen, record));
});

/** What a record counts as done was done when it was written, what it counts as not finished never is, and nothing is left out. */
function wrongRecord(seen: SupervisionSeen, { done, failed, notFinished }: RecordAccount): string | undefined {
  const counted = [...done, ...failed, ...notFinished];
  const names = seen.run.items.map(({ name }) => name);
  if (counted.toSorted().join("\n") !== names.toSorted().join("\n")) return `the record counts ${counted.length} of ${names.length} items: done ${listed(done)}; failed ${listed(failed)}; not finished ${listed(notFinished)}`;
  const atMs = recordedAt(seen)?.atMs ?? 0;
  const early = done.find((item) => !callsOf(seen, item).some(({ endedAtMs = Number.POSITIVE_INFINITY }) => endedAtMs <= atMs));
  if (early !== undefined) return `the record of ${since(seen, atMs)} ms counts ${early} as done, and no tool had answered for it`;
  const isDone = (item: string): boolean => lastAccount(seen).items.some(({ name, status }) => name === item && status === "done");
  const open = done.find((item) => !isDone(item));
  if (open !== undefined) return `the record counts ${open} as done, and the item is not`;
  const finished = notFinished.find(isDone);
  return finished === undefined ? undefined : `the record counts ${finished} as not finished, and the item is done`;
}

/** From outside: who was begun, and which tools were called. */
function withinBudget({ run, tools, begun }: SupervisionSeen): string | undefined {
  const { agents, tokens, toolCalls } = run.budget;
  const price = new Map(run.items.map(({ name, tokens: cost }) => [name, cost]));
  const spent = tools.reduce((sum, { item }) => sum + (price.get(item) ?? 0), begun.length * run.spawnTokens);
  return guarded(supervisionWithinBudget({ run: run.id, counters: [{ counter: "agents", used: begun.length, limit: agents }, { counter: "tokens", used: spent, limit: tokens }, { counter: "toolCalls", used: tools.length, limit: toolCalls }] }));
}

const completes = atEnd((seen) => {
  if (isNowhere(seen)) return "nothing was begun";
  const { state, records, items } = lastAccount(seen);
  const done = items.filter(({ status }) => status === "done").length;
  if (state === "completed" && records.every(({ cause }) => cause === "completed") && done === seen.run.items.length) return workedTwice(seen);
  return `the run is ${state}, by a record of ${listed(records.map(({ cause }) => cause))}; ${done} of ${seen.run.items.length} items are done`;
});

/** Where nothing had gone wrong, no item has a reason to be tried again, by its agent or by another one. */
function workedTwice(seen: SupervisionSeen): string | undefined {
  if (hasFaults(seen.rule.faults)) return undefined;
  return firstOf(seen.run.items, ({ name }) => {
    const calls = callsOf(seen, name);
    return calls.length === 1 ? undefined : `nothing had gone wrong, and the tool was called ${calls.length} times for ${name}: by ${listed(calls.map(({ process }) => process))}`;
  });
}

const saysWhy = atEnd((seen) => {
  const [record] = lastAccount(seen).records;
  const allowed = seen.rule.ends?.(seen);
  if (record === undefined || allowed === undefined) return undefined;
  if (!allowed.includes(record.cause)) return `the record says ${record.cause}, and ${allowed.join(" or ")} would be right`;
  if (record.cause !== "deadlock") return undefined;
  const missing = seen.run.agents.find(({ name }) => !record.participants.includes(name));
  return missing === undefined ? undefined : `the record of a deadlock names ${listed(record.participants)}, and ${missing.name} waits as well`;
});

/** Who executes a second behind the deadline was sent something since, whatever it was. */
function toldFirst({ run, begun, told, behindDeadline }: SupervisionSeen): string | undefined {
  const places = new Set(begun.map(({ process }) => process));
  const executing = behindDeadline?.processes.filter(({ name, status }) => places.has(name) && EXECUTING.includes(status)).map(({ name }) => name) ?? [];
  const untold = executing.filter((name) => !told.some(({ to, atMs }) => to === name && atMs >= run.deadlineAtMs && atMs <= run.deadlineAtMs + TELL_MS));
  if (untold.length === 0) return undefined;
  const next = told.find(({ to, atMs }) => untold.includes(to) && atMs > run.deadlineAtMs);
  return `${untold.length} of ${places.size} agents executed a second behind the deadline and had been told nothing: ${untold.join(", ")}${next === undefined ? "" : `; ${next.to} was told at ${next.atMs - run.deadlineAtMs} ms behind it`}`;
}

/** Who cannot find out does not wait longer than the ledger does: the end stands before a successor would come. */
const diagnosisEnds = atEnd((seen) => {
  const end = recordedAt(seen);
  const behindMs = (end?.atMs ?? Number.POSITIVE_INFINITY) - seen.run.deadlineAtMs;
  if (behindMs < GRACE_MS) return undefined;
  return `the end was written ${end === undefined ? "never" : `${behindMs} ms behind the deadline by ${end.by}`}, and the ledger answered before that`;
});

function lateWritesRefused(seen: SupervisionSeen): string | undefined {
  return firstOf(seen.run.items, ({ name }) => {
    const first = doneAt(seen, name);
    if (first === undefined) return undefined;
    const itemIn = ({ account }: typeof first): ItemAccount | undefined => account.items.find((item) => item.name === name);
    const text = (item: ItemAccount | undefined): string => `${item?.status ?? "missing"} at ${item?.artefact ?? "no address"}`;
    const other = seen.accounts.slice(seen.accounts.indexOf(first)).find((one) => text(itemIn(one)) !== text(itemIn(first)));
    if (other !== undefined) return `${name} was ${text(itemIn(first))} at ${since(seen, first.atMs)} ms, and is ${text(itemIn(other))} since ${since(seen, other.atMs)} ms, by ${other.by}`;
    if (seen.last === undefined) return undefined;
    const newest = callsOf(seen, name).findLast(({ beganAtMs }) => beganAtMs < first.atMs);
    const body = seen.artefacts.get(itemIn(first)?.artefact ?? "") ?? "nothing";
    const stale = callsOf(seen, name).find(({ answer }) => answer !== newest?.answer && body.includes(answer));
    if (stale === undefined) return undefined;
    return `${name} was done at ${since(seen, first.atMs)} ms with ${stale.answer} from ${stale.process}, and ${newest?.process ?? "nobody"} had begun it anew at ${since(seen, newest?.beganAtMs ?? 0)} ms`;
  });
}

export const ALARMS: Readonly<Record<SupervisorRule, Alarm>> = {
  "supervision/one-terminal-record": oneRecord,
  "supervision/no-descendant-executing": nobodyExecutes,
  "supervision/nothing-held": nothingHeld,
  "supervision/no-open-obligation": nothingOwed,
  "supervision/items-terminal": itemsTerminal,
  "supervision/within-budget": withinBudget,
  "supervision/finishes-what-can-be-finished": completes,
  "supervision/says-why": saysWhy,
  "supervision/tells-agents-first": toldFirst,
  "supervision/diagnosis-has-a-limit": diagnosisEnds,
  "supervision/refuses-late-writes": lateWritesRefused,
};

/** Who says nothing of what he holds, and of what is owed, passes every rule about what is left of it. */
export function accountSpeaks(seen: SupervisionSeen): string | undefined {
  return firstOf(seen.tools, ({ item, process, beganAtMs, endedAtMs }) => {
    if (endedAtMs === undefined) return undefined;
    // In its middle: what happens in the instant of its beginning or its end may stand before or behind.
    const middleMs = (beganAtMs + endedAtMs) / 2;
    // A tool may go on when its run is over and its agent is gone.
    if ((endedAt(seen)?.atMs ?? endedAtMs) <= middleMs) return undefined;
    const during = seen.accounts.findLast(({ atMs }) => atMs <= middleMs);
    const { held, owed } = during?.account ?? { held: [], owed: [] };
    const missing = [...(held.length === 0 ? ["nothing that is held"] : []), ...(owed.length === 0 ? ["nothing that is owed"] : [])];
    return missing.length === 0 ? undefined : `while ${process} worked at ${item}, read named ${missing.join(", and ")}`;
  });
}
