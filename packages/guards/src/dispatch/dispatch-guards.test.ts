/** The six rules of dispatch, each on facts that are wrong, on healthy ones, and on what fools it. */
import { describe, expect, it } from "vitest";
import { dispatchGuessedRestart, type RecoveredAttempt } from "./guessed-restart.ts";
import { dispatchHistoryRewritten, type HistoryFacts } from "./history-rewritten.ts";
import { dispatchSplitState, type TaskPlaces } from "./split-state.ts";
import { dispatchStartWithoutPermit, type PermittedStart } from "./start-without-permit.ts";
import { dispatchTwoJobs, type TwoJobsFacts } from "./two-jobs.ts";
import { dispatchUnattributedStart, type StartedSession } from "./unattributed-start.ts";
import { dispatchUnseenTask, type PublishedTask } from "./unseen-task.ts";

describe("one identity, one job", () => {
  const healthy: TwoJobsFacts = { declared: [{ task: "a", revision: "1" }], kept: [{ task: "a", revision: "1" }], started: [{ task: "a", revision: "1", session: "s1" }], reported: [] };
  const twice = [{ task: "a", revision: "1" }, { task: "a", revision: "2" }];

  it("is silent on one text that was started, and on two that are kept, reported and not started", () => {
    expect(dispatchTwoJobs(healthy)).toBeUndefined();
    expect(dispatchTwoJobs({ declared: twice, kept: twice, started: [], reported: ["a"] })).toBeUndefined();
  });

  it("alarms on two texts of which one was started, overwritten, or that nobody reports", () => {
    expect(dispatchTwoJobs({ ...healthy, declared: twice })).toEqual({
      guard: "dispatch/two-jobs",
      subject: "a",
      message: "1 of 1 ids are more than one job: a (1 of 2 texts gone, 1 sessions for 2 texts, 2 texts, not reported)",
      counts: { ids: 1, wrong: 1, sessions: 1 },
    });
    expect(dispatchTwoJobs({ declared: twice, kept: twice, started: [], reported: [] })?.message).toMatch(/2 texts, not reported/);
  });

  it("alarms on one id that was started for two texts, whatever was declared", () => {
    const started = [...healthy.started, { task: "a", revision: "2", session: "s2" }];
    expect(dispatchTwoJobs({ ...healthy, started })?.message).toMatch(/started for 2 texts/);
  });

  it("is fooled by two ids for one job", () => {
    const both = [{ task: "a", revision: "1" }, { task: "b", revision: "1" }];
    expect(dispatchTwoJobs({ declared: both, kept: both, started: [], reported: [] })).toBeUndefined();
  });
});

describe("no split state", () => {
  const row: TaskPlaces = { task: "a", published: ["inbox"], now: ["active"], sessions: 1, isReported: false };

  it("is silent on a task that moved, and on two places that were published, kept and reported", () => {
    expect(dispatchSplitState([row, { task: "b", published: ["inbox", "active"], now: ["active", "inbox"], sessions: 0, isReported: true }])).toBeUndefined();
  });

  it.each<readonly [string, Partial<TaskPlaces>]>([
    ["in active and inbox, published in inbox", { now: ["inbox", "active"] }],
    ["in no folder, published in inbox", { now: [] }],
    ["published in active and inbox, now in active", { published: ["inbox", "active"], isReported: true }],
    ["started 1 times while in active and inbox", { published: ["inbox", "active"], now: ["inbox", "active"], isReported: true }],
    ["in active and inbox, not reported", { published: ["inbox", "active"], now: ["inbox", "active"], sessions: 0 }],
  ])("alarms: %s", (says, change) => {
    expect(dispatchSplitState([row, { ...row, task: "b", ...change }])).toMatchObject({ subject: "b", message: `1 of 2 tasks have a split state: b (${says})`, counts: { tasks: 2, split: 1 } });
  });
});

describe("history only grows", () => {
  const one = { number: 1, text: "offered" };
  const two = { number: 2, text: "claimed" };
  const healthy: HistoryFacts = { acknowledged: [one, two], kept: [one, two], moved: [{ task: "a", folder: "active", path: ["active"], isOpen: false }] };

  it("is silent on what was acknowledged and is there, on more than that, and on a move that is open", () => {
    expect(dispatchHistoryRewritten(healthy)).toBeUndefined();
    expect(dispatchHistoryRewritten({ ...healthy, acknowledged: [one] })).toBeUndefined();
    expect(dispatchHistoryRewritten({ ...healthy, moved: [{ task: "a", folder: "review", path: ["active"], isOpen: true }] })).toBeUndefined();
  });

  it.each<readonly [string, Partial<HistoryFacts>]>([
    ["record 2 is gone", { kept: [one] }],
    ["record 2 is not what was acknowledged", { kept: [one, { number: 2, text: "started" }] }],
    ["no record 1 of 2", { acknowledged: [two], kept: [two] }],
    ["a is in archive, its moves lead to active", { moved: [{ task: "a", folder: "archive", path: ["active"], isOpen: false }] }],
  ])("alarms: %s", (says, change) => {
    expect(dispatchHistoryRewritten({ ...healthy, ...change })?.message).toContain(says);
  });

  it("is fooled when the end is cut off and nobody was told of it", () => {
    expect(dispatchHistoryRewritten({ ...healthy, acknowledged: [one], kept: [one] })).toBeUndefined();
  });
});

