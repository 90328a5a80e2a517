/** Where a failure sends its reader: the case of each rule. That the mechanism is the same only a person can say. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as guards from "@casebook/guards";
import { describe, expect, it } from "vitest";
import { DISPATCH_RULES, RECEIPT_LOG_RULES, SUPERVISION_RULES } from "./index.ts";

const INCIDENTS = join(import.meta.dirname, "../../../incidents");
const LAYERS = new Map(
  readdirSync(INCIDENTS)
    .filter((name) => /^\d{3}-/.test(name))
    .map((name) => [name.slice(0, 3), (JSON.parse(readFileSync(join(INCIDENTS, name, "case.json"), "utf8")) as { layer: string }).layer]),
);
const OF_GUARD = new Map(Object.values(guards).flatMap((guard) => (typeof guard === "function" && "about" in guard && guard.about.case !== undefined ? [[guard.about.id as string, guard.about.case]] : [])));

const dispatch = DISPATCH_RULES.flatMap((rule) => (rule.level === "not-checked" ? [] : [{ number: rule.number, case: rule.case, guard: rule.guards.length === 1 ? String(rule.guards[0]) : "" }]));
const receipts = RECEIPT_LOG_RULES.flatMap((rule) => (rule.level === "not-checked" ? [] : [{ number: rule.number, case: rule.case, guard: "" }]));
const supervision = SUPERVISION_RULES.flatMap((rule) => (rule.level === "not-checked" ? [] : [{ number: rule.number, case: rule.case, guard: rule.from }]));

describe("the case of a rule", () => {
  it("is one that is there", () => {
    expect([...dispatch, ...receipts, ...supervision].filter((rule) => !LAYERS.has(rule.case))).toEqual([]);
  });

  it("is that of its guard, where it has one guard and that has a case", () => {
    const asked = [...dispatch, ...supervision].filter(({ guard }) => OF_GUARD.has(guard));
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((rule) => rule.case !== OF_GUARD.get(rule.guard))).toEqual([]);
  });

  it("is not about a registry where a receipt log is asked", () => {
    expect(receipts.filter((rule) => LAYERS.get(rule.case) === "registry")).toEqual([]);
  });
});
