/** Answers that are no plain data, at each place where one is read, in the three kits: each is said with what to answer instead, and none is green. */
import { describe, expect, it } from "vitest";
import { inMemory } from "../examples/in-memory.ts";
import { oneAgent } from "../examples/supervisor.ts";
import { type ConformanceReport, type DispatcherAdapter, type DispatcherUnderTest, exitCodeOf, type ReceiptLogAdapter, type SupervisorAdapter, type TaskView } from "./index.ts";
import { runConformance, runReceiptConformance, runSupervisorConformance } from "./node/index.ts";
import { type Read, readAnswered, readThrown } from "./answers.ts";
import { readAnswer, readDispatcher, readNothing, readProbe, readViews } from "./dispatch/shapes.ts";
import { ODD, ODD_REASONS } from "./odd-values.fixture.ts";
import { linesLog } from "./node/lines.fixture.ts";
import { readAnswer as readKeyAnswer, readAppended, readLog } from "./receipts/shapes.ts";
import { readAccount, readSupervisor } from "./supervision/read-account.ts";
import type { CheckedSupervisionRule } from "./supervision/rule.ts";
import { SUPERVISION_RULES } from "./supervision/rules.ts";
import { runOf } from "./supervision/world.ts";
import { toldInMemory } from "./told.fixture.ts";

type Place = (odd: unknown) => Promise<ConformanceReport>;

const dispatcher = (functions: (own: DispatcherUnderTest) => unknown, only = "C01", inner: DispatcherAdapter = inMemory): Promise<ConformanceReport> =>
  runConformance({ ...inner, create: async (ports) => functions(await inner.create(ports)) as DispatcherUnderTest }, { only: [only], share: 0.05 });
const view = (more: object): TaskView => ({ id: "TASK-1", state: "done", because: "it is", ...more });
const log = (change: Parameters<typeof linesLog>[0]): Promise<ConformanceReport> => runReceiptConformance(linesLog(change), { only: ["RC07"], share: 0.05 });
const logOf = (create: unknown): Promise<ConformanceReport> => runReceiptConformance({ ...linesLog(), create } as ReceiptLogAdapter, { only: ["RC07"], share: 0.05 });
const supervisor = (change: Partial<Record<keyof SupervisorAdapter, unknown>>): Promise<ConformanceReport> => runSupervisorConformance({ ...oneAgent, ...change } as SupervisorAdapter, { only: ["S07"], share: 0.05 });
const reading = (change: (own: ReturnType<SupervisorAdapter["read"]>) => unknown): Promise<ConformanceReport> => supervisor({ read: (ledger: never, run: never) => change(oneAgent.read(ledger, run)) });

const ANSWERED: Readonly<Record<string, Place>> = {
  "create of a dispatcher": (odd) => dispatcher(() => odd),
  "submit in create": (odd) => dispatcher((own) => ({ ...own, submit: typeof odd === "function" ? 7 : odd })),
  "submit": (odd) => dispatcher((own) => ({ ...own, submit: () => odd })),
  "observe": (odd) => dispatcher((own) => ({ ...own, observe: () => odd })),
  "a task of observe": (odd) => dispatcher((own) => ({ ...own, observe: () => [odd] })),
  "the id of a task": (odd) => dispatcher((own) => ({ ...own, observe: () => [view({ id: odd })] })),
  "the state of a task": (odd) => dispatcher((own) => ({ ...own, observe: () => [view({ state: odd })] })),
  "because of a task": (odd) => dispatcher((own) => ({ ...own, observe: () => [view({ because: odd })] })),
  "the session of a task": (odd) => dispatcher((own) => ({ ...own, observe: () => [view({ session: odd ?? 7 })] })),
  "tell": (odd) => dispatcher((own) => ({ ...own, tell: () => odd ?? 7 }), "F16", toldInMemory()),
  "the history of probe": (odd) => dispatcher((own) => ({ ...own, probe: () => ({ history: odd ?? 7 }) }), "W03"),
  "a record of the history": (odd) => dispatcher((own) => ({ ...own, probe: () => ({ history: [odd] }) }), "W03"),
  "create of a log": (odd) => logOf(() => odd),
  "append": (odd) => log({ appended: () => odd }),
  "the outcome of append": (odd) => log({ appended: () => ({ outcome: odd }) }),
  "the number of append": (odd) => log({ appended: () => ({ outcome: "acknowledged", number: odd ?? null }) }),
  "read of a log": (odd) => log({ answered: () => odd }),
  "the health of read": (odd) => log({ answered: () => ({ health: odd }) }),
  "the state of read": (odd) => log({ answered: () => ({ health: "found", state: odd }) }),
  "create of a supervisor": (odd) => supervisor({ create: () => odd }),
  "supervise in create": (odd) => supervisor({ create: (ports: never) => ({ ...oneAgent.create(ports), supervise: typeof odd === "function" ? 7 : odd }) }),
  "read of a supervisor": (odd) => reading(() => odd),
  "the state of a run": (odd) => reading((own) => ({ ...own, state: odd })),
  "the records of a run": (odd) => reading((own) => ({ ...own, records: odd })),
  "a record of a run": (odd) => reading((own) => ({ ...own, records: [odd] })),
  "the cause of a record": (odd) => reading((own) => ({ ...own, records: own.records.map((one) => ({ ...one, cause: odd })) })),
  "a name of a record": (odd) => reading((own) => ({ ...own, records: own.records.map((one) => ({ ...one, done: [odd] })) })),
  "what is held": (odd) => reading((own) => ({ ...own, held: [odd] })),
  "the name of what is held": (odd) => reading((own) => ({ ...own, held: [{ kind: "lease", name: odd }] })),
  "what is owed": (odd) => reading((own) => ({ ...own, owed: [odd] })),
  "who owes": (odd) => reading((own) => ({ ...own, owed: [{ debtor: odd, creditor: "supervisor" }] })),
  "an item": (odd) => reading((own) => ({ ...own, items: [odd] })),
  "the name of an item": (odd) => reading((own) => ({ ...own, items: [{ name: odd, status: "done" }] })),
  "the artefact of an item": (odd) => reading((own) => ({ ...own, items: own.items.map((one) => ({ ...one, artefact: odd ?? 7 })) })),
};

