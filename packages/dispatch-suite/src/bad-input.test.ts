/** What a dispatcher does with a desk that is not as it should be: nothing lost, nothing guessed, nobody else stopped. */
import { createDispatcher, type Dispatcher } from "@casebook/dispatcher";
import { type LedgerRecord, taskOf } from "@casebook/dispatcher/judge";
import { createTouches, judge, playAlone, randomly, simulationOf, type System } from "@casebook/explore";
import { type ArmedFault, createStream, type RuntimeOptions } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { addActor, addDispatcher, type Cast, type DeskFile, HOST, objectText, ROOT, setDesk, volumeOf } from "./desk.ts";
import { RULES } from "./rules.ts";
import { loggedIn, recordsOf, sessionsOf, tell, type Told } from "./told.ts";

const EPOCH_MS = Date.UTC(2026, 0, 1);
const inbox = (id: string, fields = {}): DeskFile => ({ folder: "inbox", text: objectText({ id, ...fields }) });
const one = inbox("TASK-1");
const other = inbox("TASK-2", { to: "QA" });

const base = { v: 1, atMs: EPOCH_MS - 3_600_000, by: "dispatcher-0" } as const;
const offered: LedgerRecord = { ...base, kind: "offered", task: "TASK-1", attempt: "attempt-0", revision: "r", agent: "DEV", key: "TASK-1#1", because: "scan" };
const claimed: LedgerRecord = { ...base, kind: "claimed", task: "TASK-1", attempt: "attempt-0", agent: "DEV", owner: "dispatcher-0", epoch: 1, expiresAtMs: EPOCH_MS - 1 };

interface Desk {
  readonly files: readonly DeskFile[];
  readonly records?: readonly (LedgerRecord | object | string)[];
  readonly mount?: string;
  readonly cast?: (cast: Cast) => void;
  readonly schedule?: number;
  readonly faults?: readonly ArmedFault[];
  readonly runtime?: RuntimeOptions;
  /** Done to the disk before anybody runs. */
  readonly prepare?: (volume: ReturnType<typeof volumeOf>) => void;
}

const LEDGER_FOLDER = `${ROOT}/_dispatch/ledger`;

async function played({ files, records = [], mount, cast = addDispatcher, schedule = 0, faults = [], runtime = {}, prepare }: Desk): Promise<Told> {
  const volume = volumeOf(files);
  records.forEach((record, index) => {
    const folder = `${LEDGER_FOLDER}/${String(index + 1).padStart(8, "0")}`;
    volume.mkdirSync(folder, { recursive: true });
    volume.writeFileSync(`${folder}/record.json`, typeof record === "string" ? record : JSON.stringify(record));
  });
  prepare?.(volume);
  const system: System<Told> = {
    name: "dispatch/bad-input",
    claim: "",
    build(space) {
      const desk = setDesk(space, {}, volume, runtime);
      if (mount !== undefined) space.mount(HOST, mount);
      cast(desk);
      return { facts: () => tell(desk, files, Number.POSITIVE_INFINITY, EPOCH_MS) };
    },
    checks: [],
    maxSteps: 20_000,
  };
  const chooser = schedule === 0 ? { choose: () => 0 } : randomly(createStream(schedule, "bad input"));
  const simulation = simulationOf(system, chooser, faults);
  await playAlone(simulation.execution, await findRunner());
  createTouches().learn(simulation.execution);
  expect(judge(system, simulation)).toEqual({ verdict: "holds" });
  return simulation.facts();
}

const started = (told: Told): string[] => told.sessions.map(({ task }) => task).toSorted();
const revisionOf = (told: Told, id: string): string | undefined => told.reading.sources.find(({ object }) => object.id === id)?.object.revision;

