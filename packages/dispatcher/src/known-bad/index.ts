/**
 * Dispatchers that are the reference with one policy changed, and the checks of the suite that each of them is expected to fail. The
 * expectations were written before the first run; what the run added or took away stands beside, as a surprise, with its reason.
 */
import { type DispatcherPolicies, REFERENCE_POLICIES } from "../judge/index.ts";

export interface KnownBadDispatcher {
  readonly name: string;
  /** Over the reference; one. */
  readonly policies: Partial<DispatcherPolicies>;
  /** Checks of the suite: `F09/recognised`, `F10/rule-6`. */
  readonly breaks: readonly string[];
  /** Checks that were not expected, or expected and not broken, with the reason that was found. */
  readonly surprises?: readonly { readonly check: string; readonly was: "not-expected" | "not-broken"; readonly because: string }[];
}

export const KNOWN_BAD_DISPATCHERS: readonly KnownBadDispatcher[] = [
  { name: "last-listed-wins", policies: { reader: "last-listed" }, breaks: ["F01/reported", "F01/not-overwritten", "F01/rule-1", "F02/both-kept", "F02/others-go-on", "F02/rule-2"] },
  { name: "writes-over-a-number", policies: { append: "last-writer" }, breaks: ["F10d/fenced", "F15b/one-start", "F15b/rule-3", "F15b/rule-6"] },
  { name: "writes-in-place", policies: { append: "in-place" }, breaks: ["F03/readable"] },
  { name: "retries-for-ever", policies: { retries: "endless" }, breaks: ["F04b/bounded", "F04b/visible"] },
  { name: "fails-in-silence", policies: { retries: "silent" }, breaks: ["F04b/visible", "F04b/rule-3", "F04c/visible", "F04c/not-copied"] },
  { name: "leaves-temporaries", policies: { leftovers: "kept" }, breaks: ["F03/cleaned"] },
  { name: "copies-then-unlinks", policies: { move: "copy-then-unlink" }, breaks: ["F02b/one-place", "F02b/goes-on", "F02b/rule-2"] },
  { name: "takes-any-lease", policies: { leaseCheck: "none" }, breaks: ["F15b/one-start", "F15b/rule-6", "F10d/no-late-write"] },
  { name: "fences-by-name", policies: { fence: "owner" }, breaks: ["F10d/fenced", "F10d/no-late-write", "F10d/rule-6"] },
  { name: "does-not-take-turns", policies: { turns: "none" }, breaks: ["F15/one-start", "F15/rule-6"] },
  { name: "takes-each-call-for-an-intent", policies: { keys: "fresh-each-call" }, breaks: ["F10e/no-second-start", "F10e/a-person-decides"] },
  { name: "starts-again-after-a-crash", policies: { recovery: "start-again" }, breaks: ["F10/no-blind-start", "F10/visible", "F10/rule-6", "F10b/no-blind-start", "F10b/a-person-decides", "F10b/rule-6", "F10c/no-blind-start", "F10c/visible", "F10c/rule-6"] },
  { name: "takes-an-intent-for-a-start", policies: { recovery: "assume-running" }, breaks: ["F09/recognised", "F09/from-evidence", "F09/rule-6"] },
  { name: "starts-what-was-read-before", policies: { revisionCheck: "none" }, breaks: ["F18c/not-started", "F18c/recorded", "F18c/rule-4"] },
  { name: "does-not-notice-edits", policies: { edits: "unnoticed" }, breaks: ["F18/detected", "F18/not-started", "F18/rule-4"] },
  { name: "takes-any-source", policies: { sources: "any" }, breaks: ["F13/refused", "F13/rule-5"] },
  { name: "ignores-dependencies", policies: { dependencies: "ignored" }, breaks: ["F08/no-session", "F08/recorded", "F08/rule-5", "F14/no-session-before", "F14/rule-5"] },
  { name: "ignores-gates", policies: { gates: "ignored" }, breaks: ["F08/no-session", "F08/recorded", "F08/rule-5", "F14/no-session-before", "F14/rule-5", "F18/not-started", "F18/rule-5"] },
  { name: "ignores-holds", policies: { holds: "ignored" }, breaks: ["F16/idempotent", "F16/released-once", "F16/rule-5"] },
  { name: "overloads-agents", policies: { agents: "any-number" }, breaks: ["F07/one-at-a-time", "F07/recorded", "F07/rule-5"] },
  { name: "blocks-in-silence", policies: { blocks: "silent" }, breaks: ["F01/reported", "F01/rule-1", "F02/both-kept", "F02/rule-2", "F07/recorded", "F08/recorded", "F13/refused", "F18/detected", "F18b/recorded", "F20/says"] },
  { name: "accepts-by-report", policies: { acceptance: "by-report" }, breaks: ["F11/not-accepted"] },
  { name: "lets-workers-accept-themselves", policies: { selfApproval: "accepted" }, breaks: ["F18b/not-accepted", "F18b/recorded"] },
  { name: "moves-anywhere", policies: { moves: "any" }, breaks: ["F17/reported", "F17/nothing-invented", "F17/rule-3"] },
  { name: "adopts-strangers", policies: { orphans: "adopted" }, breaks: ["F19/listed", "F19/not-adopted", "F19/rule-6"] },
  { name: "does-not-look-for-strangers", policies: { orphans: "unseen" }, breaks: ["F19/listed"] },
  { name: "takes-an-event-for-a-fact", policies: { events: "dispatch" }, breaks: ["F05/one-commit", "F05/rule-4", "F06/late-event", "F06/rule-4"] },
  { name: "hears-events-only", policies: { observation: "events-only" }, breaks: ["F06/found"] },
];

export { REFERENCE_POLICIES };