/** What each kit calls, throwing. */
const THROWN: Readonly<Record<string, Place>> = {
  "create of a dispatcher": (odd) => dispatcher(() => { throw odd; }),
  "submit": (odd) => dispatcher((own) => ({ ...own, submit: () => Promise.reject(odd) })),
  "observe": (odd) => dispatcher((own) => ({ ...own, observe: () => { throw odd; } })),
  "create of a log": (odd) => logOf(() => { throw odd; }),
  "append": (odd) => log({ appended: () => Promise.reject(odd) }),
  "read of a log": (odd) => log({ answered: () => { throw odd; } }),
  "create of a supervisor": (odd) => supervisor({ create: () => Promise.reject(odd) }),
  "supervise": (odd) => supervisor({ create: (ports: never) => ({ ...oneAgent.create(ports), supervise: () => Promise.reject(odd) }) }),
  "read of a supervisor": (odd) => supervisor({ read: () => { throw odd; } }),
};

/** Texts that an engine has for its own, which say nothing to who wrote the adapter. */
const ENGINE = /circular structure|serialize a BigInt|Cannot (read|convert|perform|destructure)|is not (a function|iterable)|Invalid array length|undefined rejected/;

/** Ends with what to do. */
const INSTEAD = /^\w+ (answered|rejected with) .*\. (Answer|Make it|Say in words) /;

const first = ({ rules }: ConformanceReport): string => rules[0]?.failures?.[0]?.seen ?? `${rules[0]?.verdict}: ${rules[0]?.says}`;

describe.each(["a bigint", "a circle", "a getter that throws"])("%s", (kind) => {
  it.each(Object.keys(ANSWERED))("as %s is said, with what to answer", async (place) => {
    const report = await (ANSWERED[place] as Place)((ODD[kind] as () => unknown)());
    expect([exitCodeOf(report), first(report)]).toEqual([1, expect.stringMatching(INSTEAD)]);
    expect(first(report)).not.toMatch(ENGINE);
  });
});

describe.each(["nothing", "a list with nothing in it", "an error whose message is a symbol"])("%s", (kind) => {
  it.each(Object.keys(THROWN))("thrown by %s is said", async (place) => {
    const report = await (THROWN[place] as Place)((ODD_REASONS[kind] as () => unknown)());
    expect([exitCodeOf(report), first(report)]).toEqual([1, expect.stringMatching(/^\w+ (rejected with|threw) ./)]);
    expect(first(report)).not.toMatch(ENGINE);
  });
});

const RUN = runOf(SUPERVISION_RULES.find(({ number }) => number === "S07") as CheckedSupervisionRule);
const RECORD = { state: "completed", cause: "completed", participants: [], done: [], failed: [], notFinished: [] };
const ACCOUNT = { state: "completed", records: [RECORD], held: [], owed: [], items: [] };