describe("every start can be put down to a decision", () => {
  const row: StartedSession = { session: "s1", task: "a", attempt: "t1", revision: "1", epoch: 1, record: { revision: "1", epochs: [1], because: "scan" }, published: "1" };

  it("is silent on one that names text, attempt, lease and rationale, also where nobody published the text on record", () => {
    expect(dispatchUnattributedStart([row, { ...row, session: "s2", published: undefined }])).toBeUndefined();
  });

  it.each<readonly [string, Partial<StartedSession>]>([
    ['no attempt "t1" on record', { record: undefined }],
    ["another text than was published", { published: "2" }],
    ["another text than was published", { revision: "2" }],
    ["no lease of epoch 2", { epoch: 2 }],
    ["no rationale", { record: { revision: "1", epochs: [1], because: "" } }],
  ])("alarms: %s", (says, change) => {
    expect(dispatchUnattributedStart([row, { ...row, session: "s2", ...change }])).toMatchObject({ message: `1 of 2 sessions cannot be put down to a decision: s2 (${says})`, counts: { sessions: 2, unattributed: 1 } });
  });
});

describe("no permit, no start", () => {
  const row: PermittedStart = { session: "s1", task: "a", startedAtMs: 10, conditions: [{ name: "gate", heldFromMs: 10, heldUntilMs: undefined }] };

  it("is silent from the moment on that a condition holds, and until it ends", () => {
    expect(dispatchStartWithoutPermit([row, { ...row, conditions: [{ name: "gate", heldFromMs: 0, heldUntilMs: 11 }] }])).toBeUndefined();
  });

  it.each([
    ["never", undefined, undefined],
    ["later", 11, undefined],
    ["no more", 0, 10],
  ])("alarms on a condition that held %s", (_when, heldFromMs, heldUntilMs) => {
    expect(dispatchStartWithoutPermit([{ ...row, conditions: [{ name: "gate", heldFromMs, heldUntilMs }] }])).toEqual({
      guard: "dispatch/start-without-permit",
      subject: "a",
      message: "1 of 1 sessions started without a permit: s1 for a (gate)",
      counts: { sessions: 1, withoutPermit: 1 },
    });
  });

  it("is fooled by a condition that nobody names", () => {
    expect(dispatchStartWithoutPermit([{ ...row, conditions: [] }])).toBeUndefined();
  });
});

describe("a restart never guesses", () => {
  const row: RecoveredAttempt = { attempt: "t1", task: "a", claims: 2, decisions: 1, sessions: ["s1"], recorded: "s1" };

  it("is silent on a recovery that was decided, on a first claim, and on an attempt that nobody started", () => {
    expect(dispatchGuessedRestart([row, { ...row, claims: 1, decisions: 0 }, { ...row, sessions: [], recorded: undefined }])).toBeUndefined();
  });

  it.each<readonly [string, Partial<RecoveredAttempt>]>([
    ["2 sessions", { sessions: ["s1", "s2"] }],
    ["its session s9 was never started", { recorded: "s9" }],
    ["2 claims and no decision", { decisions: 0 }],
  ])("alarms: %s", (says, change) => {
    expect(dispatchGuessedRestart([{ ...row, ...change }])).toMatchObject({ subject: "a", message: `1 of 1 attempts were guessed at: t1 of a (${says})`, counts: { attempts: 1, guessed: 1 } });
  });

  it("is fooled by a start that the runtime does not list", () => {
    expect(dispatchGuessedRestart([{ ...row, sessions: ["s1"] }])).toBeUndefined();
  });
});

describe("a published task is seen", () => {
  const seen: PublishedTask = { task: "a", ageMs: 90_000, isOnRecord: true };
  const young: PublishedTask = { task: "b", ageMs: 20_000, isOnRecord: false };
  const facts = (...tasks: PublishedTask[]) => ({ tasks, periodMs: 20_000 });

  it("is silent on one that is on record, on one whose period is not over, and on none", () => {
    expect(dispatchUnseenTask(facts(seen, young))).toBeUndefined();
    expect(dispatchUnseenTask(facts())).toBeUndefined();
  });

  it("alarms on one that nobody has on record when its period is over", () => {
    expect(dispatchUnseenTask(facts(seen, { ...young, ageMs: 20_001 }))).toEqual({
      guard: "dispatch/unseen-task",
      subject: "b",
      message: "1 of 2 published tasks were seen by nobody within 20 s: b (20 s old)",
      counts: { tasks: 2, unseen: 1 },
    });
  });

  it("is fooled by a record that names the task and says nothing, and by a period that is longer than anybody waits", () => {
    expect(dispatchUnseenTask(facts({ ...young, ageMs: 90_000, isOnRecord: true }))).toBeUndefined();
    expect(dispatchUnseenTask({ ...facts({ ...young, ageMs: 90_000 }), periodMs: 90_000 })).toBeUndefined();
  });
});
