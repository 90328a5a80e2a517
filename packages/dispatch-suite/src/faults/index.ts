/**
 * The faults of dispatch, each under its number: what goes wrong, and the sentence that must hold all the same. Our own suite and the
 * kit for everybody's dispatchers take the words from here, so that one number means one thing; how a subject is played and asked is
 * theirs. A letter after the number is another placement of the fault. Numbers are never used again.
 */
import type { ArmedFault } from "@casebook/sim/kernel";

export type Layer = "protocol" | "storage" | "observation" | "dispatch" | "governance";

export interface DispatchFault {
  /** What goes wrong. */
  readonly fault: string;
  /** What must hold. */
  readonly sentence: string;
  readonly layer: Layer;
  /** The rule of the six that the fault leans on most. */
  readonly rule: 1 | 2 | 3 | 4 | 5 | 6;
  /** Number of the case that shows the mechanism. */
  readonly case: string;
  /** At a point that every dispatcher has. */
  readonly armed?: readonly ArmedFault[];
  /** Why our suite has no scenario of this number. */
  readonly notInSuite?: string;
}

const FAULTS = {
  F01: { fault: "two sources declare one id", sentence: "One id with two texts is a conflict that is said, and never two jobs; other tasks go on.", layer: "protocol", rule: 1, case: "015" },
  F02: { fault: "one id in two lifecycle folders", sentence: "A task in two places is reported, and neither place is made to win.", layer: "protocol", rule: 2, case: "015" },
  F02b: { fault: "a crash in the middle of a move", sentence: "A task whose move was cut off is in one place, and is started once.", layer: "storage", rule: 2, case: "015" },
  F02c: { fault: "a crash in the middle of the move to review", sentence: "A task whose move to review was cut off is in one place, and its attempt is reported.", layer: "storage", rule: 3, case: "015" },
  F02d: { fault: "a crash in the middle of the move to done", sentence: "A task whose move to done was cut off is in one place, and its attempt is settled.", layer: "storage", rule: 3, case: "015" },
  F02e: { fault: "a move whose rename is done and whose sync fails", sentence: "A move that is done and perhaps not kept is said, and finished by the next look.", layer: "storage", rule: 3, case: "012" },
  F03: { fault: "a crash during the temporary write", sentence: "A crash in the middle of a write loses nothing that was accepted, and starts nothing twice.", layer: "storage", rule: 3, case: "018" },
  F03b: { fault: "the power fails after the intent", sentence: "A power loss loses nothing that was accepted, and starts nothing twice.", layer: "storage", rule: 3, case: "018" },
  F04: { fault: "EPERM on replace, three times", sentence: "A replace that is refused three times is tried again, and nothing is lost or started twice by it.", layer: "storage", rule: 3, case: "018" },
  F04b: { fault: "EPERM on replace, for good", sentence: "A replace that is refused for good is tried a bounded number of times, and nothing is started on what is not kept.", layer: "storage", rule: 3, case: "018" },
  F04c: { fault: "EXDEV: the folders are on two mounts", sentence: "A move across two file systems is refused, and never done by halves.", layer: "storage", rule: 2, case: "015" },
  F05: { fault: "every watcher event twice, and a scan", sentence: "What is announced several times is one job.", layer: "observation", rule: 4, case: "014" },
  F05b: { fault: "the watcher events of two tasks are merged", sentence: "Of two tasks that are announced as one both are found.", layer: "observation", rule: 4, case: "014" },
  F06: { fault: "no event in time, and all of them late", sentence: "A task that nothing announces in time is found by a look, and a late word of it starts nothing more.", layer: "observation", rule: 4, case: "014" },
  F06b: { fault: "no event at all", sentence: "Where nothing is ever announced everything is found all the same.", layer: "observation", rule: 4, case: "014" },
  F06c: { fault: "the system gives the watcher up", sentence: "A watcher that breaks is said, opened again, and missed by no task.", layer: "observation", rule: 4, case: "014" },
  F07: { fault: "the target agent is busy", sentence: "A busy agent gets no second session, and its next task waits, which is said.", layer: "dispatch", rule: 5, case: "005" },
  F08: { fault: "a dependency, and a gate, are not met", sentence: "What waits for a task that has not ended well is not started, and it is said what it waits for.", layer: "dispatch", rule: 5, case: "002" },
  F08b: { fault: "a gate is not approved", sentence: "What waits for a gate that nobody approved is not started, and it is said what it waits for.", layer: "dispatch", rule: 5, case: "002", notInSuite: "F08 has the gate beside the dependency" },
  F09: { fault: "a crash after the intent", sentence: "A crash at any step, between intent and session too, starts nothing twice and leaves nothing out.", layer: "dispatch", rule: 6, case: "016" },
  F10: { fault: "a crash after the start, before its answer", sentence: "A crash after the start and before its answer is no reason to start again.", layer: "dispatch", rule: 6, case: "016", armed: [{ at: "sessions.started", kind: "kill-restart", forMs: 5_000 }] },
  F10b: { fault: "a crash after the start, before the commit, at a runtime without keys", sentence: "At a runtime that forgets keys, a start without an answer is left to a person.", layer: "dispatch", rule: 6, case: "016" },
  F10c: { fault: "the answer of a start is lost, and the dispatcher lives", sentence: "A start whose answer is lost is looked up, and not made again.", layer: "dispatch", rule: 6, case: "005", armed: [{ at: "sessions.started", kind: "error", errno: "ETIMEDOUT" }] },
  F10d: { fault: "a dispatcher stops after its intent for longer than its lease; another of the same name goes on", sentence: "A dispatcher that stops after its intent for longer than its lease starts nothing when it wakes, although another goes on under its name.", layer: "dispatch", rule: 6, case: "011" },
  F10e: { fault: "the session fails, and the scans go on", sentence: "A session that failed is not started again by itself, and the failure is shown.", layer: "dispatch", rule: 6, case: "008" },
  F10f: { fault: "a dispatcher stops right before the start for longer than its lease, at a runtime that honours keys", sentence: "A dispatcher that stops for longer than its lease starts nothing twice when it wakes, at a runtime that honours keys.", layer: "dispatch", rule: 6, case: "011" },
  F10g: { fault: "the power fails after the start, before the commit", sentence: "A power loss after the start and before it is on record is no reason to start again.", layer: "storage", rule: 6, case: "016" },
  F10h: { fault: "a start takes effect, and the runtime never answers it", sentence: "A start that is never answered holds up no other task; the session is found, and is the only one.", layer: "dispatch", rule: 6, case: "013", armed: [{ at: "sessions.started", kind: "hold" }] },
  F10i: { fault: "the answer of a start comes when another has the lease", sentence: "An answer of a start that comes when another has the lease is heard, and written nowhere.", layer: "dispatch", rule: 6, case: "011" },
  F10j: { fault: "a runtime without keys never answers a start", sentence: "At a runtime that forgets keys, a start that is never answered is left to a person.", layer: "dispatch", rule: 6, case: "016", armed: [{ at: "sessions.started", kind: "hold" }] },
  F10k: { fault: "a start is on its way for longer than it is waited for, at a runtime that keeps keys and does not honour them", sentence: "A start that is still on its way is not made again, although no session has its key.", layer: "dispatch", rule: 6, case: "005", armed: [{ at: "sessions.start", kind: "slow", forMs: 50_000 }] },
  F10l: { fault: "the runtime does not say how a session stands, three times", sentence: "A runtime that does not say how a session stands holds up no other task; a person is asked, and the question is taken back when it says.", layer: "dispatch", rule: 6, case: "013" },
  F11: { fault: "a report is replayed", sentence: "A report, however often it comes, accepts nothing.", layer: "governance", rule: 3, case: "006" },
  F12: { fault: "a dependency of a test is missing", sentence: "A missing tool is NOT RUN.", layer: "governance", rule: 4, case: "017", notInSuite: "its subject is a reporter of tests, and no dispatcher: `reportSuites`" },
  F13: { fault: "an unknown source, beside a trusted route", sentence: "A task from an unknown source is refused and not started; others go on.", layer: "governance", rule: 5, case: "005" },
  F14: { fault: "an unapproved gate and an incomplete parent, met later", sentence: "What waited is started once when that ends well, and not before.", layer: "dispatch", rule: 5, case: "002" },
  F14b: { fault: "a gate is approved later", sentence: "What waited for a gate is started once when it is approved by somebody who may, and not before.", layer: "dispatch", rule: 5, case: "002", notInSuite: "F14 has the gate beside the parent" },
  F15: { fault: "an explicit wake with an automatic scan, in one dispatcher", sentence: "A wake beside a look starts nothing twice.", layer: "dispatch", rule: 6, case: "005" },
  F15b: { fault: "a scan, and a wake with a key of its own in another dispatcher", sentence: "A look, and a wake in another dispatcher, start nothing twice.", layer: "dispatch", rule: 6, case: "005" },
  F15c: { fault: "a wake in another dispatcher while a start takes long", sentence: "A wake in another dispatcher starts nothing while a start takes long.", layer: "dispatch", rule: 6, case: "005" },
  F16: { fault: "a repeated hold, and an explicit release", sentence: "A hold keeps a task from starting, however often it is said, until it is released once.", layer: "dispatch", rule: 5, case: "002" },
  F17: { fault: "somebody moves a running task to the archive", sentence: "A move that somebody else made is refused, on record.", layer: "protocol", rule: 3, case: "015" },
  F18: { fault: "a published task is edited", sentence: "A text that is changed by a hand after it was published is noticed, and not started under the old approval.", layer: "governance", rule: 4, case: "008" },
  F18b: { fault: "who did the work accepts it", sentence: "Who did the work does not accept it.", layer: "governance", rule: 3, case: "008" },
  F18c: { fault: "the text changes between intent and start, before any scan", sentence: "A text that changes between intent and start is not started as it was.", layer: "governance", rule: 4, case: "008" },
  F19: { fault: "a session that no attempt explains", sentence: "A session that no attempt explains is listed, and not adopted.", layer: "dispatch", rule: 4, case: "016" },
  F19b: { fault: "the list of the sessions does not come, once", sentence: "A list of sessions that does not come is said, and asked for again.", layer: "dispatch", rule: 4, case: "007" },
  F20: { fault: "a fresh reader has the folder only", sentence: "A fresh reader of what is on the disk says of every task how it stands.", layer: "governance", rule: 3, case: "003" },
} as const satisfies Record<`F${string}`, DispatchFault>;

export type FaultNumber = keyof typeof FAULTS;

export const DISPATCH_FAULTS: Readonly<Record<FaultNumber, DispatchFault>> = FAULTS;
export const FAULT_NUMBERS = Object.keys(FAULTS) as readonly FaultNumber[];
