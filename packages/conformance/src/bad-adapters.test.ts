/** Adapters that lie, hang, cheat or break: each is FAIL or NOT RUN with what to change, and none has a green report. */
import { describe, expect, it } from "vitest";
import { inMemory } from "../examples/in-memory.ts";
import { jsonFile } from "../examples/json-file.ts";
import { type AdapterPorts, type ConformanceReport, type DispatcherAdapter, type DispatcherUnderTest, exitCodeOf, type Task } from "./index.ts";
import { KERNEL_EPOCH_MS } from "@casebook/sim/kernel";
import { runConformance } from "./node/index.ts";

const bad = (create: DispatcherAdapter["create"], more: Partial<DispatcherAdapter> = {}): DispatcherAdapter => ({ name: "bad", version: "0.0.0", capabilities: [], create, ...more });
const honest = (ports: AdapterPorts): DispatcherUnderTest => inMemory.create(ports) as DispatcherUnderTest;
const first = ({ rules }: ConformanceReport): string => {
  const [rule] = rules;
  return `${rule?.number} ${rule?.verdict}: ${rule?.failures?.[0]?.seen ?? rule?.says}`;
};

const shared = new Map<string, string>();
let beside = new Map<string, Task>();

const CHEATS: Readonly<Record<string, readonly [adapter: DispatcherAdapter, only: string, says: string]>> = {
  'answers everything with "ok"': [bad(() => ({ submit: () => "ok", tick: () => "ok", observe: () => "ok" }) as unknown as DispatcherUnderTest), "C01", 'C01 FAIL: submit answered "ok". Answer one of accepted, duplicate, conflict, rejected'],
  "says yes and does nothing": [bad(() => ({ submit: () => "accepted", observe: () => [] })), "C01", "C01 FAIL: TASK-1 was started 0 times, and 1 would be right"],
  "says yes, and done, and does nothing": [
    bad(() => {
      const ids = new Set<string>();
      return { submit: ({ id }) => (ids.size === ids.add(id).size ? "duplicate" : "accepted"), observe: () => [...ids].map((id) => ({ id, state: "done", because: "it is done" })) };
    }),
    "C01",
    "C01 FAIL: TASK-1 was started 0 times, and 1 would be right",
  ],
  "throws when it is created": [
    bad(() => {
      throw new Error("no configuration");
    }),
    "C01",
    "C01 FAIL: create rejected with no configuration",
  ],
  "never comes to be": [bad(() => new Promise(() => undefined)), "C01", "C01 FAIL: create had not answered after 60 virtual seconds. Settle every promise, and wait for nothing but ports"],
  "never answers a submission": [bad((ports) => ({ ...honest(ports), submit: () => new Promise(() => undefined) })), "C01", "C01 FAIL: submit had not answered after 60 virtual seconds. Settle every promise, and wait for nothing but ports"],
  "is no object": [bad(() => 7 as unknown as DispatcherUnderTest), "C01", "C01 FAIL: create answered 7. Answer an object with the functions submit and observe"],
  "has a list of another shape": [bad((ports) => ({ ...honest(ports), observe: () => [{ task: "TASK-1" }] as never })), "C01", "C01 FAIL: observe answered a task whose id is undefined. Answer the id that was submitted"],
  "knows a state of its own": [bad((ports) => ({ ...honest(ports), observe: () => [{ id: "TASK-1", state: "fine", because: "" }] as never })), "C01", 'C01 FAIL: observe answered the state "fine" of TASK-1. Answer one of waiting, running, review, done, failed, conflict, needs-human'],
  "throws in every look": [
    bad((ports) => ({
      ...honest(ports),
      tick() {
        throw new Error("not today");
      },
    })),
    "C01",
    "C01 FAIL: tick rejected with not today",
  ],
  "reads the real clock": [
    bad((ports) => ({
      ...honest(ports),
      submit: () => (Date.now() > 0 ? "accepted" : "rejected"),
    })),
    "C01",
    "C01 NOT RUN: SYSTEM_AMBIENT_CALL: process dispatcher-1 left the world: Date.now was called by submit (here). Take `clock` from the ports and call `clock.now()`.",
  ],
  "ends the process": [
    bad(() => process.exit(0)),
    "C01",
    "C01 NOT RUN: SYSTEM_AMBIENT_CALL: a process, in its first step, left the world: process.exit was called by create (here). Throw an error: a process of the world ends with it.",
  ],
  "waits on a real timer": [bad((ports) => ({ ...honest(ports), tick: () => new Promise((resolve) => setTimeout(resolve, 5)) })), "C01", "C01 NOT RUN: SYSTEM_AMBIENT_CALL: a process, in its first step, left the world: setTimeout was called by code without a name (here). Take `clock` from the ports and call `clock.sleep(ms)`."],
  "leaves a rejection that has no text": [
    bad((ports) => ({ ...honest(ports), submit: () => (void Promise.reject(Object.assign(new Error("one"), { message: Symbol("one") })), "accepted") })),
    "C01",
    "C01 NOT RUN: SYSTEM_REJECTION_UNHANDLED: process dispatcher-1 left a rejection unhandled: something that has no text. Await the promise, or catch what it rejects with, before the next await.",
  ],
  "leaves a rejection that is no error": [
    bad((ports) => ({ ...honest(ports), submit: () => (void Promise.reject(Object.create(null)), "accepted") })),
    "C01",
    "C01 NOT RUN: SYSTEM_REJECTION_UNHANDLED: process dispatcher-1 left a rejection unhandled: something that has no text. Await the promise, or catch what it rejects with, before the next await.",
  ],
  "keeps its memory between instances": [
    bad((ports) => {
      const own = honest(ports);
      return { ...own, submit: (task) => (shared.set(task.id, task.revision), own.submit(task)), observe: () => [...shared.keys()].map((id) => ({ id, state: "waiting", because: "known" })) };
    }),
    "C02",
    "C02 FAIL: an instance on an empty disk knows TASK-1. Keep nothing outside of what create makes",
  ],
  // What the first look of an execution finds is as it should be: the clock stands at its beginning, and everything is emptied.
  "keeps its memory between instances, and empties it in time": [
    bad((ports) => {
      if (ports.clock.now() === KERNEL_EPOCH_MS) shared.clear();
      const own = honest(ports);
      return { ...own, submit: (task) => (shared.set(task.id, task.revision), own.submit(task)), observe: () => [...shared.keys()].map((id) => ({ id, state: "done", because: "known" })) };
    }),
    "C02",
    "C02 FAIL: an instance on an empty disk knows TASK-1. Keep nothing outside of what create makes",
  ],
  // An empty disk is its sign that everything begins; what it knows lies beside its instances, and a mark on the disk.
  "keeps its memory between instances, and calls it durable": [
    bad(
      async (ports) => {
        const { disk } = ports;
        if ((await disk.readdir("/")).length === 0) {
          beside = new Map();
          await (await disk.open("/mark", "w")).close();
        }
        const [own, here] = [honest(ports), beside];
        for (const task of here.values()) void own.submit(task);
        return { ...own, submit: (task) => (here.set(task.id, task), own.submit(task)) };
      },
      { capabilities: ["durable"] },
    ),
    "C02",
    "C02 FAIL: an instance that is created later over the same disk does not know TASK-1, which was accepted. Keep it on the disk, and nothing outside of what create makes",
  ],
  "says that work is done while it is done": [
    bad((ports) => {
      const own = honest(ports);
      return { ...own, observe: async () => (await own.observe()).map((view) => (view.state === "running" ? { ...view, state: "done" } : view)) };
    }),
    "C01",
    "C01 FAIL: TASK-1 is said to be done while no session of it has ended",
  ],
  "starts what is for another agent": [
    bad((ports) => honest({ ...ports, sessions: { ...ports.sessions, start: (request) => ports.sessions.start({ ...request, agent: "NOBODY" }) } })),
    "C01",
    "C01 FAIL: TASK-1 was started for NOBODY, and DEV would be right",
  ],
  "starts once more under the name of somebody else": [
    bad((ports) => honest({ ...ports, sessions: { ...ports.sessions, start: async (request) => (await ports.sessions.start({ ...request, key: "somebody-else-9" }), ports.sessions.start(request)) } })),
    "C01",
    "C01 FAIL: TASK-1 was started 2 times, and 1 would be right",
  ],
  "declares to be durable and keeps nothing": [{ ...inMemory, capabilities: [...inMemory.capabilities, "durable"] }, "F03", "F03 NOT RUN: FAULT_NEVER_FIRED: in-memory declares durable, and never came to disk.write. Do it through the disk port, or do not declare it."],
};

