/** One table for the guards over files: the facts that alarm with the whole finding, the healthy twin, and how each can be fooled. */
import { describe, expect, it } from "vitest";
import * as everything from "./index.ts";
import type { Finding, Guard, GuardAbout } from "./index.ts";

const NOW = Date.parse("2026-07-08T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FOUR = Date.parse("2026-07-08T04:00:00Z");

interface Row<Facts> {
  readonly guard: Guard<Facts>;
  readonly alarm: Facts;
  readonly finding: Omit<Finding, "guard">;
  /** One difference each. */
  readonly silent: readonly Facts[];
  /** What is as bad and not seen, or as good and alarms. */
  readonly fooled: { readonly by: string; readonly facts: Facts; readonly alarms: boolean };
}

interface Played {
  readonly id: string;
  readonly finding: Finding;
  readonly alarm: () => Finding | undefined;
  readonly silent: () => readonly (Finding | undefined)[];
  readonly fooled: { readonly by: string; readonly alarms: boolean; readonly play: () => Finding | undefined };
}

/** Asks the guard only when a test does, so that each type of facts stays with its guard. */
function row<Facts>({ guard, alarm, finding, silent, fooled }: Row<Facts>): Played {
  const { id } = guard.about;
  return {
    id,
    finding: { guard: id, ...finding },
    alarm: () => guard(alarm),
    silent: () => silent.map((facts) => guard(facts)),
    fooled: { by: fooled.by, alarms: fooled.alarms, play: () => guard(fooled.facts) },
  };
}

const lock = (ageMs: number) => ({ locks: [{ path: "tick.lock", atMs: NOW - ageMs, staleAfterMs: HOUR }, { path: "b.lock", atMs: NOW, staleAfterMs: HOUR }], nowMs: NOW });
const script = (text: string) => ({ path: "nightly.ps1", bytes: new TextEncoder().encode(text), unmarked: "windows-125x" as const });
const shot = { taskId: "once", atMs: FOUR, enabled: true, graceMs: 10 * MINUTE, lastRunMs: undefined };
const answers = (second: string) => [
  { engine: "croner", slots: [Date.parse("2026-07-20T07:00:00Z")] },
  { engine: "cron-parser", slots: [Date.parse(second)] },
];

const RISING = { log: "receipts.jsonl", receipts: 9, repeated: [], repeats: 0, backwards: [], backwardsCount: 0, pendingBehindCompleted: 0 };
const command = (key: string, state: "pending" | "completed", some: Partial<Record<"unreadableBehind" | "actors" | "payloads" | "completed" | "outcomes", number>> = {}) => ({
  key,
  state,
  atMs: FOUR,
  unreadableBehind: 0,
  actors: 1,
  payloads: 1,
  completed: 1,
  outcomes: 1,
  ...some,
});
/** Version 1 was there, the next ones were written; `answers` are what the writer said to those. */
const stored = (found: string | undefined, crashes: number, ...answers: readonly everything.StoredVersion["answer"][]): everything.StoredFileFacts => ({
  file: "state.json",
  versions: [{ content: "v1", answer: "acknowledged" as const }, ...answers.map((answer, index) => ({ content: `v${index + 2}`, answer }))],
  found,
  crashes,
});
const retry = { file: "state.json", refusals: 8, maxAttempts: 8, openMs: undefined, maxOpenMs: 2 * MINUTE };

const ROWS: readonly Played[] = [
  row({
    guard: everything.registryEntryInvalid,
    alarm: { registry: "tasks.json", entries: 35, invalid: [{ entry: "evening-digest", problem: "fireAt is text" }] },
    finding: {
      subject: "evening-digest",
      message: "1 of 35 entries invalid: evening-digest (fireAt is text); a whole-list loader drops 35 of 35",
      counts: { entries: 35, invalid: 1, blastRadius: 35 },
    },
    silent: [{ registry: "tasks.json", entries: 35, invalid: [] }, { registry: "tasks.json", entries: 0, invalid: [] }],
    fooled: { by: "a value that is of the right shape and wrong", facts: { registry: "tasks.json", entries: 1, invalid: [] }, alarms: false },
  }),
  row({
    guard: everything.registryTimeUnit,
    alarm: {
      registry: "tasks.json",
      moments: [
        { entry: "a", field: "fireAt", written: "iso", wanted: "epoch-ms", atMs: undefined },
        // Seconds, where milliseconds are wanted.
        { entry: "b", field: "createdAt", written: "epoch-ms", wanted: "epoch-ms", atMs: NOW / 1000 },
        { entry: "c", field: "createdAt", written: "epoch-ms", wanted: "epoch-ms", atMs: NOW },
      ],
    },
    finding: {
      subject: "tasks.json",
      message:
        "1 of 3 moments in another unit, 1 in an implausible year: a fireAt is iso, wanted epoch-ms, b createdAt is 1970-01-21T15:25:12.000Z",
      counts: { moments: 3, otherUnit: 1, implausible: 1 },
    },
    silent: [
      { registry: "tasks.json", moments: [] },
      { registry: "tasks.json", moments: [{ entry: "c", field: "createdAt", written: "epoch-ms", wanted: "epoch-ms", atMs: NOW }] },
      { registry: "tasks.json", moments: [{ entry: "c", field: "lastRunAt", written: "iso", wanted: "iso", atMs: undefined }] },
    ],
    fooled: {
      by: "a moment that is a day off",
      facts: { registry: "tasks.json", moments: [{ entry: "c", field: "fireAt", written: "epoch-ms", wanted: "epoch-ms", atMs: NOW - 24 * HOUR }] },
      alarms: false,
    },
  }),
  row({
    guard: everything.registryWiped,
    alarm: { registry: "tasks.json", entries: 0, leftBehind: { what: "prompt folders", count: 4 }, entriesBefore: undefined },
    finding: { subject: "tasks.json", message: "0 entries beside 4 prompt folders", counts: { entries: 0, leftBehind: 4 } },
    silent: [
      { registry: "tasks.json", entries: 0, leftBehind: { what: "prompt folders", count: 0 }, entriesBefore: undefined },
      { registry: "tasks.json", entries: 1, leftBehind: { what: "prompt folders", count: 4 }, entriesBefore: undefined },
      // Half of them is a clean-up; less is a loss.
      { registry: "tasks.json", entries: 2, leftBehind: { what: "prompt folders", count: 4 }, entriesBefore: 4 },
    ],
    fooled: {
      by: "a person who deleted all tasks and kept their folders",
      facts: { registry: "tasks.json", entries: 0, leftBehind: { what: "prompt folders", count: 1 }, entriesBefore: undefined },
      alarms: true,
    },
  }),
  row({
    guard: everything.registrySecondList,
    alarm: { registry: "watch.json", read: { pointer: "/items", entries: 1 }, others: [{ pointer: "/watched", entries: 129 }, { pointer: "/old", entries: 0 }] },
    finding: {
      subject: "watch.json",
      message: "129 records in /watched (129) are not read; /items with 1 is",
      counts: { read: 1, unread: 129, lists: 1 },
    },
    silent: [
      { registry: "watch.json", read: { pointer: "/items", entries: 1 }, others: [] },
      { registry: "watch.json", read: { pointer: "/items", entries: 1 }, others: [{ pointer: "/old", entries: 0 }] },
    ],
    fooled: { by: "a list of something else", facts: { registry: "watch.json", read: { pointer: "/tasks", entries: 9 }, others: [{ pointer: "/themes", entries: 2 }] }, alarms: true },
  }),
  row({
    guard: everything.registryDuplicateId,
    alarm: { registry: "tasks.json", entries: 7, ids: [{ id: "a", times: 2 }, { id: "b", times: 1 }] },
    finding: { subject: "a", message: "2 of 7 entries share 1 id: a (2)", counts: { entries: 7, ids: 1, holders: 2 } },
    silent: [{ registry: "tasks.json", entries: 7, ids: [] }, { registry: "tasks.json", entries: 7, ids: [{ id: "a", times: 1 }] }],
    fooled: { by: "one task under two ids", facts: { registry: "tasks.json", entries: 2, ids: [{ id: "a", times: 1 }, { id: "a ", times: 1 }] }, alarms: false },
  }),
  row({
    guard: everything.registryDuplicateKey,
    alarm: { registry: "tasks.json", keys: [{ key: "enabled", where: "line 12, column 5" }] },
    finding: { subject: "tasks.json", message: "1 repeated key, of which parsers keep the last: enabled at line 12, column 5", counts: { keys: 1 } },
    silent: [{ registry: "tasks.json", keys: [] }],
    fooled: { by: "two keys that say the same", facts: { registry: "tasks.json", keys: [{ key: "id", where: "line 3, column 5" }] }, alarms: true },
  }),
  row({
    guard: everything.registrySplitBrain,
    alarm: {
      stores: [{ store: "a/w", entries: 23 }, { store: "b/w", entries: 2 }, { store: "c/w", entries: 0 }],
      shared: [{ taskId: "daily", stores: 2, agree: false }, { taskId: "weekly", stores: 2, agree: true }],
    },
    finding: {
      subject: "daily",
      message: "2 of 3 stores hold tasks (23 and 2), 2 in two of them, 1 of these disagree: daily",
      counts: { stores: 3, filled: 2, shared: 2, disagree: 1 },
      severity: "alarm",
    },
    silent: [
      { stores: [{ store: "a/w", entries: 23 }], shared: [] },
      { stores: [{ store: "a/w", entries: 23 }, { store: "b/w", entries: 0 }], shared: [] },
      { stores: [], shared: [] },
    ],
    fooled: { by: "a person with two accounts on purpose", facts: { stores: [{ store: "a/w", entries: 1 }, { store: "b/w", entries: 1 }], shared: [] }, alarms: true },
  }),
  row({
    guard: everything.registryOrphanPrompts,
    alarm: { promptFolders: 269, registered: 23, orphans: ["a", "b", "c", "d"] },
    finding: {
      subject: "fleet",
      message: "4 of 269 prompts are in no registry (23 entries read): a, b, c and 1 more",
      counts: { promptFolders: 269, registered: 23, orphans: 4 },
    },
    silent: [{ promptFolders: 23, registered: 23, orphans: [] }, { promptFolders: 0, registered: 0, orphans: [] }],
    fooled: { by: "a prompt that was overwritten under another account", facts: { promptFolders: 1, registered: 2, orphans: [] }, alarms: false },
  }),
  row({
    guard: everything.registryMissingPrompt,
    alarm: { tasks: 9, without: [{ taskId: "a", state: "missing" }, { taskId: "b", state: "empty" }, { taskId: "c", state: "placeholder" }] },
    finding: {
      subject: "fleet",
      message: "3 of 9 tasks have no prompt: a (missing), b (empty), c (placeholder)",
      counts: { tasks: 9, missing: 1, empty: 1, placeholder: 1 },
    },
    silent: [{ tasks: 9, without: [] }],
    fooled: { by: "a prompt that is another task's", facts: { tasks: 1, without: [] }, alarms: false },
  }),
  row({
    guard: everything.registryPromptIsItsName,
    alarm: { tasks: 9, damaged: ["a"] },
    finding: { subject: "a", message: "1 of 9 prompts are no more than the task's name: a", counts: { tasks: 9, damaged: 1 } },
    silent: [{ tasks: 9, damaged: [] }],
    fooled: { by: "a task that is meant to be told its name", facts: { tasks: 1, damaged: ["ping"] }, alarms: true },
  }),
  row({
    guard: everything.encodingGraded,
    alarm: { files: 3, faults: [{ path: "b.md", code: "UTF8_BOM", grade: "harmless" }, { path: "a.json", code: "UTF16_LE", grade: "fatal" }] },
    finding: {
      subject: "files",
      message: "2 faults of encoding in 3 files, 1 fatal to their reader, 1 harmless: a.json UTF16_LE (fatal), b.md UTF8_BOM (harmless)",
      counts: { files: 3, faults: 2, fatal: 1, harmless: 1 },
    },
    silent: [{ files: 3, faults: [] }],
    fooled: { by: "a fault that only some other reader would stop at", facts: { files: 1, faults: [{ path: "b.md", code: "UTF8_BOM", grade: "harmless" }] }, alarms: true },
  }),
  row({
    guard: everything.dispatchDuplicateSession,
    alarm: [
      { session: "a", prompt: "prompt-1" },
      { session: "b", prompt: "prompt-1" },
      { session: "c", prompt: "prompt-1" },
      { session: "d", prompt: "prompt-2" },
      { session: "e", prompt: undefined },
    ],
    finding: {
      subject: "prompt-1",
      message: "1 of 2 prompts started more than once: 3 sessions, 2 too many: prompt-1 (3)",
      counts: { prompts: 2, duplicated: 1, sessions: 3, excess: 2 },
    },
    silent: [
      [],
      [{ session: "a", prompt: "prompt-1" }, { session: "b", prompt: "prompt-2" }],
      // One session that two devices show.
      [{ session: "a", prompt: "prompt-1" }, { session: "a", prompt: "prompt-1" }],
    ],
    fooled: {
      by: "sessions that do not know their prompt",
      facts: [{ session: "a", prompt: undefined }, { session: "b", prompt: undefined }],
      alarms: false,
    },
  }),
  row({
    guard: everything.encodingScriptQuotes,
    alarm: script('Write-Host "full copy \u2014 all"'),
    finding: {
      subject: "nightly.ps1",
      message: "1 of 1 characters beyond ASCII is read as a quote in the code page: U+2014 in a double-quoted string at 1:23, byte 22",
      counts: { beyondAscii: 1, quotes: 1, byte: 22, line: 1, column: 23 },
    },
    silent: [script('Write-Host "full copy - all"'), script('\ufeffWrite-Host "full copy \u2014 all"'), { ...script('Write-Host "full copy \u2014 all"'), unmarked: "utf-8" }],
    fooled: { by: "curly quotes that are meant as quotes and that the code page does not have", facts: script("Write-Host \u201cfull copy\u201d"), alarms: false },
  }),
  row({
    guard: everything.registryUnsupportedVersion,
    alarm: { registry: "jobs.json", version: "2", known: ["1"] },
    finding: { subject: "jobs.json", message: "version 2 is none of the 1 known: 1", counts: { known: 1 } },
    silent: [{ registry: "jobs.json", version: "1", known: ["1"] }],
    fooled: { by: "a shape that changed under the same version", facts: { registry: "jobs.json", version: "1", known: ["1"] }, alarms: false },
  }),
  row({
    guard: everything.scheduleOneShotStuck,
    alarm: { oneShots: [shot, { ...shot, taskId: "ran", enabled: false }], nowMs: NOW },
    finding: {
      subject: "once",
      message: "1 of 2 one-shots passed and are still enabled, at 1 instant: once at 2026-07-08T04:00:00.000Z",
      counts: { oneShots: 2, stuck: 1, instants: 1 },
    },
    silent: [
      { oneShots: [], nowMs: NOW },
      { oneShots: [shot], nowMs: FOUR + 9 * MINUTE },
      { oneShots: [{ ...shot, enabled: false }], nowMs: NOW },
      { oneShots: [{ ...shot, lastRunMs: FOUR + 5_000 }], nowMs: NOW },
    ],
    fooled: { by: "a success that was written down and was none", facts: { oneShots: [{ ...shot, lastRunMs: FOUR }], nowMs: NOW }, alarms: false },
  }),
  row({
    guard: everything.scheduleOneShotsShareAnInstant,
    alarm: { oneShots: ["a", "b", "c", "d", "e"].map((taskId) => ({ taskId, atMs: taskId === "e" ? NOW : FOUR })), concurrentAtOnce: 3 },
    finding: {
      subject: "fleet",
      message: "4 of 5 one-shots share an instant, 1 beyond the 3 that start at once: 4 at 2026-07-08T04:00:00.000Z",
      counts: { oneShots: 5, sharing: 4, instants: 1, beyond: 1 },
    },
    silent: [{ oneShots: ["a", "b", "c"].map((taskId) => ({ taskId, atMs: FOUR })), concurrentAtOnce: 3 }, { oneShots: [], concurrentAtOnce: 3 }],
    fooled: {
      by: "one-shots that are milliseconds apart",
      facts: { oneShots: ["a", "b", "c", "d"].map((taskId, index) => ({ taskId, atMs: FOUR + index })), concurrentAtOnce: 3 },
      alarms: false,
    },
  }),
  row({
    guard: everything.scheduleImpossible,
    alarm: { schedules: 7, unreadable: [{ taskId: "a", problem: "CRON_UNREADABLE" }] },
    finding: { subject: "a", message: "1 of 7 schedules cannot be read: a (CRON_UNREADABLE)", counts: { schedules: 7, unreadable: 1 } },
    silent: [{ schedules: 7, unreadable: [] }],
    fooled: { by: "an expression that the product reads in its own way", facts: { schedules: 1, unreadable: [{ taskId: "a", problem: "CRON_EXTENSION_UNSUPPORTED" }] }, alarms: true },
  }),
  row({
    guard: everything.scheduleNeverFires,
    alarm: { schedules: 7, never: ["parked"] },
    finding: { subject: "parked", message: "1 of 7 schedules never come due: parked", counts: { schedules: 7, never: 1 } },
    silent: [{ schedules: 7, never: [] }],
    fooled: { by: "a task that somebody parked on the 31st of February", facts: { schedules: 1, never: ["parked"] }, alarms: true },
  }),
  row({
    guard: everything.scheduleDstHazard,
    alarm: { schedules: 7, hazards: [{ taskId: "daily", changeMs: Date.parse("2026-07-20T07:00:00Z"), answers: answers("2026-07-20T07:30:00Z") }], nowMs: NOW },
    finding: {
      subject: "daily",
      message:
        "1 of 7 schedules are read in two ways at a change of the clocks: daily at 2026-07-20T07:00:00.000Z: " +
        "croner 2026-07-20T07:00:00.000Z, cron-parser 2026-07-20T07:30:00.000Z",
      counts: { schedules: 7, hazards: 1 },
    },
    silent: [
      { schedules: 7, hazards: [], nowMs: NOW },
      { schedules: 7, hazards: [{ taskId: "daily", changeMs: NOW, answers: answers("2026-07-20T07:00:00Z") }], nowMs: NOW },
    ],
    fooled: { by: "two engines that are wrong in the same way", facts: { schedules: 1, hazards: [{ taskId: "daily", changeMs: NOW, answers: answers("2026-07-20T07:00:00Z") }], nowMs: NOW }, alarms: false },
  }),
  row({
    guard: everything.scheduleSkipsExceedFires,
    alarm: { tasks: [{ taskId: "a", skips: 250, expectedFires: 24, reasons: ["global_limit"] }, { taskId: "b", skips: 24, expectedFires: 24, reasons: ["per_task_limit"] }] },
    finding: {
      subject: "a",
      message: "1 of 2 tasks were skipped more often than they are due, 250 skips for 24 slots: a 250 for 24 (global_limit)",
      counts: { tasks: 2, over: 1, skips: 250, expectedFires: 24 },
    },
    silent: [{ tasks: [] }, { tasks: [{ taskId: "b", skips: 24, expectedFires: 24, reasons: ["global_limit"] }] }],
    fooled: { by: "a task that is skipped at every slot", facts: { tasks: [{ taskId: "b", skips: 24, expectedFires: 24, reasons: ["global_limit"] }] }, alarms: false },
  }),
  row({
    guard: everything.lockStale,
    alarm: lock(2 * HOUR),
    finding: { subject: "tick.lock", message: "1 of 2 locks are stale: tick.lock is 2.0 h old, stale after 60 min", counts: { locks: 2, stale: 1 } },
    silent: [lock(HOUR), { locks: [], nowMs: NOW }],
    fooled: { by: "a lock dated in the future, which is the next guard's", facts: lock(-2 * HOUR), alarms: false },
  }),
  row({
    guard: everything.lockFutureDated,
    alarm: lock(-2 * HOUR),
    finding: { subject: "tick.lock", message: "1 of 2 locks are dated ahead of now: tick.lock by 2.0 h", counts: { locks: 2, ahead: 1 } },
    // Hosts differ by a little.
    silent: [lock(-5 * MINUTE), lock(2 * HOUR), { locks: [], nowMs: NOW }],
    fooled: { by: "a clock of our own that is behind", facts: { ...lock(0), nowMs: NOW - HOUR }, alarms: true },
  }),
  row({
    guard: everything.runningStaleMarker,
    alarm: { markers: [{ taskId: "a", sinceMs: NOW - 3 * HOUR, staleAfterMs: 2 * HOUR }], nowMs: NOW },
    finding: { subject: "a", message: "1 of 1 running markers are stale: a for 3.0 h", counts: { markers: 1, stale: 1 } },
    silent: [{ markers: [{ taskId: "a", sinceMs: NOW - 2 * HOUR, staleAfterMs: 2 * HOUR }], nowMs: NOW }, { markers: [], nowMs: NOW }],
    fooled: { by: "a run that really takes that long", facts: { markers: [{ taskId: "a", sinceMs: NOW - 9 * HOUR, staleAfterMs: 2 * HOUR }], nowMs: NOW }, alarms: true },
  }),
  row({
    guard: everything.heartbeatLoopsWithoutSuccess,
    alarm: { loopedAtMs: NOW - MINUTE, succeededAtMs: NOW - 22 * HOUR, staleAfterMs: 10 * MINUTE, nowMs: NOW },
    finding: {
      subject: "fleet",
      message: "the loop turned 60 s ago and it last succeeded 22.0 h ago; fresh is 10 min",
      counts: { loopedAgoMs: MINUTE, succeededAgoMs: 22 * HOUR },
    },
    silent: [
      { loopedAtMs: NOW - MINUTE, succeededAtMs: NOW - 2 * MINUTE, staleAfterMs: 10 * MINUTE, nowMs: NOW },
      { loopedAtMs: NOW - HOUR, succeededAtMs: NOW - HOUR, staleAfterMs: 10 * MINUTE, nowMs: NOW },
    ],
    fooled: { by: "a loop that has stopped, whose heartbeat is old too", facts: { loopedAtMs: NOW - HOUR, succeededAtMs: undefined, staleAfterMs: 10 * MINUTE, nowMs: NOW }, alarms: false },
  }),
  row({
    guard: everything.clockSkew,
    alarm: { stamps: [{ what: "lastRunAt of a", atMs: NOW + HOUR }, { what: "lastRunAt of b", atMs: NOW }], nowMs: NOW },
    finding: { subject: "lastRunAt of a", message: "1 of 2 past times lie ahead of now: lastRunAt of a by 60 min", counts: { stamps: 2, ahead: 1 } },
    silent: [{ stamps: [{ what: "lastRunAt of b", atMs: NOW + 5 * MINUTE }], nowMs: NOW }, { stamps: [], nowMs: NOW }],
    fooled: { by: "a clock that was behind, whose times look only old", facts: { stamps: [{ what: "lastRunAt of a", atMs: NOW - HOUR }], nowMs: NOW }, alarms: false },
  }),
  row({
    guard: everything.residueLeftovers,
    alarm: { files: 41, leftovers: ["tasks.json.tmp"] },
    finding: { subject: "tasks.json.tmp", message: "1 of 41 files are leftovers of writers: tasks.json.tmp", counts: { files: 41, leftovers: 1 } },
    silent: [{ files: 41, leftovers: [] }],
    fooled: { by: "a writer that is at work right now", facts: { files: 2, leftovers: ["tasks.json.tmp"] }, alarms: true },
  }),
  row({
    guard: everything.receiptsDamaged,
    alarm: {
      searched: { files: 12, lines: 2000 },
      damaged: [
        { where: "runs/a.jsonl:12", code: "TORN_TAIL", record: "line", reads: "not-at-all", goodLinesAfter: 0 },
        { where: "runs/b.jsonl:3", code: "NUL_RUN", record: "line", reads: "not-at-all", goodLinesAfter: 40 },
        { where: "s/x.json", code: "TRUNCATED", record: "file", reads: "not-at-all", goodLinesAfter: 0 },
        { where: "s/y.json:4", code: "TASK_ID_RENAMED", record: "file", reads: "otherwise", goodLinesAfter: 0 },
      ],
    },
    finding: {
      subject: "files",
      message:
        "1 of 12 files and 2 of 2000 lines cannot be read, up to 40 good ones after them: runs/a.jsonl:12 TORN_TAIL, runs/b.jsonl:3 NUL_RUN, s/x.json TRUNCATED; " +
        "1 of 12 files can be read and is not as expected: s/y.json:4 TASK_ID_RENAMED",
      counts: { files: 12, lines: 2000, unreadable: 3, otherwise: 1, goodAfter: 40 },
    },
    silent: [{ searched: { files: 12, lines: 2000 }, damaged: [] }],
    fooled: { by: "a record that is whole and was never true", facts: { searched: { files: 1, lines: 0 }, damaged: [] }, alarms: false },
  }),
  row({
    guard: everything.receiptsStateRegression,
    alarm: { keys: [command("a", "pending", { unreadableBehind: 2 }), command("b", "completed", { unreadableBehind: 1 }), command("c", "pending")] },
    finding: { subject: "a", message: "1 of 3 commands read as pending and may be completed: a (2 unreadable behind it)", counts: { keys: 3, doubtful: 1 } },
    silent: [{ keys: [] }, { keys: [command("a", "completed", { unreadableBehind: 2 })] }, { keys: [command("a", "pending")] }],
    fooled: { by: "a completion that was cut off the file and left no line", facts: { keys: [command("a", "pending")] }, alarms: false },
  }),
  row({
    guard: everything.receiptsPendingOpen,
    alarm: { keys: [command("a", "pending"), command("b", "completed")], graceMs: HOUR, nowMs: FOUR + 2 * HOUR },
    finding: { subject: "a", message: "1 of 2 commands have no end after more than 60 min: a (begun 2.0 h ago)", counts: { keys: 2, open: 1 } },
    silent: [{ keys: [command("a", "pending")], graceMs: HOUR, nowMs: FOUR + HOUR }, { keys: [command("a", "completed")], graceMs: HOUR, nowMs: NOW }],
    fooled: { by: "one that still runs, and takes longer than most", facts: { keys: [command("a", "pending")], graceMs: HOUR, nowMs: NOW }, alarms: true },
  }),
  row({
    guard: everything.receiptsKeyReuse,
    alarm: { keys: [command("a", "completed", { actors: 2 }), command("b", "completed", { payloads: 3 }), command("c", "completed")] },
    finding: { subject: "keys", message: "2 of 3 keys stand for more than one command: a (2 actors, 1 payloads), b (1 actors, 3 payloads)", counts: { keys: 3, reused: 2 } },
    silent: [{ keys: [] }, { keys: [command("a", "completed")] }],
    fooled: { by: "one command whose sender changed its payload for the retry", facts: { keys: [command("a", "pending", { payloads: 2 })] }, alarms: true },
  }),
  row({
    guard: everything.receiptsTwoTerminals,
    alarm: { keys: [command("a", "completed", { completed: 2, outcomes: 2 }), command("b", "completed", { completed: 2 }), command("c", "completed")] },
    finding: {
      subject: "commands",
      message: "2 of 3 commands ended more than once: a (2 ends, 2 different), b (2 ends, 1 different)",
      counts: { keys: 3, twice: 2, differing: 1 },
      severity: "alarm",
    },
    silent: [{ keys: [command("a", "completed")] }, { keys: [command("a", "pending", { completed: 0, outcomes: 0 })] }],
    fooled: { by: "two effects of one command that were recorded once", facts: { keys: [command("a", "completed")] }, alarms: false },
  }),
  row({
    guard: everything.receiptsOutOfOrder,
    alarm: { ...RISING, repeated: [{ seq: 3 }], repeats: 1, backwards: [{ seq: 4, before: 6 }], backwardsCount: 1, pendingBehindCompleted: 1 },
    finding: {
      subject: "receipts.jsonl",
      message: "1 of 9 receipts repeat a number: 3; 1 of 9 receipts are late: 4 behind 6; 1 of 9 receipts begin what had ended",
      counts: { receipts: 9, repeats: 1, backwards: 1, pendingBehindCompleted: 1 },
    },
    silent: [RISING],
    fooled: { by: "two logs that were put together, each with numbers of its own", facts: { ...RISING, repeated: [{ seq: 1 }], repeats: 4 }, alarms: true },
  }),
  row({
    guard: everything.receiptsGap,
    alarm: { log: "receipts.jsonl", receipts: 9, gaps: [{ after: 3, next: 6, unreadableBetween: 1 }, { after: 6, next: 8, unreadableBetween: 1 }] },
    finding: { subject: "receipts.jsonl", message: "1 numbers are missing beside 9 receipts: 1 between 3 and 6", counts: { receipts: 9, gaps: 1, missing: 1 } },
    silent: [{ log: "receipts.jsonl", receipts: 9, gaps: [] }, { log: "receipts.jsonl", receipts: 9, gaps: [{ after: 3, next: 5, unreadableBetween: 1 }] }, { log: "receipts.jsonl", receipts: 9, gaps: [{ after: 3, next: 5, unreadableBetween: 0, late: 1 }] }],
    fooled: { by: "a log that lost its last lines", facts: { log: "receipts.jsonl", receipts: 7, gaps: [] }, alarms: false },
  }),
  row({
    guard: everything.storageNeitherVersion,
    alarm: stored(undefined, 1, "none"),
    finding: { subject: "state.json", message: "0 of 2 versions of state.json are there: the file is gone", counts: { versions: 2, crashes: 1 } },
    silent: [
      stored("v1", 1, "none"),
      stored("v2", 1, "none"),
      { file: "state.json", versions: [{ content: undefined, answer: "acknowledged" }, { content: "v2", answer: "none" }], found: undefined, crashes: 1 },
    ],
    fooled: { by: "a person who deleted the file", facts: stored(undefined, 0, "acknowledged"), alarms: true },
  }),
  row({
    guard: everything.storageAcknowledgedLost,
    alarm: stored("v1", 1, "acknowledged", "none"),
    finding: {
      subject: "state.json",
      message: "version 2 of 3 of state.json was acknowledged, and after a crash version 1 is there",
      counts: { versions: 3, acknowledged: 2, found: 1, crashes: 1 },
    },
    silent: [
      stored("v2", 1, "acknowledged", "none"),
      stored("v3", 1, "acknowledged", "none"),
      stored("v1", 1, "failed", "none"),
      // Without a crash it never was there.
      stored("v1", 0, "acknowledged"),
      stored(undefined, 1, "acknowledged"),
    ],
    fooled: {
      by: "two versions that are alike",
      facts: { ...stored("v1", 1, "acknowledged"), versions: [{ content: "v1", answer: "acknowledged" }, { content: "v2", answer: "acknowledged" }, { content: "v1", answer: "none" }] },
      alarms: false,
    },
  }),
  row({
    guard: everything.storageSilentFailure,
    alarm: stored("v1", 0, "failed", "acknowledged"),
    finding: {
      subject: "state.json",
      message: "version 3 of 3 of state.json was acknowledged, nothing crashed, and version 1 is there",
      counts: { versions: 3, acknowledged: 3, found: 1 },
    },
    silent: [stored("v1", 0, "failed", "failed"), stored("v3", 0, "failed", "acknowledged"), stored("v1", 1, "failed", "acknowledged"), stored("half", 0, "acknowledged")],
    fooled: { by: "a person who put an old copy back", facts: stored("v1", 0, "acknowledged"), alarms: true },
  }),
  row({
    guard: everything.storageUnboundedRetry,
    alarm: { ...retry, refusals: 900, openMs: HOUR },
    finding: {
      subject: "state.json",
      message: "900 refusals for one write of state.json, of at most 8, no answer for 60 min of at most 2 min",
      counts: { refusals: 900, maxAttempts: 8, openMs: HOUR },
    },
    silent: [retry, { ...retry, refusals: 0 }, { ...retry, openMs: 2 * MINUTE }],
    fooled: { by: "a writer that starts a new write each time", facts: { ...retry, refusals: 1 }, alarms: false },
  }),
  row({
    guard: everything.storageNoRetry,
    alarm: { file: "state.json", renames: ["EBUSY"], answer: "failed" },
    finding: { subject: "state.json", message: "1 refusal (EBUSY) ended a write of state.json", counts: { renames: 1 } },
    silent: [
      { file: "state.json", renames: [], answer: "failed" },
      { file: "state.json", renames: ["EXDEV"], answer: "failed" },
      { file: "state.json", renames: ["EBUSY"], answer: "acknowledged" },
      // It died.
      { file: "state.json", renames: ["EBUSY"], answer: "none" },
      { file: "state.json", renames: ["EBUSY", "EBUSY"], answer: "failed" },
      // What failed came later.
      { file: "state.json", renames: ["EBUSY", "ok"], answer: "failed" },
    ],
    fooled: { by: "a second attempt a microsecond later", facts: { file: "state.json", renames: ["EBUSY", "EBUSY"], answer: "failed" }, alarms: false },
  }),
];

const table = ROWS.map((one) => [one.id, one] as const);

describe("the guards over files", () => {
  it.each(table)("%s alarms, with numbers and their population", (_id, { alarm, finding }) => {
    expect(alarm()).toEqual(finding);
  });

  it.each(table)("%s is silent on the healthy twin", (_id, { silent }) => {
    expect(silent().filter((finding) => finding !== undefined)).toEqual([]);
  });

  it.each(table.map(([id, { fooled }]) => [id, fooled.by, fooled] as const))("%s can be fooled by %s", (_id, _by, { play, alarms }) => {
    expect(play() !== undefined).toBe(alarms);
  });
});

describe("the gravity of a finding", () => {
  it("is less for encoding that stops no reader, and for a change of the clocks that is months away", () => {
    expect(everything.encodingGraded({ files: 1, faults: [{ path: "a", code: "UTF8_BOM", grade: "harmless" }] })?.severity).toBe("information");
    const hazards = [{ taskId: "a", changeMs: NOW + 60 * 24 * HOUR, answers: answers("2026-07-20T07:30:00Z") }];
    expect(everything.scheduleDstHazard({ schedules: 1, hazards, nowMs: NOW })?.severity).toBe("information");
    expect(everything.scheduleDstHazard({ schedules: 1, hazards, nowMs: NOW + 31 * 24 * HOUR })?.severity).toBeUndefined();
  });

  it("is more for many leftovers, and for stores that disagree about one task", () => {
    const leftovers = (count: number) => everything.residueLeftovers({ files: 99, leftovers: Array.from({ length: count }, (_, index) => `${index}.tmp`) });
    expect([leftovers(9)?.severity, leftovers(10)?.severity]).toEqual([undefined, "warning"]);
    const stores = [{ store: "a", entries: 1 }, { store: "b", entries: 1 }];
    expect(everything.registrySplitBrain({ stores, shared: [{ taskId: "x", stores: 2, agree: true }] })).toEqual({
      guard: "registry/split-brain",
      subject: "fleet",
      message: "2 of 2 stores hold tasks (1 and 1), 1 in two of them, 0 of these disagree",
      counts: { stores: 2, filled: 2, shared: 1, disagree: 0 },
    });
  });
});

describe("a schedule that is torn at both changes of a year", () => {
  it("is one schedule", () => {
    const hazards = ["2026-07-20T07:00:00Z", "2027-01-20T07:00:00Z"].map((change) => ({ taskId: "daily", changeMs: Date.parse(change), answers: answers("2026-07-20T07:30:00Z") }));
    const said = everything.scheduleDstHazard({ schedules: 7, hazards, nowMs: NOW });
    expect(said?.message).toMatch(/^1 of 7 schedules are read in two ways at a change of the clocks: daily at 2026-07-20T07:00:00.000Z: /);
    expect(said?.counts).toEqual({ schedules: 7, hazards: 1 });
  });
});

describe("an engine that gives no answer", () => {
  it("disagrees with one that does, and with one that says never", () => {
    const hazard = (slots: readonly number[]) => ({ taskId: "a", changeMs: NOW, answers: [{ engine: "croner", slots }, { engine: "cron-parser", slots: undefined }] });
    const said = (slots: readonly number[]) => everything.scheduleDstHazard({ schedules: 1, hazards: [hazard(slots)], nowMs: NOW })?.message;
    expect(said([FOUR])).toContain("croner 2026-07-08T04:00:00.000Z, cron-parser gives no answer");
    expect(said([])).toContain("croner never, cron-parser gives no answer");
  });
});

describe("registry/wiped", () => {
  it("sees a registry that lost more than half since the look before", () => {
    expect(everything.registryWiped({ registry: "jobs.json", entries: 1, leftBehind: { what: "output folders", count: 0 }, entriesBefore: 38 })).toEqual({
      guard: "registry/wiped",
      subject: "jobs.json",
      message: "1 entries beside 0 output folders, 38 at the look before",
      counts: { entries: 1, leftBehind: 0, entriesBefore: 38 },
    });
  });
});

describe("the blast radius", () => {
  it("is everything, in words, as soon as one entry is bad", () => {
    expect(everything.blastRadiusText(7, 1)).toBe("a whole-list loader would drop all 7 tasks");
    expect(everything.blastRadiusText(1, 1)).toBe("a whole-list loader would drop the only task");
    expect(everything.blastRadiusText(7, 0)).toBeUndefined();
  });
});

describe("every guard", () => {
  const guards = Object.entries(everything).flatMap(([name, exported]) =>
    typeof exported === "function" && "about" in exported ? [[name, exported.about as GuardAbout] as const] : [],
  );

  it("is named by its id", () => {
    const named = (id: string) => id.replace(/[/-]([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    expect(guards.length).toBeGreaterThan(30);
    expect(guards.map(([name]) => name)).toEqual(guards.map(([, { id }]) => named(id)));
  });

  it("says what it needs and when it alarms, in a sentence", () => {
    for (const [, about] of guards) {
      expect(about.text).toMatch(/^[A-Z].*\.$/);
      expect(about.needs.length).toBeGreaterThan(0);
      expect(about.case ?? "000").toMatch(/^\d{3}$/);
    }
  });

  it("over files stands in the table above", () => {
    // The rules of dispatch, the guards over what it leaves on a disk, and the guard over a report have files of tests of their own.
    const rules = ["guessed-restart", "history-rewritten", "split-state", "start-without-permit", "two-jobs", "unattributed-start", "unseen-task"];
    const ofDispatch = [...rules, "dual-location", "expired-lease-held", "history-gap", "illegal-transition", "two-terminals"].map((name) => `dispatch/${name}`);
    // These families have files of their own: over slots, answers, and runs of agents.
    const families = ["slot/", "watchdog/", "supervision/"];
    const elsewhere = ["fleet/silent", "registry/lookup-shape", "registry/parity", "report/hidden-not-run", ...ofDispatch];
    const ids = guards.map(([, { id }]) => id).filter((id) => !families.some((family) => id.startsWith(family)) && !elsewhere.includes(id));
    expect(table.map(([id]) => id).toSorted()).toEqual(ids.toSorted());
  });
});
