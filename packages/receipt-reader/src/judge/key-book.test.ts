import { expect, it } from "vitest";
import { bytesOf, line } from "../log.fixture.ts";
import { addDistinct, countDistinct, createDistinct } from "./distinct.ts";
import { surveyLog } from "./survey.ts";

const rows = (count: number) => Array.from({ length: count }, (_, index) => line({ key: "a", seq: index + 1 }));

it("finds a record that stands there twice among the newest of its key, and holds no more of them", () => {
  const [near, far] = [rows(33).slice(1), rows(33)].map((lines) => surveyLog(bytesOf(...lines, lines[0] ?? "")));
  expect([near?.duplicated, far?.duplicated]).toEqual([1, 0]);
});

it("does not take a record for another that has its number and differs in one field", () => {
  const changes = [{ atMs: 1 }, { epoch: 2 }, { state: "completed" }, { reason: "x" }, { revision: "r2" }, { actor: "b" }, { payload: "q" }, { task: "t" }, { command: "start" }] as const;
  expect(surveyLog(bytesOf(line(), ...changes.map((change) => line(change)))).duplicated).toBe(0);
  expect(surveyLog(bytesOf(line(), line({ epoch: 2 }), line())).duplicated).toBe(1);
});

it("counts who asked up to a hundred, and holds no more of them", () => {
  const asked = (count: number) => surveyLog(bytesOf(...Array.from({ length: count }, (_, index) => line({ key: "a", seq: index + 1, actor: `a${index}` })))).keys[0]?.actors;
  expect([asked(1), asked(2), asked(100), asked(150)]).toEqual([1, 2, 100, 100]);
});

it("holds no long text to tell it from another, and tells them apart at their ends", () => {
  const texts = createDistinct();
  for (const end of ["a", "b", "a"]) addDistinct(texts, "x".repeat(100_000) + end);
  expect([countDistinct(texts), JSON.stringify([texts.first, ...(texts.all ?? [])]).length < 500]).toEqual([2, true]);
});