describe("a dispatcher that", () => {
  const finding = (isOf: (key: string, id: string) => boolean): DispatcherAdapter =>
    bad((ports) => honest({ ...ports, sessions: { ...ports.sessions, find: async (id) => (await ports.sessions.list()).find(({ key }) => isOf(key, id)) } }));

  it.each<readonly [what: string, isOf: (key: string, id: string) => boolean, verdict: string]>([
    ["looks for a session by the whole of its key", (key, id) => key === id, "C03 PASS: undefined"],
    ["looks for a session by the beginning of its key", (key, id) => key.startsWith(id), "C03 FAIL: TASK-1 was started 0 times, and 1 would be right"],
    ["looks for a session by the end of its key", (key, id) => key.endsWith(id), "C03 FAIL: TASK-1 was started 0 times, and 1 would be right"],
    ["looks for a session by a part of its key", (key, id) => key.includes(id), "C03 FAIL: TASK-1 was started 0 times, and 1 would be right"],
  ])("%s", async (_what, isOf, verdict) => {
    expect(first(await runConformance(finding(isOf), { only: ["C03"] }))).toBe(verdict);
  });
});

describe("an adapter that", () => {
  it.each(Object.entries(CHEATS).map(([what, [adapter, only, says]]) => ({ what, adapter, only, says })))("$what has no green report", async ({ adapter, only, says }) => {
    const report = await runConformance(adapter, { only: [only] });
    expect(report.passed).toBe(0);
    expect(exitCodeOf(report)).toBe(report.failed > 0 ? 1 : 3);
    expect(first(report).replaceAll(/\([^() ]*:\d+:\d+\)/g, "(here)")).toBe(says);
  });

  it("lies in every rule fails every rule that is planned", async () => {
    const { planned, failed } = await runConformance(bad(() => ({ submit: () => "accepted", observe: () => [] })));
    expect([planned, failed]).toEqual([10, 10]);
  });

  it("declares to be durable and keeps nothing loses what it accepted", async () => {
    const { rules } = await runConformance({ ...inMemory, capabilities: [...inMemory.capabilities, "durable"] }, { only: ["F09"] });
    expect(rules[0]?.failures?.map(({ check }) => check)).toEqual(expect.arrayContaining(["F09/states"]));
  });
});

