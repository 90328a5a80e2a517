/** Adapters that lie, hang, cheat or break: each is FAIL or NOT RUN with what to change, and none has a green report. */
import { describe, expect, it } from "vitest";
import { oneAgent } from "../../examples/supervisor.ts";
import { type ConformanceReport, exitCodeOf, type RunAccount, type SupervisorAdapter, type SupervisorAdapterPorts, type SupervisorUnderTest } from "../index.ts";
import { runSupervisorConformance } from "../node/index.ts";

type Create = SupervisorAdapter["create"];
type Body = Partial<SupervisorUnderTest>;

const bad = (more: Partial<SupervisorAdapter>): SupervisorAdapter => ({ ...oneAgent, name: "bad", ...more });
const honest = (ports: SupervisorAdapterPorts): SupervisorUnderTest => oneAgent.create(ports) as SupervisorUnderTest;
const but = (change: (own: SupervisorUnderTest, ports: SupervisorAdapterPorts) => Body): Create => (ports) => ({ ...honest(ports), ...change(honest(ports), ports) });
const answering = (change: (own: RunAccount) => unknown): SupervisorAdapter["read"] => (ledger, run) => change(oneAgent.read(ledger, run)) as RunAccount;
const fine = (_ledger: unknown, { items }: Parameters<SupervisorAdapter["read"]>[1]): RunAccount => {
  const done = items.map(({ name }) => name);
  return { state: "completed", records: [{ state: "completed", cause: "completed", participants: [], done, failed: [], notFinished: [] }], held: [], owed: [], items: done.map((name) => ({ name, status: "done", artefact: name })) };
};
const oneRow = but((_own, { ledger }) => ({ supervise: () => ledger.transition("it.is-fine", [{ table: "fine", id: "fine", when: "absent" }]) }));

/** Writes an end that counts nothing as done, and what it ought to have counted behind it. */
function recounting(ledger: SupervisorAdapterPorts["ledger"]): SupervisorAdapterPorts["ledger"] {
  return {
    ...ledger,
    async transition(reason, changes) {
      const [run, ...rest] = changes;
      if (reason !== "run.ended" || run === undefined) return ledger.transition(reason, changes);
      const answer = await ledger.transition(reason, [{ ...run, set: { ...run.set, done: [], notFinished: ["part-1", "part-2", "part-3"] } }, ...rest]);
      await ledger.transition("run.recounted", [{ ...run, when: {} }]);
      return answer;
    },
  };
}

let lives = 0;
let asked = 0;
const ends = new WeakMap<object, RunAccount>();
/** Hides what becomes of an end that is written over. */
const remembering: SupervisorAdapter["read"] = (ledger, run) => {
  const own = oneAgent.read(ledger, run);
  if (own.records.length > 0 && !ends.has(run)) ends.set(run, own);
  return ends.get(run) ?? own;
};

