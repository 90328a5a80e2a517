/** Holds the README to real runs: its two set-up commands and its outputs. Links: docs.test.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportAsText, runRepro } from "@casebook/repro";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { commandLine } from "../command-line.ts";
import { OK_MEANS } from "../commands/explain.ts";
import { loadRepro } from "../commands/run.ts";
import { caseOf } from "../commands/select-cases.ts";
import { ROOT } from "../root.ts";
import { fences, promisedOutputs } from "./markdown.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = read("README.md");
const commands = fences(readme).filter((fence) => fence.language === "sh").map((fence) => fence.text.trim());

describe("the README", () => {
  it("sets up before its first command of casebook; two further commands set everything up, and CI runs the second as it stands", () => {
    const setUp = commands.filter((command) => command.includes("install"));
    expect(setUp).toHaveLength(3);
    expect(setUp[0]).toMatch(/^npx --yes pnpm@[\d.]+ install --frozen-lockfile\nnpx pnpm@[\d.]+ -s casebook doctor$/);
    expect(commands[0]).toBe(setUp[0]);
    expect(setUp[1]).toContain("repro.ts");
    expect(read(".ci/run")).toContain(`(${setUp[2]})`);
  });

  it("shows the output of case 001 as a run prints it", async () => {
    const repro = await loadRepro(caseOf(await readCatalog(ROOT), "001"));
    const options = { all: false, twice: false };
    expect(outputOf("001")).toBe(reportAsText(await runRepro(repro, options)));
  });

  it("names only commands that run", async () => {
    const typed = commands.flatMap((block) => block.split("\n")).flatMap((line) => line.split("-s casebook ")[1] ?? []);
    // These two have outputs of their own, which are compared.
    const others = typed.filter((line) => !/^(?:doctor$|test )/.test(line));
    expect(typed.length).toBeGreaterThan(others.length);
    for (const line of others) expect([line, (await commandLine(line.split(" "))).exitCode]).toEqual([line, 0]);
  });

  it("says what OK means in the words of `explain`", () => {
    expect(readme).toContain(OK_MEANS);
  });
});

function outputOf(id: string): string | undefined {
  return promisedOutputs(readme).find((output) => output.id === id)?.text;
}