describe("a probe that", () => {
  const probing = (probe: unknown): DispatcherAdapter => bad((ports) => ({ ...honest(ports), probe }) as DispatcherUnderTest);
  const endless: Record<string, unknown> = {};
  endless["self"] = endless;

  it.each<readonly [what: string, probe: unknown, says: string]>([
    ["throws", () => { throw new Error("not today"); }, "W03 FAIL: probe rejected with not today"],
    ["never answers", () => new Promise(() => undefined), "W03 FAIL: probe had not answered after 60 virtual seconds. Settle every promise, and wait for nothing but ports"],
    ["answers another shape", () => ({ history: "all of it" }), 'W03 FAIL: probe answered "all of it" as history. Answer a list of texts, or leave it out'],
    ["answers what has no end", () => ({ history: endless }), "W03 FAIL: probe answered something that cannot be shown as history. Answer a list of texts, or leave it out"],
    ["throws when it is read", () => ({ get history() { throw new Error("not today"); } }), "W03 FAIL: probe answered something that cannot be read: not today. Answer plain data"],
    ["answers an empty history", () => ({ history: [] }), "W03 NOT RUN: SCENE_NEVER_CAME: in 3 executions there was never a record in the history of probe, so nothing was seen of this rule."],
  ])("%s has no green report, and is not said to be missing", async (_what, probe, says) => {
    const report = await runConformance(probing(probe), { only: ["W03"], share: 0.02 });
    expect([first(report), exitCodeOf(report)]).toEqual([says, report.failed > 0 ? 1 : 3]);
  });

  it("names no task in its attempts has not shown how work is taken up again", async () => {
    const adapter: DispatcherAdapter = { ...jsonFile, create: async (ports) => ({ ...(await jsonFile.create(ports)), probe: () => ({ attempts: [] }) }) };
    const report = await runConformance(adapter, { only: ["W06"], share: 0.02 });
    expect([first(report), exitCodeOf(report)]).toEqual(["W06 NOT RUN: SCENE_NEVER_CAME: in 3 executions there was never a task of the rule in the attempts of probe, so nothing was seen of this rule.", 3]);
  });

  it("is left out is no promise", async () => {
    const { rules } = await runConformance(inMemory, { only: ["W03"], share: 0.02 });
    expect([rules[0]?.verdict, rules[0]?.says]).toEqual(["unsupported", "probe answers no history"]);
  });
});

