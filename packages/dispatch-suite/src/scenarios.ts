/** F01 to F20 of the design as our own dispatcher is played and asked: with its folders, its ledger and its moments. The words are in `faults/`. */
import { readingText, readLifecycle, taskOf } from "@casebook/dispatcher/judge";
import { type Actor, addActor, addDispatcher, ANSWER_MS, type DeskFile, LEASE_MS, objectText, PERIOD_MS } from "./desk.ts";
import { DISPATCH_FAULTS, type FaultNumber } from "./faults/index.ts";
import type { Half, Scenario } from "./scenario.ts";
import { foldersOf, loggedIn, recordsOf, revisionOf, sessionsOf, type Told } from "./told.ts";

const inbox = (id: string, fields: Readonly<Record<string, string | readonly string[]>> = {}, body?: string): DeskFile => ({ folder: "inbox", text: objectText({ id, ...fields }, body) });
const one = inbox("TASK-1");
const other = inbox("TASK-2", { to: "QA" });

const half = (id: string, says: string, alarm: Half["alarm"]): Half => ({ id, says, alarm });
const unless = (holds: boolean, says: string): string | undefined => (holds ? undefined : says);

const starts = (told: Told, task: string): number => sessionsOf(told, task).length;
const startedOnce = (told: Told, task: string): string | undefined => unless(starts(told, task) === 1, `${task} was started ${starts(told, task)} times`);
const notStarted = (told: Told, task: string): string | undefined => unless(starts(told, task) === 0, `${task} was started ${starts(told, task)} times`);
const firstOf = (...says: (string | undefined)[]): string | undefined => says.find((one) => one !== undefined);
const onRecord = (told: Told, task: string, kind: "blocked" | "refused", pattern: RegExp): string | undefined =>
  unless(recordsOf(told, kind, task).some(({ text }) => pattern.test(text)), `no record says that ${task} is ${kind} by ${pattern.source}`);
const decided = (told: Told, task: string, pattern: RegExp): string | undefined =>
  unless(recordsOf(told, "decided", task).some(({ text }) => pattern.test(text)), `no decision about ${task} says ${pattern.source}; decisions: ${recordsOf(told, "decided", task).length}`);
const unchanged = (told: Told, files: readonly DeskFile[]): string | undefined => {
  const kept = new Set(told.reading.sources.map(({ object }) => object.revision));
  const lost = files.filter(({ text }) => !kept.has(revisionOf(text)));
  return unless(lost.length === 0, `${lost.length} of ${files.length} texts are gone`);
};

const twoTexts = [one, { ...inbox("TASK-1", {}, "Do the opposite."), name: "TASK-1-again" }];
const twoPlaces: DeskFile[] = [one, { ...one, folder: "active" }];

const INBOX_1 = "_lifecycle/inbox/TASK-1.md";
/** More than any of them makes. */
const MANY_EVENTS = 100_000;
/** A file has to come to rest before it is read, and a look takes some calls: less than the period. */
const QUICK_MS = 5_000;

const unanswered = (told: Told, task: string): string | undefined => unless(recordsOf(told, "unanswered", task).length === 1, `${recordsOf(told, "unanswered", task).length} records say that its start was not answered`);
const adoptedOnce = (told: Told, task: string): string | undefined =>
  unless(recordsOf(told, "started", task).map(({ text }) => text.includes('"adopted"')).join() === "true", `${recordsOf(told, "started", task).length} records of a session, and not one that was found`);

const movesAre = (told: Told, task: string, ...moves: readonly string[]): string | undefined => {
  const { moves: done, moving } = taskOf(told.ledger.state, task);
  const now = done.map(({ from, to }) => `${from}>${to}`);
  return unless(now.join() === moves.join() && moving === undefined, `the moves on record are ${now.join(", ") || "none"}${moving === undefined ? "" : `, and ${moving.from}>${moving.to} is open`}`);
};

const publishAt = (ms: number, ...files: readonly DeskFile[]) => async (actor: Actor): Promise<void> => {
  await actor.at(ms);
  for (const file of files) await actor.publish(file);
};
const heardOf = (told: Told, path: string): Told["log"] => loggedIn(told, "dispatcher.observed").filter(({ facts }) => facts["path"] === path);
/** Published at `atMs`, from the start of the run. */
const foundWithin = (told: Told, task: string, atMs: number, ms: number): string | undefined => {
  const [first] = sessionsOf(told, task);
  if (first === undefined) return `${task} was never found`;
  const tookMs = first.startedAtMs - told.startMs - atMs;
  return unless(tookMs <= ms, `${task} was found ${tookMs / 1_000} s after it was published`);
};

function scenario(id: FaultNumber, played: Omit<Scenario, "id" | "fault" | "layer" | "rule">): Scenario {
  const { fault, layer, rule } = DISPATCH_FAULTS[id];
  return { id, fault, layer, rule, ...played };
}

