/** What every ledger does with a conditional transition. Leaves out how long it takes and what it keeps for whoever reads the journal. */
import type { Ledger } from "../index.ts";
import { expectEqual, type ContractCase } from "./contract.ts";

const running = { table: "runs", id: "run-1", when: "absent", set: { state: "running", tokens: 0 } } as const;

export const ledgerContract: readonly ContractCase<Ledger>[] = [
  {
    name: "answers undefined for a row that is not there, and nothing for a table that nobody wrote",
    async run(makePort) {
      const ledger = await makePort();
      expectEqual([(await ledger.read("runs", "run-1")) === undefined, await ledger.list("runs")], [true, []], "nothing");
    },
  },
  {
    name: "makes a row once: a second insert is refused with the row that is there",
    async run(makePort) {
      const ledger = await makePort();
      const first = await ledger.transition("run.started", [running]);
      expectEqual(first.outcome, "applied", "first insert");
      const second = await ledger.transition("run.started", [{ ...running, set: { state: "other" } }]);
      const row = { state: "running", tokens: 0, id: "run-1" };
      expectEqual(second.outcome === "refused" && [second.at, second.why, sorted(second.row)], [0, "present", sorted(row)], "second insert");
    },
  },
  {
    name: "changes a row only where every named field has the value that was expected",
    async run(makePort) {
      const ledger = await makePort();
      await ledger.transition("run.started", [running]);
      const end = (state: string) => ledger.transition("run.ended", [{ table: "runs", id: "run-1", when: { state: "running" }, set: { state } }]);
      expectEqual([(await end("completed")).outcome, (await end("cancelled")).outcome], ["applied", "refused"], "two ends");
      expectEqual((await ledger.read("runs", "run-1"))?.["state"], "completed", "the state");
    },
  },
  {
    name: "refuses a change of a row that is not there, and says which field differs",
    async run(makePort) {
      const ledger = await makePort();
      await ledger.transition("run.started", [running]);
      const absent = await ledger.transition("run.ended", [{ table: "runs", id: "run-2", when: {}, set: { state: "completed" } }]);
      const differs = await ledger.transition("run.ended", [{ table: "runs", id: "run-1", when: { tokens: 0, state: "completed" } }]);
      expectEqual(absent.outcome === "refused" && absent.why, "absent", "of no row");
      expectEqual(differs.outcome === "refused" && [differs.why, differs.field], ["differs", "state"], "of another state");
    },
  },
  {
    name: "applies all changes of a transition or none",
    async run(makePort) {
      const ledger = await makePort();
      await ledger.transition("run.started", [running]);
      const answer = await ledger.transition("item.done", [
        { table: "items", id: "item-1", when: "absent", set: { state: "done" } },
        { table: "runs", id: "run-1", when: { state: "cancelled" }, set: { tokens: 5 } },
      ]);
      expectEqual(answer.outcome === "refused" && answer.at, 1, "the refused change");
      expectEqual([(await ledger.list("items")).length, (await ledger.read("runs", "run-1"))?.["tokens"]], [0, 0], "what is there");
    },
  },
  {
    name: "adds to numbers, and refuses what would be above its limit",
    async run(makePort) {
      const ledger = await makePort();
      await ledger.transition("run.started", [running]);
      const spend = (tokens: number) => ledger.transition("budget.spent", [{ table: "runs", id: "run-1", when: {}, add: { tokens }, atMost: { tokens: 10 } }]);
      const answers = [(await spend(6)).outcome, (await spend(5)).outcome, (await spend(4)).outcome];
      expectEqual(answers, ["applied", "refused", "applied"], "6, 5 and 4 of 10");
      expectEqual((await ledger.read("runs", "run-1"))?.["tokens"], 10, "spent");
    },
  },
  {
    name: "lets one of many win who claim the same row at the same time",
    async run(makePort) {
      const ledger = await makePort();
      await ledger.transition("slot.made", [{ table: "slots", id: "slot-1", when: "absent", set: { holder: null } }]);
      const claim = (holder: string) => ledger.transition("slot.taken", [{ table: "slots", id: "slot-1", when: { holder: null }, set: { holder } }]);
      const answers = await Promise.all(["a", "b", "c", "d"].map(claim));
      expectEqual(answers.filter(({ outcome }) => outcome === "applied").length, 1, "winners of 4");
    },
  },
  {
    name: "takes `any` for no predicate, and null for a field that nobody set",
    async run(makePort) {
      const ledger = await makePort();
      await ledger.transition("note", [{ table: "notes", id: "n", when: "any", set: { text: "one" } }]);
      await ledger.transition("note", [{ table: "notes", id: "n", when: "any", set: { text: "two" } }]);
      const answer = await ledger.transition("note", [{ table: "notes", id: "n", when: { author: null }, set: { author: "x" } }]);
      expectEqual([answer.outcome, (await ledger.read("notes", "n"))?.["text"]], ["applied", "two"], "the note");
    },
  },
  {
    name: "lists the rows with the values asked for, sorted by id, lists and objects included",
    async run(makePort) {
      const ledger = await makePort();
      for (const [id, run] of [["b", "1"], ["a", "1"], ["c", "2"]] as const) {
        await ledger.transition("item.made", [{ table: "items", id, when: "absent", set: { run, needs: ["x", { y: null }] } }]);
      }
      const listed = await ledger.list("items", { run: "1" });
      expectEqual(listed.map(({ id, needs }) => [id, needs as unknown]), [["a", ["x", { y: null }]], ["b", ["x", { y: null }]]], "items of run 1");
    },
  },
  {
    name: "keeps what was given although the caller changes it afterwards",
    async run(makePort) {
      const ledger = await makePort();
      const needs = ["x"];
      const writing = ledger.transition("item.made", [{ table: "items", id: "a", when: "absent", set: { needs } }]);
      needs.push("y");
      await writing;
      expectEqual((await ledger.read("items", "a"))?.["needs"], ["x"], "what is kept");
    },
  },
];

function sorted(row: object | undefined): unknown {
  return Object.entries(row ?? {}).sort(([one], [two]) => (one < two ? -1 : 1));
}
