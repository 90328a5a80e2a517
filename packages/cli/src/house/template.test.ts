/** `template/` is a case like any other (cases.test.ts), and one to learn from: what its page says, and what it counts for. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCatalog, readTemplate, TEMPLATE_NUMBER } from "../catalog/catalog.ts";
import { renderCaseTable, renderOutside } from "../catalog/render.ts";
import { commandLine } from "../command-line.ts";
import { ROOT } from "../root.ts";

const FILES = readdirSync(join(ROOT, "template")).toSorted();
const read = (name: string) => readFileSync(join(ROOT, "template", name), "utf8");
const template = await readTemplate(ROOT);

describe("the template", () => {
  it("says under each heading of a case page, in one sentence, what a good answer contains", () => {
    const sections = read("README.md").split(/^## .*$/m).slice(1);
    const prose = sections.map((section) => section.replace(/<!-- \w+:start -->[\s\S]*?<!-- \w+:end -->|<!--.*?-->|^```[\s\S]*?^```$/gm, "").trim());
    expect(prose).toHaveLength(8);
    // A sentence ends in its only full stop; `case.json` and the like stand between back ticks.
    expect(prose.filter((text) => !/^[A-Z][^.!?]*\.$/.test(text.replace(/`[^`]*`/g, "word")))).toEqual([]);
  });

  it("is small enough to be read in two minutes", () => {
    // Somebody who reads code takes in two lines a second.
    const lines = FILES.filter((name) => name.endsWith(".ts")).flatMap((name) => read(name).split("\n").filter((line) => line !== ""));
    expect(lines.length).toBeLessThan(240);
  });

  it("is counted in no list and in no table", async () => {
    expect((await commandLine(["list"])).stdout).not.toContain(template.title);
    expect(renderCaseTable(await readCatalog(ROOT))).not.toContain(template.title);
    expect((await commandLine(["run", TEMPLATE_NUMBER])).exitCode).toBe(2);
  });

  it("shows on its page one report from outside, which says no and is plainly an example", () => {
    const block = renderOutside(template);
    expect(read("README.md")).toContain(`<!-- reproductions:start -->\n${block}\n<!-- reproductions:end -->`);
    expect(block).toBe(
      [
        "1 report: 0 reproduced · 1 not reproduced · 0 partial · 0 not run.",
        "",
        "| on | by | outcome | version | system | counters |",
        "| --- | --- | --- | --- | --- | --- |",
        "| 2026-11-29 | [template example](https://example.org/an-example-and-no-report) | not reproduced | 0.1.0 | Linux 6.8.0 x64, Node 20.19.0 | mode=for-ever    nights=4 ran=3 skipped=0 red_nights=1 guard=silent |",
      ].join("\n"),
    );
  });
});