describe("an answer that cannot be read", () => {
  const endless: unknown[] = [];
  endless.push(endless);

  it.each<readonly [what: string, functions: Partial<Record<keyof DispatcherUnderTest, unknown>>, says: string]>([
    ["of submit has no end", { submit: () => endless }, "submit answered something that cannot be shown. Answer one of accepted, duplicate, conflict, rejected"],
    ["of submit is a bigint", { submit: () => 7n }, "submit answered 7n, a bigint. Answer one of accepted, duplicate, conflict, rejected"],
    ["of observe throws when it is read", { observe: () => [{ get id() { throw new Error("not today"); } }] }, "observe answered something that cannot be read: not today. Answer plain data"],
  ])("%s is said, with what to answer", async (_what, functions, says) => {
    const report = await runConformance(bad((ports) => ({ ...honest(ports), ...functions }) as DispatcherUnderTest), { only: ["C01"] });
    expect([first(report), exitCodeOf(report)]).toEqual([`C01 FAIL: ${says}`, 1]);
  });
});

describe("a manifest", () => {
  const refused = async (adapter: unknown): Promise<string> =>
    runConformance(adapter as DispatcherAdapter).then(
      () => "nothing was refused",
      (failure: Error) => failure.message,
    );

  it("is refused where it says what nobody can hold it to", async () => {
    expect(await refused(undefined)).toBe("ADAPTER_INVALID: the adapter is undefined. Pass an object with name, version, capabilities and create.");
    expect(await refused({ ...inMemory, create: "later" })).toBe("ADAPTER_INVALID: create of in-memory is string. Make it a function of the ports.");
    expect(await refused({ ...inMemory, capabilities: ["fast"] })).toBe('ADAPTER_INVALID: in-memory declares "fast", which is no capability. There are durable, power-loss, replaces-files, after, one-per-agent, concurrent-calls, many-dispatchers, keyless-runtime, silent-runtime, shared-runtime, sources, gates, holds, reviews, wakes, edits.');
    expect(await refused({ ...inMemory, capabilities: ["power-loss"] })).toBe("ADAPTER_INVALID: in-memory declares power-loss and not durable. The first is nothing without the second; declare both or neither.");
    expect(await refused({ ...inMemory, limits: { leaseMs: 3_600_000 } })).toBe("ADAPTER_INVALID: limits.leaseMs of in-memory is 3600000. Pass whole milliseconds from 1 to 60000; the rules wait no longer.");
    await expect(runConformance(inMemory, { only: ["F99"] })).rejects.toThrow("ADAPTER_INVALID: there is no rule F99. There are C01, C02, C03,");
  });
});

describe("options", () => {
  it.each<readonly [options: object, says: string]>([
    [{ seed: Number.NaN }, "ADAPTER_INVALID: seed is NaN. Pass a whole number; the same one plays the same schedules."],
    [{ seed: "2" }, 'ADAPTER_INVALID: seed is "2". Pass a whole number; the same one plays the same schedules.'],
    [{ seed: 7n }, "ADAPTER_INVALID: seed is 7n, a bigint. Pass a whole number; the same one plays the same schedules."],
    [{ share: "1" }, 'ADAPTER_INVALID: share is "1". Pass a number above 0, 10 at most; 1 is the budget as it is written.'],
    [{ seed: 1.5 }, "ADAPTER_INVALID: seed is 1.5. Pass a whole number; the same one plays the same schedules."],
    [{ share: 0 }, "ADAPTER_INVALID: share is 0. Pass a number above 0, 10 at most; 1 is the budget as it is written."],
    [{ share: Number.NaN }, "ADAPTER_INVALID: share is NaN. Pass a number above 0, 10 at most; 1 is the budget as it is written."],
    [{ share: 11 }, "ADAPTER_INVALID: share is 11. Pass a number above 0, 10 at most; 1 is the budget as it is written."],
    [{ only: "C01" }, 'ADAPTER_INVALID: only is "C01". Pass a list of numbers of rules, such as ["C01"].'],
    [{ only: [Symbol("C01")] }, "ADAPTER_INVALID: there is no rule Symbol(C01). There are C01, C02, C03,"],
  ])("that are no options are refused: %o", async (options, says) => {
    const refused = await runConformance(inMemory, options).then(() => "nothing was refused", (failure: Error) => failure.message);
    expect(refused.slice(0, says.length)).toBe(says);
  });
});