describe("an attempt store", () => {
  it("with a status word that nobody knows stops that task only", async () => {
    const told = await played({ files: [one, other], records: [offered, { ...base, kind: "ended", task: "TASK-1", attempt: "attempt-0", epoch: 1, status: "vanished", because: "" }] });
    expect(started(told)).toEqual(["TASK-2"]);
    expect(taskOf(told.ledger.state, "TASK-1").refused[0]).toMatch(/^the ledger has a record of kind "ended": status: /);
    expect(told.account.tasks.find(({ task }) => task === "TASK-1")).toMatchObject({ openAction: "read it with the version that wrote it", mayDecide: "LEAD" });
  });

  it.each(["", '{"v":1,"kind":"offe'])("with a record of which only %j is there starts nothing, and says which one it is", async (record) => {
    const told = await played({ files: [one], records: [record] });
    expect(started(told)).toEqual([]);
    expect(loggedIn(told, "dispatcher.look-failed")[0]?.facts["says"]).toBe(
      `LEDGER_DAMAGED: /desk/_dispatch/ledger: ${record.length} bytes that are no record. Nobody can say what was decided, so nothing is started. Restore record 1 from a copy.`,
    );
    // Nothing was written over it either.
    expect(told.files.filter(({ path }) => path.startsWith("_dispatch/ledger/"))).toHaveLength(1);
  });

  it("with an attempt whose task is gone leaves it to a person, and goes on with the others", async () => {
    const told = await played({ files: [other], records: [offered] });
    expect(started(told)).toEqual(["TASK-2"]);
    expect(told.account.tasks.find(({ task }) => task === "TASK-1")).toMatchObject({ state: "missing", openAction: "find its file, or stop it" });
  });

  it.each([1, 2, 3, 4, 5, 6])("with an expired lease gives it to one of two contenders (schedule %i)", async (schedule) => {
    const told = await played({
      schedule,
      files: [one],
      records: [{ ...offered, revision: revisionOf(await played({ files: [one], cast: (cast) => addActor(cast, "nobody", async () => undefined) }), "TASK-1") }, claimed],
      cast(cast) {
        addDispatcher(cast, { forMs: 40_000 });
        addDispatcher(cast, { process: "dispatcher-2", forMs: 40_000 });
      },
    });
    expect(recordsOf(told, "claimed", "TASK-1")).toHaveLength(2);
    expect(started(told)).toEqual(["TASK-1"]);
    expect(RULES.flatMap(({ id, alarm }) => alarm(told) ?? (id === "" ? [id] : []))).toEqual([]);
  });

  it("with a lease that expired before it starts takes it for free", async () => {
    const told = await played({ files: [one], records: [{ ...offered, revision: "other" }, { ...claimed, expiresAtMs: 0 }] });
    // Free, and bound to a text that is no longer there: nothing is started for that one.
    expect([recordsOf(told, "claimed").length, started(told), [...told.ledger.state.attempts.values()].map(({ status }) => status)]).toEqual([2, [], ["superseded"]]);
  });
});

describe("an attempt store that others have touched", () => {
  it("with a folder that lost its record starts nothing, whatever comes behind it", async () => {
    const told = await played({ files: [one], records: [offered, claimed], prepare: (volume) => volume.unlinkSync(`${LEDGER_FOLDER}/00000001/record.json`) });
    expect([started(told), loggedIn(told, "dispatcher.look-failed")[0]?.facts["says"]]).toEqual([
      [],
      "LEDGER_DAMAGED: /desk/_dispatch/ledger: record 1 is a folder without record.json. Nobody can say what was decided, so nothing is started. Restore record 1 from a copy.",
    ]);
  });

  it("with a folder that was made and not yet written starts nothing", async () => {
    const told = await played({ files: [one], prepare: (volume) => volume.mkdirSync(`${LEDGER_FOLDER}/00000001`, { recursive: true }) });
    expect([started(told), told.ledger.records]).toEqual([[], []]);
  });

  it("with what a writer left beside it keeps the young, and removes the old", async () => {
    const told = await played({
      files: [],
      cast: (cast) => addDispatcher(cast, { forMs: 30_000 }),
      prepare(volume) {
        for (const [name, atS] of [["young", EPOCH_MS / 1_000 - 1], ["old", EPOCH_MS / 1_000 - 3_600]] as const) {
          const folder = `${ROOT}/_dispatch/pending/${name}`;
          volume.mkdirSync(folder, { recursive: true });
          volume.writeFileSync(`${folder}/record.json`, "{");
          volume.utimesSync(folder, atS, atS);
        }
      },
    });
    expect(told.pending).toEqual(["young"]);
  });
});

