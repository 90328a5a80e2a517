/** Holds the package's README to the examples and to a run: what stands there is what is in the folder, and what it prints. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inMemory } from "../examples/in-memory.ts";
import { exitCodeOf, reportText } from "./index.ts";
import { ASKS, runConformance } from "./node/index.ts";
import { readLine } from "./node/json-lines/protocol.ts";

const PATH = join(import.meta.dirname, "../README.md");
const fence = (name: string): string => new RegExp(`\`\`\`\\w+ ${name}\\n([^]*?)\`\`\``).exec(readFileSync(PATH, "utf8"))?.[1] ?? "";
const source = readFileSync(join(import.meta.dirname, "../examples/in-memory.ts"), "utf8");

describe("the README", () => {
  it("shows the dispatcher that is judged, and what is printed", async () => {
    const report = await runConformance(inMemory);
    const printed = `${reportText(report)}\n`;
    if (process.env["CASEBOOK_WRITE_README"] === "1") {
      const page = readFileSync(PATH, "utf8");
      writeFileSync(PATH, page.replace(/(```ts in-memory\n)[^]*?(```)/, (_all, open, close) => `${open}${source}${close}`).replace(/(```text judged\n)[^]*?(```)/, (_all, open, close) => `${open}${printed}${close}`));
    }
    expect(fence("in-memory")).toBe(source);
    expect(fence("judged")).toBe(printed);
    expect(exitCodeOf(report)).toBe(0);
  });

  it("shows lines that the kit reads", () => {
    const lines = fence("lines").split("\n").filter((line) => line.startsWith("program  ")).map((line) => readLine(line.slice("program  ".length)));
    expect(lines.map((read) => "line" in read)).toEqual([true, true, true, true]);
    expect(Object.keys(ASKS)).toContain("disk.read");
  });
});
