/** What a dispatcher does with a desk that is not as it should be: nothing lost, nothing guessed, nobody else stopped. */
import { createDispatcher } from "@casebook/dispatcher";
import { type LedgerRecord, taskOf } from "@casebook/dispatcher/judge";
import { createTouches, judge, playAlone, randomly, simulationOf, type System } from "@casebook/explore";
import { createStream } from "@casebook/sim/kernel";
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
}

async function played({ files, records = [], mount, cast = addDispatcher, schedule = 0 }: Desk): Promise<Told> {
  const volume = volumeOf(files);
  records.forEach((record, index) => {
    const folder = `${ROOT}/_dispatch/ledger/${String(index + 1).padStart(8, "0")}`;
    volume.mkdirSync(folder, { recursive: true });
    volume.writeFileSync(`${folder}/record.json`, typeof record === "string" ? record : JSON.stringify(record));
  });
  const system: System<Told> = {
    name: "dispatch/bad-input",
    claim: "",
    build(space) {
      const desk = setDesk(space, {}, volume);
      if (mount !== undefined) space.mount(HOST, mount);
      cast(desk);
      return { facts: () => tell(desk, files, Number.POSITIVE_INFINITY, EPOCH_MS) };
    },
    checks: [],
    maxSteps: 20_000,
  };
  const chooser = schedule === 0 ? { choose: () => 0 } : randomly(createStream(schedule, "bad input"));
  const simulation = simulationOf(system, chooser, []);
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

describe("the lifecycle folders", () => {
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
    expect([told.sessions.length, recordsOf(told, "refused")]).toEqual([1, []]);
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
    [{ settleMs: -1 }, "settleMs is -1; it is whole milliseconds from 0 up"],
  ])("%j are refused", (change, says) => {
    const options = { root: "/desk", name: "d", trust: { routes: [], reviewers: [] }, ...change };
    expect(() => createDispatcher(undefined as never, options)).toThrow(`DISPATCHER_OPTIONS_INVALID: ${says}.`);
  });
});