const CHEATS: Readonly<Record<string, readonly [adapter: Partial<SupervisorAdapter>, says: string]>> = {
  "does nothing": [{ create: but(() => ({ supervise: async () => undefined })) }, "S07 FAIL: nothing was begun"],
  "does nothing, and says that it completed": [{ create: oneRow, read: fine }, "S07 FAIL: 0 of 3 items are not terminal, 3 are done without an artefact: part-1 is done without an artefact, part-2 is done without an artefact, part-3 is done without an artefact"],
  "does the work, and says at once that it completed": [{ read: (ledger, run) => ({ ...fine(ledger, run), items: run.items.map(({ name }) => ({ name, status: "done", artefact: `${run.id}/${name}` })) }) }, "S07 FAIL: worker-1 was begun by supervisor at 0 ms, and the run was over at 0 ms"],
  "does the work, and says nothing of what it holds and of what is owed": [{ read: answering((own) => ({ ...own, held: [], owed: [] })) }, "S07 FAIL: while worker-1 worked at part-1, read named nothing that is held, and nothing that is owed"],
  "keeps no record": [{ read: answering((own) => ({ ...own, records: [] })) }, "S07 FAIL: 0 terminal records, 1 expected"],
  "makes a result up": [{ create: but((_own, { ledger, artefacts }) => ({ work: (run) => made(ledger, artefacts, run.items) })) }, "S07 FAIL: 0 of 3 items are not terminal, 3 are done without an artefact: part-1 is done without an artefact, part-2 is done without an artefact, part-3 is done without an artefact"],
  "begins agents for a run that has completed": [{ create: but((own, { spawner, name, tool }) => ({ supervise: (run) => own.supervise(run).then(() => spawner.spawn(run.places[1] as string)), work: (run) => (name === run.places[0] ? own.work(run) : tool.call("part-1")) })) }, "S07 FAIL: worker-2 was begun by supervisor at 125000 ms, and the run was over at 125000 ms"],
  "calls a tool for a run that has completed": [{ create: but((own, { tool }) => ({ supervise: (run) => own.supervise(run).then(() => tool.call("part-1")) })) }, "S07 FAIL: supervisor called the tool for part-1 at 125000 ms, and the run was over at 125000 ms"],
  "does the work of an item twice": [{ create: but((_own, ports) => honest({ ...ports, tool: { call: (item) => ports.tool.call(item).then(() => ports.tool.call(item)) } })) }, "S07 FAIL: nothing had gone wrong, and the tool was called 2 times for part-1: by worker-1, worker-1"],
  "counts anew on a record that is written": [{ create: but((_own, ports) => honest({ ...ports, ledger: recounting(ports.ledger) })) }, "S07 FAIL: at 125000 ms supervisor had written a record of completed, completed (done none; failed none; not finished part-1, part-2, part-3); at 125000 ms supervisor made a record of completed, completed (done part-1, part-2, part-3; failed none; not finished none) of it"],
  "never comes back": [{ create: but((own) => ({ supervise: (run) => own.supervise(run).then(() => new Promise(() => undefined)) })) }, "S07 FAIL: supervise had not ended 940 s after the run began, whose time was over after 900 s. Give every wait an end"],
  "never comes to be": [{ create: () => new Promise(() => undefined) }, "S07 FAIL: create had not ended 940 s after the run began, whose time was over after 900 s. Give every wait an end"],
  "throws when it is created": [
    {
      create() {
        throw new Error("no configuration");
      },
    },
    "S07 FAIL: create rejected with no configuration",
  ],
  "throws in a body": [{ create: but(() => ({ supervise: () => Promise.reject(new Error("not today")) })) }, "S07 FAIL: supervise rejected with not today"],
  "is no object": [{ create: () => 7 as never }, "S07 FAIL: create answered 7. Answer an object with the functions supervise and work"],
  "declares what it has no function for": [{ create: but(() => ({ cancel: undefined as never })) }, "S07 FAIL: create answered an object whose cancel is undefined. Make it a function of the run"],
  "begins a process that there is not": [{ create: but((_own, { spawner }) => ({ supervise: () => spawner.spawn("worker-99") })) }, 'S07 FAIL: supervise rejected with SPAWN_NO_SUCH_PROCESS: no process "worker-99" stands ready to be begun; there are worker-1, worker-2, worker-3, worker-4, worker-5, worker-6, worker-7, worker-8. Put it in with isSpawned.'],
  "calls a tool for what the run does not have": [{ create: but((_own, { tool }) => ({ supervise: () => tool.call("tea") })) }, 'S07 FAIL: supervise rejected with the tool was called for "tea"; the run has part-1, part-2, part-3'],
  "answers a number": [{ read: answering(() => 7) }, "S07 FAIL: read answered 7. Answer { state, records, held, owed, items }"],
  "has a state of its own": [{ read: answering((own) => ({ ...own, state: "fine" })) }, 'S07 FAIL: read answered the state "fine". Answer one of none, running, completed, cancelled, failed'],
  "has a cause of its own": [{ read: answering((own) => ({ ...own, records: own.records.map((one) => ({ ...one, cause: "tired" })) })) }, 'S07 FAIL: read answered a record with the cause "tired". Answer one of completed, cancelled_by_operator, deadline, deadlock, budget_tokens, budget_tool_calls, budget_agents, failed, unclassified'],
  "leaves a list of its record out": [{ read: answering((own) => ({ ...own, records: own.records.map((one) => ({ ...one, done: undefined })) })) }, "S07 FAIL: read answered a record with undefined as done. Answer a list of names, which may be empty"],
  "leaves a list out": [{ read: answering((own) => ({ ...own, owed: undefined })) }, "S07 FAIL: read answered undefined as owed. Answer a list of objects, which may be empty"],
  "holds something nameless": [{ read: answering((own) => ({ ...own, held: [{ kind: "lease" }] })) }, "S07 FAIL: read answered a lease with the name undefined. Answer what it is called"],
  "has items of another run": [{ read: answering((own) => ({ ...own, items: [{ name: "tea", status: "done" }] })) }, 'S07 FAIL: read answered an item "tea", which the run does not have. Answer the names that the run has'],
  "throws when it reads": [{ read: (ledger) => ({ state: ledger.get("no table")!.length }) as never }, "S07 FAIL: read threw Cannot read properties of undefined (reading 'length'). Rows cannot be changed; answer for every state of the ledger, an empty one too"],
  "changes a row when it reads": [{ read: (ledger, run) => ((ledger.get("runs")![0] as unknown as { state: string }).state = "completed", fine(ledger, run)) }, "S07 FAIL: read threw Cannot assign to read only property 'state' of object '#<Object>'. Rows cannot be changed; answer for every state of the ledger, an empty one too"],
  "reads something else each time": [{ read: answering((own) => ({ ...own, owed: [{ debtor: `${(asked += 1)}`, creditor: "supervisor" }] })) }, "S07 FAIL: read answered two things for the same rows. Answer from the rows alone, and keep nothing"],
  "remembers how a run ended when it reads": [{ read: remembering }, "S07 FAIL: read answered two things for the same rows. Answer from the rows alone, and keep nothing"],
  "looks at a real clock when it reads": [{ read: answering((own) => ({ ...own, state: Date.now() > 0 ? own.state : "none" })) }, "S07 NOT RUN: SYSTEM_AMBIENT_CALL: process reader left the world: Date.now was called by code without a name (here). Take `clock` from the ports and call `clock.now()`."],
  "looks at a real clock": [{ create: but((own) => ({ supervise: (run) => (Date.now() > 0 ? own.supervise(run) : Promise.resolve()) })) }, "S07 NOT RUN: SYSTEM_AMBIENT_CALL: a process, in its first step, left the world: Date.now was called by supervise (here). Take `clock` from the ports and call `clock.now()`."],
  "keeps its memory between instances": [{ create: but((own, { clock }) => ({ supervise: async (run) => (await clock.sleep((lives += 1)), own.supervise(run)) })) }, "S07 NOT RUN: ADAPTER_UNSTABLE: the same choices gave the traces (one) and (other). Keep nothing outside of what create makes, and take time, random numbers and ids from the ports."],
  "looks without a pause": [{ create: but((own, { ledger }) => ({ supervise: async (run) => { await own.supervise(run); for (;;) await ledger.list("items"); } })) }, 'S07 NOT RUN: more than 20000 steps; the last was ledger.list "items" of supervisor. Bound the loop, or raise the cap of the system.'],
};

