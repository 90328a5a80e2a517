/** What people outside this project saw, on a page: a no as visible as a yes, and a zero said like any other number. */
import { describe, expect, it } from "vitest";
import { readTemplate } from "./catalog.ts";
import { outsideCounts, renderFacts, renderOutside } from "./render.ts";
import { ROOT } from "../root.ts";

const template = await readTemplate(ROOT);
const [example] = template.reproductions;
if (example === undefined) throw new Error("the template has lost its worked example");
const reported = (...outcomes: (typeof example)["outcome"][]) => ({ ...template, reproductions: outcomes.map((outcome) => ({ ...example, outcome })) });
const firstLine = (text: string) => text.split("\n", 1)[0];

describe("reports from outside", () => {
  it("are asked for when there is none", () => {
    expect(renderOutside(reported())).toBe(
      '0 reports from outside this project. Both answers are wanted: `casebook run 000`, then `casebook report --repro 000 --outcome reproduced` or `--outcome "not reproduced"`.',
    );
  });

  it("are counted by outcome, in the table, among the facts and on the page", () => {
    const item = reported("not reproduced", "not reproduced", "partial");
    expect(outsideCounts(item)).toBe("0 · 2 · 1 · 0");
    expect(renderFacts(item)).toContain("| outside reproductions | 0 · 2 · 1 · 0 (reproduced · not reproduced · partial · not run) |");
    expect(firstLine(renderOutside(item))).toContain("3 reports: 0 reproduced · 2 not reproduced · 1 partial · 0 not run.");
  });

  it("are said to disagree when one says yes and another one does not", () => {
    const note = " The reports disagree, and none of them is taken for wrong: compare version, system and counters.";
    expect(firstLine(renderOutside(reported("reproduced", "not reproduced")))).toBe(
      `2 reports: 1 reproduced · 1 not reproduced · 0 partial · 0 not run.${note}`,
    );
    expect(firstLine(renderOutside(reported("partial", "reproduced")))).toContain(note);
  });

  it("do not disagree with a run that did not happen, nor with one another when they say the same", () => {
    for (const outcomes of [["reproduced", "not run"], ["not reproduced", "not reproduced"]] as const) {
      expect(firstLine(renderOutside(reported(...outcomes)))).toMatch(/not run\.$/);
    }
  });
});