export const SCENARIOS: readonly Scenario[] = [
  scenario("F01", {
    files: [...twoTexts, other],
    cast: (cast) => addDispatcher(cast),
    faults: [],
    halves: [
      half("F01/reported", "The conflict is on record.", (told) => onRecord(told, "TASK-1", "refused", /two-sources/)),
      half("F01/not-overwritten", "Both texts are there, and neither was started; the other task goes on.", (told) => firstOf(unchanged(told, twoTexts), notStarted(told, "TASK-1"), startedOnce(told, "TASK-2"))),
    ],
  }),
  scenario("F02", {
    files: [...twoPlaces, other],
    cast: (cast) => addDispatcher(cast),
    faults: [],
    halves: [
      half("F02/both-kept", "Both places are kept, and the conflict is on record.", (told) => firstOf(unless(foldersOf(told, "TASK-1").length === 2, `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ")}`), onRecord(told, "TASK-1", "refused", /two-locations/))),
      half("F02/others-go-on", "The affected task stops, and no other.", (told) => firstOf(notStarted(told, "TASK-1"), startedOnce(told, "TASK-2"))),
    ],
  }),
  scenario("F02b", {
    files: [one, other],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.mid-move", kind: "kill-restart", forMs: 5_000 }],
    halves: [
      half("F02b/one-place", "The task is in one folder.", (told) => unless(foldersOf(told, "TASK-1").join() === "active", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ") || "no folder"}`)),
      half("F02b/goes-on", "It is started once all the same, and so is the other.", (told) => firstOf(startedOnce(told, "TASK-1"), startedOnce(told, "TASK-2"))),
      half("F02b/on-record", "The move that was cut off is on record, once.", (told) => movesAre(told, "TASK-1", "inbox>active")),
    ],
  }),
  scenario("F02c", {
    files: [one],
    runtime: { runsForMs: 20_000 },
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.mid-move", kind: "kill-restart", nth: 2, forMs: 5_000 }],
    halves: [
      half("F02c/one-place", "The task is in review, and its attempt is reported.", (told) => firstOf(unless(foldersOf(told, "TASK-1").join() === "review", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ") || "no folder"}`), unless([...told.ledger.state.attempts.values()].every(({ status }) => status === "reported"), "its attempt is not reported"))),
      half("F02c/on-record", "Both moves are on record.", (told) => movesAre(told, "TASK-1", "inbox>active", "active>review")),
    ],
  }),
  scenario("F02d", {
    files: [one],
    runtime: { runsForMs: 20_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "lead", async (actor) => {
        await actor.at(70_000);
        await actor.publish({ folder: "review", text: objectText({ id: "REVIEW-1", kind: "REVIEW", from: "LEAD", task: "TASK-1", verdict: "accepted" }) });
      });
    },
    faults: [{ at: "dispatcher.mid-move", kind: "kill-restart", nth: 3, forMs: 5_000 }],
    halves: [
      half("F02d/one-place", "The task is done, and its attempt is settled.", (told) => firstOf(unless(foldersOf(told, "TASK-1").join() === "done", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ") || "no folder"}`), unless([...told.ledger.state.attempts.values()].every(({ status }) => status === "settled"), "its attempt is not settled"))),
      half("F02d/on-record", "All of its moves are on record.", (told) => movesAre(told, "TASK-1", "inbox>active", "active>review", "review>done")),
    ],
  }),
  scenario("F02e", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.mid-move", kind: "error", errno: "EIO" }],
    halves: [
      half("F02e/said", "That it failed is said, and no record says that the task is where it was.", (told) => firstOf(unless(loggedIn(told, "dispatcher.move-open").length === 1, "it was not said"), unless(recordsOf(told, "move-failed").length === 0, "a record says that it was not moved"))),
      half("F02e/finished", "The next look puts the move on record, and starts the task once.", (told) => firstOf(movesAre(told, "TASK-1", "inbox>active"), startedOnce(told, "TASK-1"))),
    ],
  }),
  scenario("F03", {
    files: [one, other],
    cast: (cast) => addDispatcher(cast),
    // The fourth record: after two publications and an offer.
    faults: [{ at: "dispatcher.record-begun", kind: "kill-restart", nth: 4, forMs: 5_000 }],
    halves: [
      half("F03/readable", "Every record can be read, and the work is done from there.", (told) => firstOf(unless(told.ledger.problems.length === 0, told.ledger.problems.map(({ says }) => says).join("; ")), startedOnce(told, "TASK-1"))),
      half("F03/cleaned", "What the dead writer left is gone.", (told) => unless(told.pending.length === 0, `${told.pending.length} left beside the ledger`)),
    ],
  }),
  scenario("F03b", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.after-intent", kind: "power-loss", forMs: 5_000 }],
    halves: [
      half("F03b/kept", "What was acknowledged is on the disk.", (told) => unless(told.ledger.problems.length === 0 && told.ledger.records.length >= loggedIn(told, "dispatcher.appended").length, `${told.ledger.records.length} records of ${loggedIn(told, "dispatcher.appended").length} that were acknowledged`)),
      half("F03b/goes-on", "The restart sees the intent, and starts it once.", (told) => firstOf(decided(told, "TASK-1", /"retry"/), startedOnce(told, "TASK-1"))),
    ],
  }),
  scenario("F04", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.publish", kind: "error", errno: "EPERM", nth: 2, times: 3 }],
    halves: [
      half("F04/retried", "The replace was tried again, and came through.", (told) => firstOf(unless(loggedIn(told, "dispatcher.rename-refused").length === 3, `${loggedIn(told, "dispatcher.rename-refused").length} retries of 3`), startedOnce(told, "TASK-1"))),
      half("F04/no-failure", "No failure is reported that was none.", (told) => unless(loggedIn(told, "dispatcher.write-failed").length === 0, "a failure was reported")),
    ],
  }),
  scenario("F04b", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.publish", kind: "error", errno: "EPERM", times: 100_000 }],
    halves: [
      half("F04b/bounded", "No write is tried more than five times.", (told) => {
        const tries = Math.max(0, ...loggedIn(told, "dispatcher.rename-refused").map(({ facts }) => Number(facts["tries"]) + 1));
        return unless(tries <= 5, `a write was tried ${tries} times`);
      }),
      half("F04b/visible", "The failure is said, and nothing was started on what is not on record.", (told) => firstOf(unless(loggedIn(told, "dispatcher.write-failed").length > 0, "no failure was said"), notStarted(told, "TASK-1"))),
    ],
  }),
  scenario("F04c", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.move", kind: "error", errno: "EXDEV", times: 100_000 }],
    halves: [
      half("F04c/not-copied", "The task stays where it was, in one place, and is not started.", (told) => firstOf(unless(foldersOf(told, "TASK-1").join() === "inbox", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ")}`), notStarted(told, "TASK-1"))),
      half("F04c/visible", "The failed move is on record.", (told) => unless(recordsOf(told, "move-failed", "TASK-1").some(({ because }) => /EXDEV/.test(because ?? "")), "no record of the failed move")),
    ],
  }),
  scenario("F05", {
    files: [],
    runtime: { runsForMs: 30_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "publisher", publishAt(30_000, one));
    },
    faults: [{ at: "watch.dispatcher-1", kind: "duplicate", times: MANY_EVENTS }],
    halves: [
      half("F05/observed-twice", "One change was heard of twice.", (told) => {
        const times = heardOf(told, INBOX_1).map(({ atMs }) => atMs);
        return unless(new Set(times).size < times.length, `${times.length} events, each at a time of its own`);
      }),
      half("F05/one-commit", "One publication, one attempt, one start.", (told) => firstOf(startedOnce(told, "TASK-1"), unless(recordsOf(told, "published").length === 1, `${recordsOf(told, "published").length} publications`), unless(told.layers.attemptsCreated === 1, `${told.layers.attemptsCreated} attempts`))),
    ],
  }),
  scenario("F05b", {
    files: [],
    runtime: { runsForMs: 30_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "publisher", publishAt(30_000, one, other));
    },
    faults: [{ at: "watch.dispatcher-1", kind: "merge", times: MANY_EVENTS }],
    halves: [
      half("F05b/both-found", "One look finds both, without waiting for the period.", (told) => firstOf(foundWithin(told, "TASK-1", 30_000, QUICK_MS), foundWithin(told, "TASK-2", 30_000, QUICK_MS))),
      half("F05b/once-each", "Each is started once.", (told) => firstOf(startedOnce(told, "TASK-1"), startedOnce(told, "TASK-2"))),
    ],
  }),
  scenario("F06", {
    files: [],
    runtime: { runsForMs: 30_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "publisher", publishAt(30_000, one));
    },
    faults: [{ at: "watch.dispatcher-1", kind: "delay", forMs: 120_000, times: MANY_EVENTS }],
    halves: [
      half("F06/found", "The scan finds it within its period.", (told) => foundWithin(told, "TASK-1", 30_000, PERIOD_MS + QUICK_MS)),
      half("F06/late-event", "The late event starts nothing more.", (told) => firstOf(unless(starts(told, "TASK-1") <= 1, `TASK-1 was started ${starts(told, "TASK-1")} times`), unless(heardOf(told, INBOX_1).some(({ atMs }) => atMs === told.startMs + 150_000), "the late event was not heard"))),
    ],
  }),
  scenario("F06b", {
    files: [],
    runtime: { runsForMs: 30_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "publisher", publishAt(30_000, one));
    },
    faults: [{ at: "watch.dispatcher-1", kind: "drop", times: MANY_EVENTS }],
    halves: [
      half("F06b/found", "The scan finds it within its period.", (told) => foundWithin(told, "TASK-1", 30_000, PERIOD_MS + QUICK_MS)),
      half("F06b/goes-on", "It is started once, and comes to review, without a single event.", (told) => firstOf(startedOnce(told, "TASK-1"), unless(foldersOf(told, "TASK-1").join() === "review", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ") || "no folder"}`), unless(loggedIn(told, "dispatcher.observed").length === 0, "an event was heard"))),
    ],
  }),
  scenario("F06c", {
    files: [],
    runtime: { runsForMs: 20_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "publisher", async (actor) => {
        await publishAt(30_000, one)(actor);
        await publishAt(95_000, other)(actor);
      });
    },
    faults: [{ at: "watch.dispatcher-1", kind: "reset", errno: "EIO" }],
    halves: [
      half("F06c/said-and-found", "That it broke is said, and the scan finds the task within its period.", (told) => firstOf(unless(loggedIn(told, "dispatcher.watch-failed").length === 1, `it was said ${loggedIn(told, "dispatcher.watch-failed").length} times`), foundWithin(told, "TASK-1", 30_000, PERIOD_MS + QUICK_MS))),
      half("F06c/hears-again", "It is opened again: the next task is found without waiting for the period.", (told) => foundWithin(told, "TASK-2", 95_000, QUICK_MS)),
    ],
  }),
  scenario("F07", {
    files: [one, inbox("TASK-2")],
    cast: (cast) => addDispatcher(cast),
    faults: [],
    halves: [
      half("F07/one-at-a-time", "The second task is not started.", (told) => unless(told.sessions.length === 1, `${told.sessions.length} sessions of one agent`)),
      half("F07/recorded", "The block is on record.", (told) => onRecord(told, "TASK-2", "blocked", /busy with TASK-1/)),
    ],
  }),
  scenario("F08", {
    files: [one, inbox("TASK-2", { to: "QA", after: ["TASK-1"] }), inbox("TASK-3", { to: "OPS", gate: "GATE-1" })],
    cast: (cast) => addDispatcher(cast),
    faults: [],
    halves: [
      half("F08/no-session", "Neither is started.", (told) => firstOf(notStarted(told, "TASK-2"), notStarted(told, "TASK-3"), startedOnce(told, "TASK-1"))),
      half("F08/recorded", "The reasons are on record.", (told) => firstOf(onRecord(told, "TASK-2", "blocked", /needs TASK-1/), onRecord(told, "TASK-3", "blocked", /gate GATE-1/))),
    ],
  }),
  scenario("F09", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.after-intent", kind: "kill-restart", forMs: 5_000 }],
    halves: [
      half("F09/recognised", "The restart sees an attempt without a session.", (told) => decided(told, "TASK-1", /"retry"/)),
      half("F09/from-evidence", "It is started once, under that attempt and its key.", (told) => firstOf(startedOnce(told, "TASK-1"), unless(told.layers.attemptsCreated === 1, `${told.layers.attemptsCreated} attempts`))),
    ],
  }),
  scenario("F10", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: DISPATCH_FAULTS.F10.armed ?? [],
    halves: [
      half("F10/no-blind-start", "There is one session.", (told) => startedOnce(told, "TASK-1")),
      half("F10/visible", "What was decided about it is on record, and the session with it.", (told) => firstOf(decided(told, "TASK-1", /"continue"/), unless(recordsOf(told, "started", "TASK-1").some(({ text }) => text.includes("adopted")), "no session on record"))),
    ],
  }),
  scenario("F10b", {
    files: [one],
    runtime: { keys: "none" },
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.after-start", kind: "kill-restart", forMs: 5_000 }],
    halves: [
      half("F10b/no-blind-start", "There is one session.", (told) => startedOnce(told, "TASK-1")),
      half("F10b/a-person-decides", "The question is on record for a person, and a fresh reader shows it.", (told) => firstOf(decided(told, "TASK-1", /"needs-human"/), unless(told.account.tasks[0]?.mayDecide === "LEAD", `${told.account.tasks[0]?.mayDecide} may decide`))),
    ],
  }),
  scenario("F10c", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: DISPATCH_FAULTS.F10c.armed ?? [],
    halves: [
      half("F10c/no-blind-start", "There is one session.", (told) => startedOnce(told, "TASK-1")),
      half("F10c/visible", "It is found by its key, and the decision is on record.", (told) => decided(told, "TASK-1", /"continue"/)),
    ],
  }),
  scenario("F10d", {
    files: [one],
    cast(cast) {
      addDispatcher(cast, { name: "dispatcher" });
      addDispatcher(cast, { process: "dispatcher-2", name: "dispatcher", startsAfterMs: 10_000 });
    },
    faults: [{ at: "dispatcher.after-intent", kind: "stop-continue", process: "dispatcher-1", forMs: 2 * LEASE_MS }],
    halves: [
      half("F10d/fenced", "The one that stopped starts nothing when it wakes.", (told) => startedOnce(told, "TASK-1")),
      half("F10d/no-late-write", "No record is under a past epoch.", (told) => noLateWrite(told)),
    ],
  }),
  scenario("F10f", {
    files: [one],
    runtime: { keys: "honoured" },
    cast(cast) {
      addDispatcher(cast);
      addDispatcher(cast, { process: "dispatcher-2", startsAfterMs: 10_000 });
    },
    faults: [{ at: "dispatcher.before-start", kind: "stop-continue", process: "dispatcher-1", forMs: 2 * LEASE_MS }],
    halves: [
      half("F10f/one-start", "The late start is the session that is there.", (told) => startedOnce(told, "TASK-1")),
      half("F10f/no-late-write", "No record is under a past epoch.", (told) => noLateWrite(told)),
    ],
  }),
  scenario("F10g", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "dispatcher.after-start", kind: "power-loss", forMs: 5_000 }],
    halves: [
      half("F10g/no-blind-start", "There is one session.", (told) => startedOnce(told, "TASK-1")),
      half("F10g/one-place", "The task is in one folder.", (told) => unless(foldersOf(told, "TASK-1").join() === "active", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ") || "no folder"}`)),
    ],
  }),
  scenario("F10e", {
    files: [one],
    runtime: { runsForMs: 30_000, endsAs: "failed" },
    cast: (cast) => addDispatcher(cast),
    faults: [],
    halves: [
      half("F10e/no-second-start", "The same intent is not started again.", (told) => startedOnce(told, "TASK-1")),
      half("F10e/a-person-decides", "The failure is on record, and a person may decide.", (told) => firstOf(decided(told, "TASK-1", /"stop"/), unless(told.account.tasks[0]?.failures.length === 1, "no failure is shown"))),
    ],
  }),
  scenario("F10h", {
    files: [one, other],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "sessions.started", kind: "hold" }],
    halves: [
      half("F10h/no-blind-start", "That nobody answered is on record, and the next look finds the one session by its key.", (told) => firstOf(unanswered(told, "TASK-1"), startedOnce(told, "TASK-1"), adoptedOnce(told, "TASK-1"))),
      half("F10h/others-go-on", "The other task is started in the same look, once the answer is overdue.", (told) => foundWithin(told, "TASK-2", 0, ANSWER_MS + QUICK_MS)),
    ],
  }),
  scenario("F10i", {
    files: [one],
    cast(cast) {
      addDispatcher(cast, {
        scans: false,
        async beside(dispatcher, { clock, log }) {
          log.write("info", "actor.answer", { outcome: (await dispatcher.wake("TASK-1", "asked for")).outcome });
          await clock.sleep(3 * LEASE_MS);
        },
      });
      addDispatcher(cast, { process: "dispatcher-2", startsAfterMs: 2_000 });
    },
    faults: [{ at: "sessions.started", kind: "slow", process: "dispatcher-1", forMs: 2 * LEASE_MS }],
    halves: [
      half("F10i/answered", "Who asked is told in time that nobody knows whether it started.", (told) => {
        const [answer] = loggedIn(told, "actor.answer");
        return unless(answer?.facts["outcome"] === "unknown" && answer.atMs <= told.startMs + ANSWER_MS + QUICK_MS, `the answer was ${answer === undefined ? "none" : `${String(answer.facts["outcome"])} after ${(answer.atMs - told.startMs) / 1_000} s`}`);
      }),
      half("F10i/not-written", "The other one has found the session, and the late answer is heard and written nowhere.", (told) => firstOf(startedOnce(told, "TASK-1"), adoptedOnce(told, "TASK-1"), noLateWrite(told), unless(loggedIn(told, "dispatcher.answered-late").length === 1, "no late answer was heard"))),
    ],
  }),
  scenario("F10j", {
    files: [one],
    runtime: { keys: "none" },
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "sessions.started", kind: "hold" }],
    halves: [
      half("F10j/no-blind-start", "Nothing is started again.", (told) => startedOnce(told, "TASK-1")),
      half("F10j/a-person-decides", "The question is on record for a person.", (told) => firstOf(unanswered(told, "TASK-1"), decided(told, "TASK-1", /"needs-human"/))),
    ],
  }),
  scenario("F10k", {
    files: [one],
    cast: (cast) => addDispatcher(cast),
    faults: [{ at: "sessions.start", kind: "slow", forMs: 50_000 }],
    halves: [
      half("F10k/no-blind-start", "That the runtime has no session with its key says nothing: the first start still comes, and is the only one.", (told) => startedOnce(told, "TASK-1")),
      half("F10k/visible", "A person is asked meanwhile, and the session is on record when it is there.", (told) => firstOf(decided(told, "TASK-1", /"needs-human"/), decided(told, "TASK-1", /"continue"/), adoptedOnce(told, "TASK-1"))),
    ],
  }),
  scenario("F10l", {
    files: [one],
    runtime: { runsForMs: 130_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "publisher", publishAt(25_000, other));
    },
    faults: [{ at: "sessions.status", kind: "hang", times: 3 }],
    halves: [
      half("F10l/others-go-on", "A task that is published meanwhile is started within a period.", (told) => foundWithin(told, "TASK-2", 25_000, PERIOD_MS + ANSWER_MS + QUICK_MS)),
      half("F10l/said-and-taken-back", "A person is asked what became of it; the question is taken back when the runtime answers, and the work comes to review.", (told) =>
        firstOf(startedOnce(told, "TASK-1"), decided(told, "TASK-1", /"needs-human"/), decided(told, "TASK-1", /"continue"/), unless(foldersOf(told, "TASK-1").join() === "review", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ")}`))),
    ],
  }),
  scenario("F11", {
    files: [one],
    runtime: { runsForMs: 20_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "agent", async (actor) => {
        const report = objectText({ id: "REPORT-1", kind: "REPORT", task: "TASK-1", verdict: "done" });
        await actor.at(70_000);
        await actor.publish({ folder: "review", text: report });
        await actor.at(100_000);
        await actor.publish({ folder: "review", text: report });
        await actor.publish({ folder: "review", text: report.replace("REPORT-1", "REPORT-2") });
      });
    },
    faults: [],
    halves: [
      half("F11/history-kept", "Both reports are there.", (told) => unless(told.reading.sources.filter(({ object }) => object.kind === "REPORT").length === 2, "a report is gone")),
      half("F11/not-accepted", "The task is in review, and its attempt is reported and no more.", (told) => firstOf(unless(foldersOf(told, "TASK-1").join() === "review", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ")}`), unless([...told.ledger.state.attempts.values()].every(({ status }) => status === "reported"), "the attempt is more than reported"))),
    ],
  }),
  scenario("F13", {
    files: [inbox("TASK-1", { source: "a stranger" }), other],
    cast: (cast) => addDispatcher(cast),
    faults: [],
    halves: [
      half("F13/refused", "The unknown one is refused, on record.", (told) => firstOf(notStarted(told, "TASK-1"), onRecord(told, "TASK-1", "refused", /none of the trusted routes/))),
      half("F13/accepted", "The trusted one is started.", (told) => startedOnce(told, "TASK-2")),
    ],
  }),
  scenario("F14", {
    files: [one, inbox("TASK-2", { to: "QA", parent: "TASK-1" }), inbox("TASK-3", { to: "OPS", gate: "GATE-1" })],
    runtime: { runsForMs: 20_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "lead", async (actor) => {
        await actor.at(70_000);
        await actor.publish({ folder: "review", text: objectText({ id: "REVIEW-1", kind: "REVIEW", from: "LEAD", task: "TASK-1", verdict: "accepted" }) });
        await actor.at(110_000);
        await actor.publish({ folder: "review", text: objectText({ id: "REVIEW-2", kind: "REVIEW", from: "LEAD", gate: "GATE-1", verdict: "approved" }) });
      });
    },
    faults: [],
    halves: [
      half("F14/no-session-before", "Neither is started before.", (told) => firstOf(startedAfter(told, "TASK-2", 70_000), startedAfter(told, "TASK-3", 110_000))),
      half("F14/once-when-met", "Each is started once when it is met.", (told) => firstOf(startedOnce(told, "TASK-2"), startedOnce(told, "TASK-3"))),
    ],
  }),
  scenario("F15", {
    files: [one],
    cast: (cast) => addDispatcher(cast, { beside: async (dispatcher, { log }) => log.write("info", "actor.answer", { outcome: (await dispatcher.wake("TASK-1", "asked for")).outcome }) }),
    faults: [],
    halves: [
      half("F15/one-start", "There is one start.", (told) => startedOnce(told, "TASK-1")),
      half("F15/answered", "The wake was told what became of the task.", (told) => unless(loggedIn(told, "actor.answer").some(({ facts }) => facts["outcome"] === "dispatched" || facts["outcome"] === "already-dispatched"), "the wake had no such answer")),
    ],
  }),
  scenario("F15b", {
    files: [one],
    cast(cast) {
      addDispatcher(cast);
      addDispatcher(cast, {
        process: "dispatcher-2",
        scans: false,
        beside: async (dispatcher, { log }) => log.write("info", "actor.answer", { outcome: (await dispatcher.wake("TASK-1", "asked for", "command-1")).outcome }),
      });
    },
    faults: [],
    halves: [
      half("F15b/one-start", "There is one start.", (told) => startedOnce(told, "TASK-1")),
      half("F15b/answered", "The wake was told what became of the task.", (told) => unless(loggedIn(told, "actor.answer").length === 1, "the wake had no answer")),
    ],
  }),
  scenario("F15c", {
    files: [one],
    cast(cast) {
      addDispatcher(cast);
      addDispatcher(cast, {
        process: "dispatcher-2",
        scans: false,
        startsAfterMs: 2_000,
        beside: async (dispatcher, { log }) => log.write("info", "actor.answer", { outcome: (await dispatcher.wake("TASK-1", "asked for", "command-1")).outcome }),
      });
    },
    faults: [{ at: "dispatcher.before-start", kind: "slow", process: "dispatcher-1", forMs: 5_000 }],
    halves: [
      half("F15c/one-start", "There is one start.", (told) => startedOnce(told, "TASK-1")),
      half("F15c/answered", "The wake is told that the task is taken.", (told) => unless(loggedIn(told, "actor.answer").some(({ facts }) => facts["outcome"] === "already-dispatched"), "the wake was not told so")),
    ],
  }),
  scenario("F16", {
    files: [one],
    cast: (cast) =>
      addDispatcher(cast, {
        scans: false,
        async beside(dispatcher, { clock, log }) {
          for (const because of ["not yet", "still not"]) log.write("info", "actor.held", { answer: await dispatcher.hold("TASK-1", because) });
          for (let scans = 1; scans <= 3; scans += 1) {
            await dispatcher.scan();
            await clock.sleep(PERIOD_MS);
          }
          log.write("info", "actor.released", { outcome: (await dispatcher.release("TASK-1", "now")).outcome });
          for (let scans = 1; scans <= 3; scans += 1) {
            await dispatcher.scan();
            await clock.sleep(PERIOD_MS);
          }
        },
      }),
    faults: [],
    halves: [
      half("F16/idempotent", "One hold is on record, and nothing is started before its release.", (told) => firstOf(unless(recordsOf(told, "held").length === 1, `${recordsOf(told, "held").length} holds`), startedAfter(told, "TASK-1", 3 * PERIOD_MS))),
      half("F16/released-once", "The release starts it, once.", (told) => firstOf(startedOnce(told, "TASK-1"), unless(loggedIn(told, "actor.released")[0]?.facts["outcome"] === "dispatched", "the release did not start it"))),
    ],
  }),
  scenario("F17", {
    files: [one],
    runtime: { runsForMs: 60_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "somebody", async (actor) => {
        await actor.at(30_000);
        await actor.move("_lifecycle/active/TASK-1.md", "_lifecycle/archive/TASK-1.md");
      });
    },
    faults: [],
    halves: [
      half("F17/reported", "The move that the rules do not allow is refused, on record.", (told) => unless(recordsOf(told, "move-failed", "TASK-1").some(({ because }) => /no allowed move/.test(because ?? "")), "no record of a refused move")),
      half("F17/nothing-invented", "The task stays where it was put, and no move is made up.", (told) =>
        firstOf(unless(foldersOf(told, "TASK-1").join() === "archive", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ")}`), unless(taskOf(told.ledger.state, "TASK-1").moves.length === 1, `${taskOf(told.ledger.state, "TASK-1").moves.length} moves on record`))),
      half("F17/a-person-decides", "A fresh reader shows the gap, and who may decide.", (told) => {
        const account = told.account.tasks.find(({ task }) => task === "TASK-1");
        return unless(account?.mayDecide === "LEAD" && /history has a (gap|move)/.test(account.fact), `it says ${account?.fact}; ${account?.mayDecide} may decide`);
      }),
    ],
    noticedBy: [3],
  }),
  scenario("F18", {
    files: [inbox("TASK-1", { gate: "GATE-1" })],
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "somebody", async (actor) => {
        await actor.at(30_000);
        await actor.publish(inbox("TASK-1", { gate: "GATE-1" }, "Do something else."));
        await actor.publish({ folder: "review", text: objectText({ id: "REVIEW-2", kind: "REVIEW", from: "LEAD", gate: "GATE-1", verdict: "approved" }) });
      });
    },
    faults: [],
    halves: [
      half("F18/detected", "The edit is on record as the reason why it is refused.", (told) => onRecord(told, "TASK-1", "refused", /edited after it was published/)),
      half("F18/not-started", "The new text is not started under the old approval.", (told) => notStarted(told, "TASK-1")),
    ],
  }),
  scenario("F18b", {
    files: [one],
    runtime: { runsForMs: 20_000 },
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "agent", async (actor) => {
        await actor.at(70_000);
        await actor.publish({ folder: "review", text: objectText({ id: "REVIEW-1", kind: "REVIEW", from: "DEV", task: "TASK-1", verdict: "accepted" }) });
      });
    },
    faults: [],
    halves: [
      half("F18b/not-accepted", "The task stays in review.", (told) => unless(foldersOf(told, "TASK-1").join() === "review", `TASK-1 is in ${foldersOf(told, "TASK-1").join(", ")}`)),
      half("F18b/recorded", "Why it does not count is on record.", (told) => onRecord(told, "TASK-1", "blocked", /nobody approves his own work/)),
    ],
  }),
  scenario("F18c", {
    files: [one],
    cast(cast) {
      addDispatcher(cast, { scans: false, beside: async (dispatcher) => void (await dispatcher.wake("TASK-1", "asked for")) });
      addActor(cast, "somebody", async (actor) => {
        await actor.at(10_000);
        await actor.publish(inbox("TASK-1", {}, "Do something else."));
      });
    },
    faults: [{ at: "dispatcher.after-intent", kind: "slow", forMs: 30_000 }],
    halves: [
      half("F18c/not-started", "Nothing is started for a text that is no longer there.", (told) => unless(sessionsOf(told, "TASK-1").every(({ revision }) => foldersOf(told, "TASK-1").length > 0 && told.reading.sources.some(({ object }) => object.revision === revision)), "a session was started for a text that was replaced")),
      half("F18c/recorded", "The intent is on record as superseded.", (told) => unless([...told.ledger.state.attempts.values()].some(({ status }) => status === "superseded"), "no attempt is superseded")),
    ],
  }),
  scenario("F19", {
    files: [one],
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "stranger", async ({ ports, at }) => {
        await at(10_000);
        await ports.sessions(cast.runtime).start({ key: "foreign-1", task: "TASK-1", revision: "", agent: "DEV", attempt: "", epoch: 0 });
      });
    },
    faults: [],
    halves: [
      half("F19/listed", "It is listed, with who may decide.", (told) => unless(told.account.orphans.length === 1 && told.account.orphans[0]?.mayDecide === "LEAD", `${told.account.orphans.length} orphans are listed`)),
      half("F19/not-adopted", "No attempt is said to be it.", (told) => {
        const foreign = told.sessions.find(({ key }) => key.startsWith("foreign"))?.id;
        return unless(![...told.ledger.state.attempts.values()].some(({ session }) => session === foreign), "an attempt took it for its own");
      }),
    ],
  }),
  scenario("F19b", {
    files: [one],
    cast(cast) {
      addDispatcher(cast);
      addActor(cast, "stranger", async ({ ports }) => void (await ports.sessions(cast.runtime).start({ key: "foreign-1", task: "TASK-1", revision: "", agent: "DEV", attempt: "", epoch: 0 })));
    },
    faults: [{ at: "sessions.list", kind: "hang" }],
    halves: [
      half("F19b/said", "That it did not come is said.", (told) => unless(loggedIn(told, "dispatcher.runtime-silent").length === 1, `it was said ${loggedIn(told, "dispatcher.runtime-silent").length} times`)),
      half("F19b/listed", "The next look lists the stranger.", (told) => unless(told.account.orphans.length === 1, `${told.account.orphans.length} orphans are listed`)),
    ],
  }),
  scenario("F20", {
    files: [one, inbox("TASK-2", { to: "QA", after: ["TASK-1"] }), inbox("TASK-3", { to: "OPS", source: "a stranger" }), ...twoTexts.map((file) => ({ ...file, name: `${file.name ?? "TASK-4"}-4`, text: file.text.replaceAll("TASK-1", "TASK-4") }))],
    runtime: { runsForMs: 30_000, endsAs: "failed" },
    cast: (cast) => addDispatcher(cast),
    faults: [],
    halves: [
      half("F20/says", "It says who is responsible, which state, what is open, what failed, and who may decide.", (told) => {
        const said = told.account.tasks.map(({ task, state, openAction, mayDecide, failures, responsible }) => `${task} ${responsible} ${state}: ${openAction}; ${mayDecide}; ${failures.length}`);
        const expected = [
          "TASK-1 DEV active: start it under a new key, or stop it; LEAD; 1",
          "TASK-2 QA inbox: none; it starts when the reasons are gone; any dispatcher; 0",
          "TASK-3 OPS inbox: remove the reason, or withdraw the task; LEAD; 0",
          "TASK-4  conflict: say which one counts; the others leave the folders; LEAD; 0",
        ];
        return unless(said.join("\n") === expected.join("\n"), `it says ${said.join(" | ")}`);
      }),
      half("F20/any-order", "It says the same for every order of the files.", ({ files }) => unless(readingText(readLifecycle(files)) === readingText(readLifecycle([...files].reverse())), "another order, another reading")),
    ],
  }),
];

function startedAfter(told: Told, task: string, ms: number): string | undefined {
  const early = sessionsOf(told, task).filter(({ startedAtMs }) => startedAtMs < told.startMs + ms);
  return unless(early.length === 0, `${task} was started ${early.length} times before it might`);
}

function noLateWrite({ ledger }: Told): string | undefined {
  let current = 0;
  for (const { record, seq } of ledger.records) {
    if (record.kind === "claimed") current = record.epoch;
    else if ("epoch" in record && record.epoch !== current) return `record ${seq} (${record.kind}) is under epoch ${record.epoch}, and ${current} was current`;
  }
  return undefined;
}

