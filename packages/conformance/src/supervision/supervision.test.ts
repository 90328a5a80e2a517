/** What the rules of supervision and the matrix of known-bad supervisors say of themselves; that the matrix is true is for the longer tier. */
import { knownBad } from "@casebook/supervisor/known-bad";
import { SUPERVISOR_RULES } from "@casebook/supervisor/rules";
import { describe, expect, it } from "vitest";
import { oneAgent } from "../../examples/supervisor.ts";
import { type CheckedSupervisionRule, DISPATCH_RULES, isChecked, RECEIPT_LOG_RULES, SUPERVISION_RULES, SUPERVISOR_CAPABILITIES, type SupervisorAdapter, type SupervisorAdapterPorts } from "../index.ts";
import { runSupervisorConformance } from "../node/index.ts";
import { verdictsOf } from "../wrapped.fixture.ts";
import { MATRIX, numberOf } from "../node/supervisor-matrix.fixture.ts";
import { reference, wrapped } from "./reference.fixture.ts";

const asked = SUPERVISION_RULES.filter((rule): rule is CheckedSupervisionRule => rule.level !== "not-checked");
const sentences = Object.keys(SUPERVISOR_RULES);

describe("the rules of supervision", () => {
  it("have the sentences that our own supervisor is held to, and leave none of them out", () => {
    for (const { number, from, sentence } of asked) expect([number.slice(0, 3), sentence]).toEqual([numberOf(from), SUPERVISOR_RULES[from as keyof typeof SUPERVISOR_RULES]]);
    expect([...new Set(asked.map(({ from }) => from))]).toEqual(sentences);
  });

  it("have one number each among all rules of the kit, and a reason where they are not checked", () => {
    const numbers = [...DISPATCH_RULES, ...RECEIPT_LOG_RULES, ...SUPERVISION_RULES].map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const rule of SUPERVISION_RULES) if (rule.level === "not-checked") expect(rule.because.length).toBeGreaterThan(20);
    expect(DISPATCH_RULES.filter(isChecked).length).toBeGreaterThan(0);
  });

  it("ask each sentence of a supervisor that declares nothing, but for those that need a second process", () => {
    const bare = new Set(asked.filter(({ needs }) => needs.length === 0).flatMap(({ asks }) => asks));
    expect(sentences.filter((id) => !bare.has(id as never))).toEqual(["supervision/refuses-late-writes"]);
  });

  it("need every capability that there is", () => {
    expect([...new Set(asked.flatMap(({ needs }) => needs))].toSorted()).toEqual(Object.keys(SUPERVISOR_CAPABILITIES).toSorted());
  });
});

describe("the matrix of the known-bad supervisors", () => {
  it("has a row for each of them, expects what was written down for our own suite, and one for the reference, which fails nothing", () => {
    expect(MATRIX.map(({ name, expected }) => [name, expected])).toEqual([["reference", []], ...knownBad.map(({ name, breaks }) => [name, breaks.map(numberOf).toSorted()])]);
    expect(MATRIX[0]).toEqual({ name: "reference", expected: [], broken: [], failed: [], surprises: {} });
  });

  it("has none that the kit does not see, and gives a reason for every surprise", () => {
    for (const { name, expected, broken, failed, surprises } of MATRIX.slice(1)) {
      const different = [...expected.filter((one) => !broken.includes(one)), ...broken.filter((one) => !expected.includes(one))];
      expect([name, Object.keys(surprises).toSorted()]).toEqual([name, different.toSorted()]);
      expect([name, failed.length > 0]).toEqual([name, true]);
    }
  });

  it("has for each sentence a supervisor that was expected to break it, and breaks it", () => {
    expect(sentences.map(numberOf).filter((number) => !MATRIX.some(({ expected, broken }) => expected.includes(number) && broken.includes(number)))).toEqual([]);
  });
});

describe("a supervisor behind the adapter", () => {
  it("passes when it is the reference", async () => {
    const { rules } = await runSupervisorConformance(reference(), { only: ["S01c", "S02c", "S05b", "S07d", "S08c", "S10b", "S11b"], share: 0.5 });
    expect(rules.flatMap(({ number, verdict, says, failures = [] }) => (verdict === "PASS" ? [] : [[number, verdict, says, failures.map(({ seen }) => seen)]]))).toEqual([]);
  });

  it("has the same verdicts behind a wrapper that only passes on", async () => {
    const only = ["S01", "S05b", "S07", "S09"];
    const own = verdictsOf(await runSupervisorConformance(oneAgent, { only, share: 0.2 }));
    expect(own).toEqual(Object.fromEntries(only.map((number) => [number, "PASS"])));
    expect(verdictsOf(await runSupervisorConformance(wrapped(oneAgent), { only, share: 0.2 }))).toEqual(own);
  });

  it("whose agents do not ask the ledger whether their run is over executes for it when nothing reaches them any more", async () => {
    const own = reference();
    /** As if it ran on, whenever an agent looks. */
    const unasking = (ports: SupervisorAdapterPorts): SupervisorAdapterPorts["ledger"] => ({
      ...ports.ledger,
      async read(table, id) {
        const row = await ports.ledger.read(table, id);
        return table === "runs" && row !== undefined ? { ...row, state: "running" } : row;
      },
    });
    const without: SupervisorAdapter = { ...own, create: (ports) => own.create(ports.name.startsWith("worker") ? { ...ports, ledger: unasking(ports) } : ports) };
    const failed = async (adapter: SupervisorAdapter): Promise<unknown> => (await runSupervisorConformance(adapter, { only: ["S02d"], share: 0.5 })).rules.map(({ failures = [] }) => failures.map(({ check, seen }) => [check, seen]));
    expect(await failed(without)).toEqual([[["S02d/supervision/no-descendant-executing", "1 of 2 processes still execute: worker-2"]]]);
    expect(await failed(own)).toEqual([[]]);
  });

  it("that declares wait cycles and never comes to one has no verdict about them", async () => {
    const { rules } = await runSupervisorConformance({ ...oneAgent, capabilities: ["agents", "wait-cycles"] }, { only: ["S08c"], share: 0.1 });
    expect([rules[0]?.verdict, rules[0]?.says]).toEqual(["NOT RUN", "SCENE_NEVER_CAME: in 5 executions there was never a wait cycle, so nothing was seen of this rule."]);
  });
});