/** The same again, of every kind, where it costs no execution: what is read at each place, and by which function. */
const READ: Readonly<Record<string, (odd: unknown) => Read<unknown>>> = {
  "create of a dispatcher": (odd) => readAnswered(odd, (value) => readDispatcher(value, [])),
  "submit": (odd) => readAnswered(odd, readAnswer),
  "tell": (odd) => readAnswered(odd ?? 7, readNothing),
  "observe": (odd) => readAnswered(odd, readViews),
  "a task of observe": (odd) => readAnswered([odd], readViews),
  "because of a task": (odd) => readAnswered([view({ because: odd })], readViews),
  "the history of probe": (odd) => readAnswered({ history: odd ?? 7 }, readProbe),
  "a record of the history": (odd) => readAnswered({ history: [odd] }, readProbe),
  "an attempt": (odd) => readAnswered({ attempts: [odd] }, readProbe),
  "create of a log": (odd) => readAnswered(odd, readLog),
  "append": (odd) => readAnswered(odd, readAppended),
  "the number of append": (odd) => readAnswered({ outcome: "acknowledged", number: odd ?? null }, readAppended),
  "read of a log": (odd) => readAnswered(odd, readKeyAnswer),
  "the state of read": (odd) => readAnswered({ health: "found", state: odd }, readKeyAnswer),
  "create of a supervisor": (odd) => readAnswered(odd, (value) => readSupervisor(value, [])),
  "read of a supervisor": (odd) => readAnswered(odd, (value) => readAccount(value, RUN)),
  "the records of a run": (odd) => readAnswered({ ...ACCOUNT, records: odd }, (value) => readAccount(value, RUN)),
  "a record of a run": (odd) => readAnswered({ ...ACCOUNT, records: [odd] }, (value) => readAccount(value, RUN)),
  "the names of a record": (odd) => readAnswered({ ...ACCOUNT, records: [{ ...RECORD, done: odd }] }, (value) => readAccount(value, RUN)),
  "who owes": (odd) => readAnswered({ ...ACCOUNT, owed: [{ debtor: odd, creditor: "supervisor" }] }, (value) => readAccount(value, RUN)),
  "an item": (odd) => readAnswered({ ...ACCOUNT, items: [odd] }, (value) => readAccount(value, RUN)),
};

it.each(Object.keys(READ))("each of them as %s is said, with what to answer", (place) => {
  for (const [kind, odd] of Object.entries(ODD)) {
    const read = READ[place]?.(odd());
    expect([kind, read]).toEqual([kind, { wrong: expect.stringMatching(/\. (Answer|Make it|Say in words) /) as string }]);
    expect((read as { wrong: string }).wrong.replace(/cannot be read: .*proxy.*\. /, "")).not.toMatch(ENGINE);
  }
});

describe("an answer that was read", () => {
  it("does not change any more, whatever its adapter does with it", () => {
    const history = ["one"];
    const answer = { history, health: "found", state: "pending" };
    const [probe, found] = [readProbe(answer), readKeyAnswer(answer)];
    history.push("two");
    answer.state = "completed";
    expect([probe, found]).toEqual([{ value: { history: ["one"], attempts: undefined, strangers: undefined } }, { value: { health: "found", state: "pending" } }]);
  });

  it("is called with the object that it belongs to", () => {
    class Log {
      readonly #state = "pending";
      append = () => ({ outcome: "refused" });
      read(): object {
        return { health: "found", state: this.#state };
      }
    }
    const log = readLog(new Log());
    expect("value" in log && log.value.read("one")).toEqual({ health: "found", state: "pending" });
  });
});

it.each(Object.keys(ODD_REASONS))("%s has a text when it is thrown", (kind) => {
  expect(readThrown((ODD_REASONS[kind] as () => unknown)()).text).toMatch(/^(not today|.+\. (Throw an Error|Say in it what went wrong))$/);
});

describe("a manifest", () => {
  const refused = (run: (adapter: never) => Promise<unknown>, adapter: object): Promise<string> => run(adapter as never).then(() => "nothing was refused", (failure: Error) => failure.message);
  const KITS = [["dispatcher", runConformance, inMemory], ["log", runReceiptConformance, linesLog()], ["supervisor", runSupervisorConformance, oneAgent]] as const;

  it.each(KITS)("of a %s is refused with any of it as a capability, as the list of them, as the name, and as the whole", async (_kit, run, honest) => {
    for (const [kind, odd] of Object.entries(ODD)) {
      for (const adapter of [{ ...honest, capabilities: [odd()] }, { ...honest, capabilities: odd() }, { ...honest, name: odd() }, odd() as object]) {
        const says = await refused(run, adapter);
        expect([kind, says]).toEqual([kind, expect.stringMatching(/^ADAPTER_INVALID: /)]);
        expect(says.replace(/cannot be read: .*proxy.*\. Pass/, "")).not.toMatch(ENGINE);
      }
    }
  });

  it("is refused where a field of it throws", async () => {
    const adapter = { ...inMemory, get version(): string { throw new Error("not today"); } };
    expect(await refused(runConformance, adapter)).toBe("ADAPTER_INVALID: the adapter cannot be read: not today. Pass plain data with name, version, capabilities and create.");
  });
});
