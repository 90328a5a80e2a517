/**
 * Dispatchers that are the reference with one policy changed, and the checks of the suite that each of them is expected to fail. The
 * expectations were written before the first run; what the run added or took away stands beside, as a surprise, with its reason. Checks of rules are under the number of the rule.
 */
import { type DispatcherPolicies, REFERENCE_POLICIES } from "../judge/index.ts";

export interface KnownBadDispatcher {
  readonly name: string;
  /** Over the reference; one. */
  readonly policies: Partial<DispatcherPolicies>;
  /** Checks of the suite: `F09/recognised`, `F10/rule-6`. */
  readonly breaks: readonly string[];
  /** Checks that it fails as well, with the reason that was found. */
  readonly unexpected?: Readonly<Record<string, string>>;
  /** Checks that it was expected to fail and passes, with the reason. */
  readonly unbroken?: Readonly<Record<string, string>>;
}

/** One reason for many. */
function allOf(reason: string, checks: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(checks).flatMap(([scenario, names]) => names.map((name) => [`${scenario}/${name}`, reason])));
}

export const KNOWN_BAD_DISPATCHERS: readonly KnownBadDispatcher[] = [
  {
    name: "last-listed-wins",
    policies: { reader: "last-listed" },
    breaks: ["F01/reported", "F01/not-overwritten", "F01/rule-1", "F02/both-kept", "F02/others-go-on", "F02/rule-2"],
    unexpected: { "F01/rule-2": "the text that wins is moved, and the other stays", "F20/says": "TASK-4 has two texts there", "F20/rule-1": "TASK-4 has two texts there", "F20/rule-2": "TASK-4 has two texts there" },
  },
  {
    name: "writes-over-a-number",
    policies: { append: "last-writer" },
    breaks: ["F10d/fenced", "F15b/one-start", "F15b/rule-3", "F15b/rule-6"],
    unexpected: { "F15b/rule-4": "the attempt of the session is the record that was written over", "F03/readable": "the folder is there before its record, and one without a record stops everything" },
    unbroken: { "F10d/fenced": "the two never write at one time there", "F15b/rule-6": "each has an attempt of its own, of which one is gone" },
  },
  {
    name: "writes-in-place",
    policies: { append: "in-place" },
    breaks: ["F03/readable"],
    unexpected: { "F03b/goes-on": "nothing of it is synced", "F03b/kept": "nothing of it is synced", "F03b/rule-3": "nothing of it is synced", "F10g/rule-3": "nothing of it is synced", "F10g/rule-4": "nothing of it is synced", "F15b/rule-3": "two writers use one number", "F15b/rule-6": "two writers use one number" },
  },
  { name: "does-not-sync-names", policies: { directorySync: "none" }, breaks: ["F03b/kept", "F03b/goes-on", "F03b/rule-3", "F10g/no-blind-start", "F10g/rule-3", "F10g/rule-6"], unexpected: { "F10g/rule-4": "the attempt of the first session is among what was lost" } },
  { name: "retries-for-ever", policies: { retries: "endless" }, breaks: ["F04b/bounded", "F04b/visible"] },
  {
    name: "fails-in-silence",
    policies: { retries: "silent" },
    breaks: ["F04b/visible", "F04b/rule-3", "F04c/visible", "F04c/not-copied"],
    unexpected: { "F04b/rule-4": "it starts on a record that is not there" },
    unbroken: { "F04c/visible": "another mount is no passing refusal, and is not tried again", "F04c/not-copied": "as above" },
  },
  { name: "leaves-temporaries", policies: { leftovers: "kept" }, breaks: ["F03/cleaned"] },
  {
    name: "copies-then-unlinks",
    policies: { move: "copy-then-unlink" },
    breaks: ["F02b/one-place", "F02b/goes-on", "F02b/rule-2"],
    unexpected: {
      "F10g/one-place": "the removal of the old name is not synced",
      "F10g/rule-2": "as above",
      ...allOf("a move that is cut off leaves two files, whichever move it is", { F02b: ["on-record"], F02c: ["one-place", "on-record", "rule-2"], F02d: ["one-place", "on-record", "rule-2"], F02e: ["said", "finished", "rule-2"] }),
    },
  },
  {
    name: "takes-any-lease",
    policies: { leaseCheck: "none" },
    breaks: ["F15b/one-start", "F15b/rule-6", "F10d/no-late-write", "F15c/one-start", "F15c/answered", "F15c/rule-6"],
    unexpected: { "F10i/answered": "the other one takes the lease while the answer is waited for, and that is what it is told" },
    unbroken: { "F15b/one-start": "a taken lease has another epoch, which the last look before the start sees", "F15b/rule-6": "as above", "F10d/no-late-write": "the fence is another protection, and holds" },
  },
  { name: "fences-by-name", policies: { fence: "owner" }, breaks: ["F10d/fenced", "F10d/no-late-write", "F10d/rule-6"] },
  {
    name: "does-not-take-turns",
    policies: { turns: "none" },
    breaks: ["F15/one-start", "F15/rule-6"],
    unexpected: { "F15/answered": "the two calls move one file, and the wake is told that it could not" },
  },
  {
    name: "takes-each-call-for-an-intent",
    policies: { keys: "fresh-each-call" },
    breaks: ["F10e/no-second-start", "F10e/a-person-decides"],
    unexpected: { "F20/says": "the failed task is started again and again" },
  },
  {
    name: "waits-for-ever",
    policies: { waits: "for-ever" },
    breaks: ["F10h/no-blind-start", "F10h/others-go-on", "F10h/kernel/deadlock", "F10i/answered", "F10i/not-written", "F10j/a-person-decides", "F10j/kernel/deadlock", "F10k/visible", "F10l/others-go-on", "F10l/said-and-taken-back", "F10l/kernel/deadlock", "F19b/said", "F19b/listed", "F19b/kernel/deadlock"],
  },
  {
    name: "gives-each-start-a-key",
    policies: { startKey: "fresh-each-start" },
    breaks: ["F10/no-blind-start", "F10/visible", "F10/rule-6", "F10c/no-blind-start", "F10c/visible", "F10c/rule-6", "F10f/one-start", "F10f/rule-6", "F10h/no-blind-start", "F10h/rule-6", "F10i/not-written", "F10i/rule-6", "F10k/visible", "F19b/listed"],
    unexpected: { "F10g/no-blind-start": "a power loss is a crash as well", "F10g/rule-6": "a power loss is a crash as well", "F19/listed": "its own sessions look like strangers" },
    unbroken: { "F10h/rule-6": "a start that was not answered is not tried again where keys are not honoured", "F10i/rule-6": "as above", "F10k/visible": "the late answer names the session" },
  },
  { name: "starts-again-after-a-crash", policies: { recovery: "start-again" }, breaks: ["F10/no-blind-start", "F10/visible", "F10/rule-6", "F10b/no-blind-start", "F10b/a-person-decides", "F10b/rule-6", "F10c/no-blind-start", "F10c/visible", "F10c/rule-6", "F10h/no-blind-start", "F10h/rule-6", "F10i/not-written", "F10i/rule-6", "F10j/no-blind-start", "F10j/a-person-decides", "F10j/rule-6", "F10k/no-blind-start", "F10k/visible", "F10k/rule-6"], unexpected: { "F10g/no-blind-start": "a power loss is a crash as well", "F10g/rule-6": "a power loss is a crash as well" } },
  {
    name: "takes-an-intent-for-a-start",
    policies: { recovery: "assume-running" },
    breaks: ["F09/recognised", "F09/from-evidence", "F09/rule-6", "F10h/rule-6", "F10i/rule-6", "F10j/a-person-decides", "F10j/rule-6", "F10k/visible", "F10k/rule-6"],
    unexpected: { "F03b/goes-on": "a power loss is a crash as well", "F03b/rule-6": "a power loss is a crash as well", "F10g/rule-6": "a power loss is a crash as well", "F02b/goes-on": "an intent is recovered there as well", "F02b/rule-6": "an intent is recovered there as well", "F04c/rule-6": "an intent is recovered there as well", "F10/rule-6": "an intent is recovered there as well", "F10b/rule-6": "an intent is recovered there as well", "F10c/rule-6": "an intent is recovered there as well", "F10d/fenced": "an intent is recovered there as well", "F10d/rule-6": "an intent is recovered there as well", "F10f/rule-6": "an intent is recovered there as well", "F02b/on-record": "an intent is recovered there as well", "F02e/finished": "an intent is recovered there as well", "F02e/rule-6": "an intent is recovered there as well" },
    unbroken: { "F10j/a-person-decides": "the session that it assumes has no name that the runtime knows, and a person is asked about that", "F10k/visible": "as above" },
  },
  { name: "starts-what-was-read-before", policies: { revisionCheck: "none" }, breaks: ["F18c/not-started", "F18c/recorded", "F18c/rule-4"] },
  { name: "does-not-notice-edits", policies: { edits: "unnoticed" }, breaks: ["F18/detected", "F18/not-started", "F18/rule-4"] },
  {
    name: "takes-any-source",
    policies: { sources: "any" },
    breaks: ["F13/refused", "F13/rule-5"],
    unexpected: { "F20/says": "TASK-3 comes from a stranger there", "F20/rule-5": "as above" },
  },
  {
    name: "ignores-dependencies",
    policies: { dependencies: "ignored" },
    breaks: ["F08/no-session", "F08/recorded", "F08/rule-5", "F14/no-session-before", "F14/rule-5"],
    unexpected: { "F20/says": "TASK-2 needs TASK-1 there", "F20/rule-5": "as above" },
  },
  {
    name: "ignores-gates",
    policies: { gates: "ignored" },
    breaks: ["F08/no-session", "F08/recorded", "F08/rule-5", "F14/no-session-before", "F14/rule-5", "F18/not-started", "F18/rule-5"],
    unexpected: { "F18/detected": "it has started before the edit", "F18/rule-2": "the edit puts the file back where it was published" },
  },
  { name: "ignores-holds", policies: { holds: "ignored" }, breaks: ["F16/idempotent", "F16/released-once", "F16/rule-5"] },
  { name: "overloads-agents", policies: { agents: "any-number" }, breaks: ["F07/one-at-a-time", "F07/recorded", "F07/rule-5"] },
  {
    name: "blocks-in-silence",
    policies: { blocks: "silent" },
    breaks: ["F01/reported", "F01/rule-1", "F02/both-kept", "F02/rule-2", "F07/recorded", "F08/recorded", "F13/refused", "F18/detected", "F18b/recorded", "F20/says"],
    unexpected: { "F20/rule-1": "the conflict is not on record" },
  },
  { name: "accepts-by-report", policies: { acceptance: "by-report" }, breaks: ["F11/not-accepted"] },
  { name: "lets-workers-accept-themselves", policies: { selfApproval: "accepted" }, breaks: ["F18b/not-accepted", "F18b/recorded"] },
  { name: "moves-anywhere", policies: { moves: "any" }, breaks: ["F17/reported", "F17/nothing-invented", "F17/rule-3"] },
  { name: "adopts-strangers", policies: { orphans: "adopted" }, breaks: ["F19/listed", "F19/not-adopted", "F19/rule-6", "F19b/listed", "F19b/rule-6"] },
  { name: "does-not-look-for-strangers", policies: { orphans: "unseen" }, breaks: ["F19/listed", "F19b/said", "F19b/listed"], unbroken: { "F19b/said": "it asks for no list, so that none is late", "F19b/listed": "as above" } },
  {
    name: "takes-an-event-for-a-fact",
    policies: { events: "dispatch" },
    breaks: ["F05/one-commit", "F05/rule-4", "F06/late-event", "F06/rule-4"],
    unexpected: allOf("its own move of a task is an event that names the task", {
      F01: ["not-overwritten", "rule-4"],
      F02: ["others-go-on", "rule-4"],
      F02b: ["goes-on", "rule-4"],
      F02c: ["rule-4"],
      F02d: ["rule-4"],
      F02e: ["finished", "rule-4"],
      F03: ["readable", "rule-4"],
      F03b: ["goes-on", "rule-4"],
      F04: ["retried", "rule-4"],
      F05b: ["once-each", "rule-4"],
      F06c: ["rule-4"],
      F07: ["one-at-a-time", "rule-4"],
      F08: ["no-session", "rule-4"],
      F09: ["from-evidence", "rule-4"],
      F10: ["no-blind-start", "visible", "rule-4"],
      F10b: ["no-blind-start", "rule-4"],
      F10c: ["no-blind-start", "visible", "rule-4"],
      F10d: ["fenced", "rule-4"],
      F10f: ["one-start", "rule-4"],
      F10g: ["no-blind-start", "rule-4"],
      F10e: ["no-second-start", "rule-4"],
      F10h: ["no-blind-start", "rule-4"],
      F10j: ["no-blind-start", "a-person-decides", "rule-4"],
      F10k: ["no-blind-start", "visible", "rule-4"],
      F10l: ["said-and-taken-back", "rule-4"],
      F11: ["rule-4"],
      F13: ["accepted", "rule-4"],
      F14: ["once-when-met", "rule-4"],
      F15: ["one-start", "rule-4"],
      F15b: ["one-start", "rule-4"],
      F15c: ["one-start", "rule-4"],
      F17: ["rule-4"],
      F18b: ["rule-4"],
      F19: ["listed", "rule-4"],
      F19b: ["listed", "rule-4"],
      F20: ["rule-4"],
    }),
  },
  {
    name: "hears-events-only",
    policies: { observation: "events-only" },
    breaks: ["F06/found"],
    unexpected: { "F06b/found": "no event at all is one that is missed", "F06b/goes-on": "no event at all is one that is missed", "F06c/said-and-found": "a watcher that is gone is every event missed", "F06c/hears-again": "a watcher that is gone is every event missed", "F02b/on-record": "a scan is also what recovers, tends and settles", "F02d/on-record": "a scan is also what recovers, tends and settles", "F03b/goes-on": "a power loss is a crash as well", "F02b/goes-on": "a scan is also what recovers, tends and settles", "F03/cleaned": "a scan is also what recovers, tends and settles", "F09/recognised": "a scan is also what recovers, tends and settles", "F09/from-evidence": "a scan is also what recovers, tends and settles", "F10/visible": "a scan is also what recovers, tends and settles", "F10b/a-person-decides": "a scan is also what recovers, tends and settles", "F10d/fenced": "a scan is also what recovers, tends and settles", "F10e/a-person-decides": "a scan is also what recovers, tends and settles", "F10i/not-written": "a scan is also what recovers, tends and settles", "F10k/visible": "a scan is also what recovers, tends and settles", "F10l/said-and-taken-back": "a scan is also what recovers, tends and settles", "F17/reported": "a scan is also what recovers, tends and settles", "F19/listed": "a scan is also what recovers, tends and settles", "F20/says": "a scan is also what recovers, tends and settles" },
  },
];

export { REFERENCE_POLICIES };
