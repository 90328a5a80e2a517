/** What case 008 rests on: other damage, what each policy changes, the operator's cell, the mutants, how it could be fooled, and that its numbers are its own. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dispatchDuplicateSession, receiptsStateRegression, type ReceiptsStateRegressionFacts } from "@casebook/guards";
import { RECEIPT_ROWS, type ReceiptRowId } from "@casebook/receipt-reader";
import { DIAGNOSES, surveyLog } from "@casebook/receipt-reader/judge";
import { type Facts, firstDifference, play } from "@casebook/repro";
import { describe, expect, it } from "vitest";
import {
  atOnce,
  atOnceNoTurns,
  causeTable,
  damagedCompletion,
  intact,
  LOG,
  noBlanketBlock,
  NOT_MEASURED,
  NOT_MODELLED,
  reportedCompletion,
  repro,
  ROUND_ONE,
  ROUND_TWO,
  startCauseTable,
  startedEight,
  startedElsewhere,
  startedKeyless,
  startedNewKey,
  startedUnleased,
  type SystemName,
  type Trial,
  watchedBoth,
  watchedCompletion,
  watchedIntact,
  watchedUnrelated,
  watchedUnsupported,
} from "./repro.ts";

const factsOf = new Map<string, Promise<Facts>>();

/** Each trial once, however many tests compare it with others. */
function once(scene: typeof intact, change: Partial<Trial> = {}): Promise<Facts> {
  const trial = JSON.stringify({ ...scene.with, ...change });
  const facts = factsOf.get(trial) ?? play(repro, scene, change).then((one) => one.facts);
  factsOf.set(trial, facts);
  return facts;
}

const played = (row: ReceiptRowId, system: SystemName) => once(intact, { row, system });