/** Puts words of its own where the tool's answer should stand. */
async function made(ledger: SupervisorAdapterPorts["ledger"], artefacts: SupervisorAdapterPorts["artefacts"], items: readonly { readonly name: string }[]): Promise<void> {
  for (const { name } of items) {
    await artefacts.put(name, "a result");
    await ledger.transition("item.done", [{ table: "items", id: name, when: { status: "open" }, set: { status: "done", artefact: name } }]);
  }
}

const first = ({ rules }: ConformanceReport): string => {
  const [rule] = rules;
  return `${rule?.number} ${rule?.verdict}: ${rule?.failures?.find(({ check }) => !check.endsWith("finishes-what-can-be-finished"))?.seen ?? rule?.failures?.[0]?.seen ?? rule?.says}`;
};

describe("an adapter that", () => {
  it.each(Object.entries(CHEATS).map(([what, [adapter, says]]) => ({ what, adapter, says })))("$what has no green report", async ({ adapter, says }) => {
    const report = await runSupervisorConformance(bad(adapter), { only: ["S07"], share: 0.1 });
    expect(report.passed).toBe(0);
    expect(exitCodeOf(report)).toBe(report.failed > 0 ? 1 : 3);
    expect(first(report).replaceAll(/\([^() ]*:\d+:\d+\)/g, "(here)").replace(/traces \w+ and \w+/, "traces (one) and (other)")).toBe(says);
  });
});

describe("a manifest", () => {
  const refused = async (adapter: unknown): Promise<string> =>
    runSupervisorConformance(adapter as SupervisorAdapter).then(
      () => "nothing was refused",
      (failure: Error) => failure.message,
    );

  it("is refused where it says what nobody can hold it to", async () => {
    expect(await refused(undefined)).toBe("ADAPTER_INVALID: the adapter is undefined. Pass an object with name, version, capabilities, create and read.");
    expect(await refused({ ...oneAgent, version: "" })).toBe("ADAPTER_INVALID: it has no name or no version. A report is about one version of one supervisor.");
    expect(await refused({ ...oneAgent, create: "later" })).toBe("ADAPTER_INVALID: create of one-agent is string. Make it a function of the ports.");
    expect(await refused({ ...oneAgent, read: undefined })).toBe("ADAPTER_INVALID: read of one-agent is undefined. Make it a function of the ledger and the run.");
    expect(await refused({ ...oneAgent, capabilities: ["fast"] })).toBe('ADAPTER_INVALID: one-agent declares "fast", which is no capability. There are agents, needs, wait-cycles, spawn-trees, replaces-agents, tool-limit, budgets, cancel, successor.');
  });
});