describe("a past owner", () => {
  it("renews nothing, and writes nothing, once another has the lease", async () => {
    const told = await played({
      files: [one],
      runtime: { keys: "recorded" },
      faults: [{ at: "dispatcher.after-commit", kind: "stop-continue", process: "dispatcher-1", forMs: 100_000 }],
      cast(cast) {
        addDispatcher(cast);
        addDispatcher(cast, { process: "dispatcher-2", startsAfterMs: 70_000 });
      },
    });
    const owners = told.ledger.records.flatMap(({ record }) => (record.kind === "claimed" ? [`${record.epoch} ${record.owner}`] : []));
    const renewedBy = new Set(told.ledger.records.flatMap(({ record }) => (record.kind === "renewed" ? [`${record.epoch} ${record.by}`] : [])));
    expect([owners, [...renewedBy], started(told)]).toEqual([["1 dispatcher-1", "2 dispatcher-2"], ["2 dispatcher-2"], ["TASK-1"]]);
  });
});

describe("a call", () => {
  const asked = (ask: (dispatcher: Dispatcher) => Promise<unknown>, files: readonly DeskFile[] = [one, other]): Promise<Told> =>
    played({
      files,
      cast: (cast) =>
        addDispatcher(cast, {
          scans: false,
          beside: async (dispatcher, { log }) => log.write("info", "answer", { says: JSON.stringify(await ask(dispatcher).catch((failure: Error) => failure.message)) }),
        }),
    });
  const answers = (told: Told): unknown[] => loggedIn(told, "answer").map(({ facts }) => JSON.parse(String(facts["says"])));

  it.each<readonly [string, (dispatcher: Dispatcher) => Promise<unknown>, string]>([
    ["a wake without a task", (dispatcher) => dispatcher.wake("", "asked for"), "task: "],
    ["a hold without a task", (dispatcher) => dispatcher.hold("", "asked for"), "task: "],
    ["a key of a thousand characters", (dispatcher) => dispatcher.wake("TASK-1", "asked for", "k".repeat(1_000)), "key: "],
  ])("with %s is refused, and leaves a ledger that can be read", async (_what, ask, field) => {
    const told = await asked(ask);
    expect(answers(told)[0]).toMatch(new RegExp(`^RECORD_INVALID: a record of kind "(offered|refused|held)": ${field}.*Nothing was written`));
    expect([told.ledger.records, told.sessions]).toEqual([[], []]);
  });

  it("with a reason of ten thousand characters is on record with as much as a record holds", async () => {
    const told = await asked((dispatcher) => dispatcher.wake("TASK-1", "x".repeat(10_000)));
    expect([started(told), told.ledger.problems, recordsOf(told, "offered")[0]?.because?.length]).toEqual([["TASK-1"], [], 2_000]);
  });

  it("with the key of another task's call is refused, and is not given that task's session", async () => {
    const told = await asked(async (dispatcher) => [await dispatcher.wake("TASK-1", "asked for", "command-1"), await dispatcher.wake("TASK-2", "asked for", "command-1")]);
    expect([started(told), (answers(told)[0] as unknown[])[1]]).toEqual([["TASK-1"], { outcome: "refused", reasons: ['the key "command-1" stands for TASK-1'] }]);
  });
});