describe("the mechanism of case 008", () => {
  it.each(["cut", "zeros", "changed"] as const)("is not a matter of how the record is damaged: %s, and every row is the same", async (damage) => {
    for (const scene of ROUND_ONE) expect([scene.name, firstDifference(scene.expect, (await play(repro, scene, { damage })).facts)]).toEqual([scene.name, undefined]);
  });

  it("needs the damage: with the receipts intact the same reader and kernel answer from them", async () => {
    expect((await play(repro, intact)).facts).toMatchObject({ secondReason: "idempotent_replay", callbacks: 1 });
  });

  it("leaves the damaged line where it was, and writes the second end behind it", async () => {
    const { volume } = await play(repro, damagedCompletion);
    const lines = (volume().readFileSync(LOG, "utf8") as string).trimEnd().split("\n");
    const kinds = lines.map((line) => (line.endsWith("}") ? (JSON.parse(line) as { state: string }).state : "cut"));
    expect(kinds).toEqual(["pending", "cut", "completed"]);
  });

  it("gives another trace when its input is another, and the same facts", async () => {
    const one = await play(repro, damagedCompletion);
    const other = await play(repro, damagedCompletion, { damage: "changed" });
    expect(firstDifference(one.facts, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(one.traceHash);
  });
});

describe("the rows of case 008", () => {
  it("of the first round are eighteen and a census, in the order and under the names of what was published", () => {
    const names = ["R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "A0", "A1", "A2", "A3", "A4", "S0", "S1", "S2", "O1", "history"];
    expect(ROUND_ONE.map(({ name }) => name)).toEqual(names);
    expect(repro.shown.slice(0, names.length)).toEqual(ROUND_ONE);
  });

  it("say of each layer that nobody looked at that it was not measured, and of none that it was 0", async () => {
    for (const scene of ROUND_ONE.slice(0, -1)) {
      const { facts } = await play(repro, scene);
      expect([scene.name, facts["attempts"], facts["starts"]]).toEqual([scene.name, NOT_MEASURED, NOT_MEASURED]);
    }
  });

  it("are counted and not looked up: a scene that expects nothing gives the same facts", async () => {
    for (const scene of ROUND_ONE) {
      const blank = await play(repro, { ...scene, expect: {} });
      expect([scene.name, firstDifference(scene.expect, blank.facts)]).toEqual([scene.name, undefined]);
    }
  });

  it("read no published file: the case imports code only, and no other file of it or of its model holds data", () => {
    const sources = [new URL(".", import.meta.url), new URL("../../packages/receipt-reader/src/", import.meta.url), new URL("../../packages/dispatch-suite/src/", import.meta.url)].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => new URL(path.replaceAll("\\", "/"), folder)),
    );
    const paths = sources.map(({ pathname }) => pathname).filter((path) => /\.\w+$/.test(path));
    expect(paths.filter((path) => !/\.ts$|\/case\.json$|\/README\.md$/.test(path))).toEqual([]);
    const texts = sources.filter(({ pathname }) => pathname.endsWith(".ts")).map((url) => readFileSync(url, "utf8"));
    expect(texts.length).toBeGreaterThan(20);
    const imported = texts.flatMap((text) => [...text.matchAll(/^(?:import|export) .*from "([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(([, from, lazily]) => from ?? lazily ?? ""));
    expect(imported.length).toBeGreaterThan(50);
    expect(imported.filter((from) => /json|observations|evidence/i.test(from))).toEqual([]);
    // Two words, so that this line is not what it looks for.
    expect(texts.filter((text) => text.includes(["receipt", "observations"].join("-")))).toEqual([]);
    expect(existsSync(new URL("evidence", import.meta.url))).toBe(false);
    expect(readFileSync(new URL("repro.ts", import.meta.url), "utf8")).not.toMatch(/readFile|node:|createRequire|\bexpect\[/);
  });
});

describe("the cause table", () => {
  const RECEIPT_ROW_IDS = Object.keys(RECEIPT_ROWS) as ReceiptRowId[];
  const difference = async (system: SystemName, from: SystemName) => {
    const rows: string[] = [];
    for (const row of RECEIPT_ROW_IDS) if (firstDifference(await played(row, from), await played(row, system)) !== undefined) rows.push(row);
    return rows;
  };

  it.each(["reports-health", "health-ignored", "newer-is-absent", "forward-first", "bad-line-is-empty", "key-without-actor"] as const)("says which rows change under %s, and no other does", async (system) => {
    const facts = await once(causeTable);
    expect(await difference(system, "as-published")).toEqual(facts[system]);
  });

  it("surprises: a reader from the start changes neither R2 nor R6, where the first record is what the tolerant one finds", async () => {
    for (const row of ["R2", "R6"] as const) expect(firstDifference(await played(row, "as-published"), await played(row, "forward-first"))).toBeUndefined();
    // It breaks what was healthy.
    expect(await played("R0", "forward-first")).toMatchObject({ loadedState: "pending", callbacks: 2, effects: 2 });
  });

  it("surprises: what changes R2 changes R8, because both are one log, and R3, because an answer of nothing is one from a log that was read in part", async () => {
    expect(await difference("reports-health", "as-published")).toEqual(["R2", "R3", "R6", "R8"]);
  });

  it("surprises: a reader that reports, under a kernel that does not listen, changes nothing", async () => {
    expect(await difference("health-ignored", "as-published")).toEqual([]);
  });

  it("surprises: a task that moved on needs no healthy reading, so R4 and R7 are the same for both", async () => {
    for (const row of ["R4", "R7"] as const) expect(firstDifference(await played(row, "as-published"), await played(row, "reports-health"))).toBeUndefined();
  });

  it("takes from the reference a newer version only: R6 alone goes back", async () => {
    expect(await difference("newer-is-absent", "reports-health")).toEqual(["R6"]);
  });
});

describe("the second round of case 008", () => {
  it("has twelve rows, in the order and under the names of what was published", () => {
    const names = ["I0", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "J0", "J1", "J2", "J3"];
    expect(ROUND_TWO.map(({ name }) => name)).toEqual(names);
    expect(repro.shown.slice(-names.length)).toEqual(ROUND_TWO);
  });

  it("says of bytes and effects that nobody looked, and of a row without a model that it has none", async () => {
    for (const scene of ROUND_TWO) expect([scene.name, (await play(repro, scene)).facts["effects"]]).toEqual([scene.name, NOT_MEASURED]);
    const [chat] = ROUND_TWO.filter(({ name }) => name === "J0");
    expect(Object.values(chat?.expect ?? {}).filter((fact) => fact === NOT_MODELLED).length).toBe(4);
  });

  it("is counted and not looked up: a scene that expects nothing gives the same facts, and so do other orders of steps", async () => {
    for (const scene of ROUND_TWO) {
      for (const schedule of [0, 1, 2]) expect([scene.name, firstDifference(scene.expect, (await play(repro, { ...scene, expect: {} }, { schedule })).facts)]).toEqual([scene.name, undefined]);
    }
  });

  it("says what each cause changes, and that one of them alone starts another session", async () => {
    const facts = await once(startCauseTable);
    expect(facts).toMatchObject({ "no-lease-check": ["I1", "I2", "I3", "I6"], "no-key-reuse": ["I4:started-again"], "three-kernels": ["I6"] });
    expect((await play(repro, startedKeyless)).facts).toMatchObject({ commands: 1, starts: 2 });
  });

  it("surprises: without the lease check the session on record still stands in the way, and without that lookup, too", async () => {
    expect((await play(repro, startedUnleased)).facts).toMatchObject({ dispatchKinds: ["dispatched", "adopted"], starts: 1 });
    expect((await once(startCauseTable))["no-lease-check-start-again"]).toEqual(["I1", "I2", "I3", "I6"]);
  });

  it("surprises: calls that take no turns change nothing in I6, where the start is on record, and do before it", async () => {
    expect(firstDifference(startedEight.expect, (await play(repro, startedEight, { starts: "no-turns", schedule: 65 })).facts)).toBeUndefined();
    const words = async (scene: typeof atOnce) => new Set((await play(repro, scene)).facts["dispatchKinds"] as readonly string[]);
    expect(await words(atOnce)).toEqual(new Set(["dispatched", "already_dispatched"]));
    expect(await words(atOnceNoTurns)).toEqual(new Set(["lease_lost", "blocked", "adopted", "already_dispatched"]));
  });

  it("answers each kernel: three of them get three answers, and all are one", async () => {
    expect((await play(repro, startedEight, { starts: "three-kernels" })).facts).toMatchObject({ secondReason: ["task_already_dispatched", "task_already_dispatched", "task_already_dispatched"], starts: 1 });
  });

  it("says of a new process that a lease stands in its way, and not that anybody lives", async () => {
    expect((await play(repro, startedElsewhere)).facts).toMatchObject({ processes: 2, secondReason: "task_already_dispatched", attemptStatuses: ["running"] });
  });

  it("is watched by a guard that a key made anew for each call fools", async () => {
    expect((await play(repro, startedKeyless)).facts).toMatchObject({ commands: 1, starts: 2, alarms: [] });
    expect((await play(repro, startedNewKey)).facts).toMatchObject({ commands: 2, starts: 2, alarms: [] });
    expect(dispatchDuplicateSession([{ session: "a", prompt: "command-1" }, { session: "b", prompt: "command-1" }])?.guard).toBe("dispatch/duplicate-session");
  });
});

describe("no blanket block", () => {
  it("has a row for each diagnosis, and each row for each command", async () => {
    const facts = await once(noBlanketBlock);
    expect(Object.keys(facts)).toEqual(DIAGNOSES);
    const kinds = Object.values(facts).map((cells) => (cells as readonly string[]).map((cell) => cell.split("=")[0]).join());
    expect(new Set(kinds)).toEqual(new Set(["start,retry,cancel,status"]));
  });

  it("lets a new command start and a cancelling go on behind damage, and lets nobody retry what may have ended", async () => {
    const facts = await once(noBlanketBlock);
    expect(facts["absent-behind-damage"]).toEqual(["start=act", "retry=reconcile", "cancel=act", "status=explain"]);
    expect(facts["pending-behind-damage"]).toEqual(["start=reconcile", "retry=reconcile", "cancel=act", "status=explain"]);
  });
});

describe("the state-regression guard", () => {
  it("alarms in the operator's cell: the reader stays as it is, and somebody looks at the log before the command comes again", async () => {
    expect((await play(repro, watchedCompletion)).facts).toMatchObject({ callbacks: 2, alarms: ["receipts/damaged", "receipts/state-regression"] });
    expect((await play(repro, watchedUnsupported)).facts["alarms"]).toEqual(["receipts/state-regression"]);
  });

  it("is silent on a log that nobody damaged, and on damage behind an end that can be read", async () => {
    expect((await play(repro, watchedIntact)).facts["alarms"]).toEqual([]);
    expect((await play(repro, watchedUnrelated)).facts["alarms"]).toEqual(["receipts/damaged"]);
  });

  it("still alarms after the fix: the careful kernel leaves the log as it is, and the command stays open", async () => {
    expect((await play(repro, reportedCompletion, { watch: "guards" })).facts["alarms"]).toEqual(["receipts/damaged", "receipts/state-regression"]);
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const lost: ReceiptsStateRegressionFacts = { keys: [{ key: "k", state: "pending", unreadableBehind: 1 }] };
    const kept: ReceiptsStateRegressionFacts = { keys: [{ key: "k", state: "pending", unreadableBehind: 0 }, { key: "m", state: "completed", unreadableBehind: 1 }] };
    const tells = (guard: (facts: ReceiptsStateRegressionFacts) => unknown) => guard(lost) !== undefined && guard(kept) === undefined;
    expect(tells(receiptsStateRegression)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "receipts/state-regression" }))).toBe(false);
  });

  it("is fooled when nothing of the command can be read: there is no state that could have gone back, and only the damage is left to say so", async () => {
    expect((await play(repro, watchedBoth)).facts["alarms"]).toEqual(["receipts/damaged"]);
  });

  it("is fooled by whoever comes too late: the second call has written an end that can be read", async () => {
    const { volume } = await play(repro, damagedCompletion);
    const survey = surveyLog(volume().readFileSync(LOG) as Uint8Array);
    expect([survey.damage.lines, survey.completed, receiptsStateRegression(survey)]).toEqual([1, 1, undefined]);
  });
});