describe("the lifecycle folders", () => {
  it.each(Array.from({ length: 30 }, (_, index) => index + 1))("whose task somebody moves back while they are listed have it all the same (stopped before call %i)", async (nth) => {
    const told = await played({
      files: [{ ...one, folder: "review" }],
      faults: [{ at: "step", kind: "stop-continue", process: "dispatcher-1", nth, forMs: 10_000 }],
      cast(cast) {
        addDispatcher(cast, { scans: false, beside: async (dispatcher) => void (await dispatcher.wake("TASK-1", "asked for")) });
        addActor(cast, "somebody", async ({ at, move }) => {
          await at(5_000);
          await move("_lifecycle/review/TASK-1.md", "_lifecycle/active/TASK-1.md");
        });
      },
    });
    expect(recordsOf(told, "refused").filter(({ text }) => text.includes("no readable source"))).toEqual([]);
  });

  it("with two ids that differ in case only start neither", async () => {
    const told = await played({ files: [one, { ...inbox("task-1"), name: "lower" }, other] });
    expect(started(told)).toEqual(["TASK-2"]);
    expect(recordsOf(told, "refused").map(({ text }) => /ids-differ-in-case/.test(text))).toEqual([true, true]);
  });

  it("on two mounts move nothing, and say so", async () => {
    const told = await played({ files: [one], mount: `${ROOT}/_lifecycle/active` });
    expect([started(told), recordsOf(told, "move-failed")[0]?.because]).toEqual([[], "EXDEV at inbox>active"]);
    expect(told.reading.sources.map(({ folder }) => folder)).toEqual(["inbox"]);
  });

  it("with a task that is being written wait until it has come to rest, and start what it says then", async () => {
    const whole = objectText({ id: "TASK-1" }, "First, this. Then, that.");
    const told = await played({
      files: [],
      cast(cast) {
        addDispatcher(cast);
        addActor(cast, "slow writer", async ({ ports: { disk, clock } }) => {
          await clock.sleep(39_000);
          const file = await disk.open(`${ROOT}/_lifecycle/inbox/TASK-1.md`, "w");
          // Past its header by half, at the moment of a scan, and with pauses that are shorter than the settling time.
          for (const byte of [0, 30, 60, 70, 80, 90]) {
            await file.write(new TextEncoder().encode(whole.slice(byte, byte === 90 ? undefined : byte === 0 ? 30 : byte + (byte === 30 ? 30 : 10))), byte);
            await clock.sleep(900);
          }
          await file.close();
        });
      },
    });
    expect(sessionsOf(told, "TASK-1").map(({ revision }) => revision)).toEqual([revisionOf(told, "TASK-1")]);
    expect(new TextDecoder().decode(told.files.find(({ path }) => path.endsWith("TASK-1.md"))?.bytes)).toBe(whole);
  });
});

describe("two dispatchers on one desk", () => {
  it.each([1, 2, 3, 4, 5, 6])("start two tasks of one agent one at a time, and take a file that moves for no conflict (schedule %i)", async (schedule) => {
    const told = await played({
      schedule,
      files: [one, inbox("TASK-2")],
      cast(cast) {
        addDispatcher(cast, { forMs: 30_000 });
        addDispatcher(cast, { process: "dispatcher-2", forMs: 30_000 });
      },
    });
    // Who comes second is told at the claim, and has nothing to give back.
    expect([told.sessions.length, recordsOf(told, "refused"), recordsOf(told, "given-back")]).toEqual([1, [], []]);
  });
});

describe("two tasks of one agent", () => {
  it("that are both offered are claimed one at a time: who comes second is told at the claim, and takes no lease", async () => {
    const wakes = (task: string, startsAfterMs: number) => ({ scans: false, startsAfterMs, beside: async (dispatcher: Dispatcher) => void (await dispatcher.wake(task, "asked for")) });
    const told = await played({
      files: [one, inbox("TASK-2")],
      faults: [{ at: "dispatcher.after-offer", kind: "slow", process: "dispatcher-2", forMs: 5_000 }],
      cast(cast) {
        addDispatcher(cast, wakes("TASK-1", 1_000));
        addDispatcher(cast, { process: "dispatcher-2", ...wakes("TASK-2", 0) });
      },
    });
    expect([started(told), recordsOf(told, "offered").length, recordsOf(told, "claimed", "TASK-2"), recordsOf(told, "blocked", "TASK-2").map(({ text }) => /busy with TASK-1/.test(text))]).toEqual([["TASK-1"], 2, [], [true]]);
  });
});

describe("a watcher", () => {
  it("of which one event came, while the file was too young, leads to a look when it has come to rest", async () => {
    const told = await played({
      files: [],
      faults: [{ at: "watch.dispatcher-1", kind: "drop", nth: 2, times: 1_000 }],
      cast(cast) {
        addDispatcher(cast);
        addActor(cast, "publisher", async ({ at, publish }) => {
          await at(30_000);
          await publish(one);
        });
      },
    });
    // Less than the period of 20 s.
    expect(told.sessions.map(({ startedAtMs }) => (startedAtMs - EPOCH_MS) / 1_000 < 35)).toEqual([true]);
  });
});

describe("a runtime that does not answer", () => {
  const decisions = (told: Told): unknown[] => recordsOf(told, "decided", "TASK-1").map(({ text, because }) => [(JSON.parse(text) as { outcome: string }).outcome, because]);

  it("and honours keys is asked again for the start, with the same key", async () => {
    const told = await played({ files: [one], runtime: { keys: "honoured" }, faults: [{ at: "sessions.start", kind: "hang" }] });
    expect([told.sessions.map(({ key }) => key), decisions(told)]).toEqual([["TASK-1#1"], [["retry", "claimed at its first claim, no session on record, and the runtime has none with its key"]]]);
  });

  it("and keeps no keys names the session when it answers late, and the person who was asked is asked no more", async () => {
    const told = await played({ files: [one], runtime: { keys: "none" }, faults: [{ at: "sessions.started", kind: "slow", forMs: 30_000 }] });
    expect(decisions(told)).toEqual([
      ["needs-human", "intent without a session on record, and the runtime cannot say whether one was started: a second start may be a duplicate"],
      ["continue", "its session runs"],
    ]);
    expect([told.sessions.length, told.account.tasks.map(({ fact }) => fact)]).toEqual([1, ["attempt-dispatcher-1-0002 runs as session-0001, held by dispatcher-1"]]);
  });

  it("lengthens no lease by it: each ends when it was to end, and who comes next asks again", async () => {
    const told = await played({ files: [one], faults: [{ at: "sessions.status", kind: "hang", times: 1_000 }] });
    // 200 s of looks, one every 20 s, and a lease of 60 s.
    expect([recordsOf(told, "renewed").length, recordsOf(told, "claimed", "TASK-1").map(({ atMs }) => Math.round((atMs - EPOCH_MS) / 1_000))]).toEqual([0, [0, 60, 120, 180]]);
    expect([told.sessions.length, decisions(told)]).toEqual([1, [["needs-human", "the record names session-0001, and the runtime cannot say what became of it"]]]);
  });

  it("is shown to a fresh reader as what nobody knows", async () => {
    const told = await played({ files: [one], cast: (cast) => addDispatcher(cast, { scans: false, beside: async (dispatcher) => void (await dispatcher.wake("TASK-1", "asked for")) }), faults: [{ at: "sessions.started", kind: "hold" }] });
    expect(told.account.tasks).toEqual([
      { task: "TASK-1", responsible: "DEV", state: "active", fact: "attempt-dispatcher-1-0001 has an intent and no session on record; the runtime has not answered its start", openAction: "recover: ask the runtime for its key", mayDecide: "dispatcher-1", failures: [] },
    ]);
  });
});

describe("reviews that disagree", () => {
  it("decide nothing, and are named", async () => {
    const review = (id: string, verdict: string): DeskFile => ({ folder: "review", text: objectText({ id, kind: "REVIEW", from: "LEAD", task: "TASK-1", verdict }) });
    const reported = { ...base, kind: "ended", task: "TASK-1", attempt: "attempt-0", epoch: 1, status: "reported", because: "its session ended" };
    const told = await played({ files: [{ ...one, folder: "review" }, review("REVIEW-1", "accepted"), review("REVIEW-2", "rejected")], records: [offered, claimed, reported] });
    expect(recordsOf(told, "blocked", "TASK-1").map(({ text }) => /reviews disagree: REVIEW-1, REVIEW-2/.test(text))).toEqual([true]);
    expect([recordsOf(told, "reviewed"), told.reading.sources.find(({ object }) => object.id === "TASK-1")?.folder]).toEqual([[], "review"]);
  });
});

describe("options", () => {
  it.each([
    [{ root: "desk" }, 'root is "desk"; it is an absolute path without a slash at its end'],
    [{ name: "" }, "name is empty; records and leases carry it"],
    [{ leaseMs: 0 }, "leaseMs is 0; such a lease would have expired before it starts"],
    [{ answerMs: 0 }, "answerMs is 0; it is whole milliseconds from 1 up to leaseMs, 1800000: nobody waits beyond his lease"],
    [{ leaseMs: 1_000, answerMs: 1_001 }, "answerMs is 1001; it is whole milliseconds from 1 up to leaseMs, 1000: nobody waits beyond his lease"],
    [{ settleMs: -1 }, "settleMs is -1; it is whole milliseconds from 0 up"],
  ])("%j are refused", (change, says) => {
    const options = { root: "/desk", name: "d", trust: { routes: [], reviewers: [] }, ...change };
    expect(() => createDispatcher(undefined as never, options)).toThrow(`DISPATCHER_OPTIONS_INVALID: ${says}.`);
  });
});
