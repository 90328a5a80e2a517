/** Holds the doctor's pages to the doctor: outputs, commands above them, exit codes, words. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GUARD_IDS } from "@casebook/doctor";
import { describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";
import { guardsAbout } from "../commands/explain.ts";
import { ROOT } from "../root.ts";
import { runShown, SHOWN, SHOWS_HERE } from "./doctor-outputs.ts";
import { promisedOutputs } from "./markdown.ts";
import { privateData } from "./private-data.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = read("README.md");
const page = read("docs/doctor.md");
const recipes = read("docs/recipes.md");
const ELSEWHERE = "NOT RUN (unsupported): the usual places of this system are not those that the pages show";

describe("the doctor's outputs", () => {
  // The self-test takes seconds; it is compared with the other generated blocks, and in the real tier.
  it.for(SHOWN.filter(({ id }) => id !== "doctor-self-test"))("are what a run prints: $id", async (shown, context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    const { id, exitCode } = shown;
    const said = await runShown(shown);
    expect([said.exitCode, said.stderr]).toEqual([exitCode, ""]);
    const promised = [...promisedOutputs(readme), ...promisedOutputs(page)].filter((output) => output.id === id);
    expect(promised.map(({ text }) => text)).toEqual([said.stdout]);
  });

  it("are all of the outputs that its page promises", () => {
    const known = SHOWN.map(({ id }) => id);
    expect(promisedOutputs(page).map(({ id }) => id).filter((id) => !known.includes(id))).toEqual([]);
  });

  it("stand below the command that prints them", () => {
    const above = [...page.matchAll(/^```sh\n(.*)\n```\n\n<!-- output:([\w-]+) -->$/gm)].map(([, command = "", id = ""]) => ({ id, command }));
    expect(above).toEqual(promisedOutputs(page).map(({ id }) => ({ id, command: SHOWN.find((shown) => shown.id === id)?.command })));
  });

  it("hold nothing private and no prompt", () => {
    for (const text of [readme, page]) {
      expect(text).not.toContain("invented inbox of");
      expect(promisedOutputs(text).flatMap((output) => privateData(output.id, output.text))).toEqual([]);
    }
  });
});

describe("the doctor's page", () => {
  it("names no option that the command does not have, and leaves none out", async () => {
    const { stdout } = await commandLine(["doctor", "--help"]);
    const options = (text: string) => [...new Set(text.match(/--[a-z]+(?:-[a-z]+)*/g))].filter((word) => word !== "--help").toSorted();
    const rows = page.split("\n").filter((line) => line.startsWith("| `--"));
    expect(options(rows.join("\n"))).toEqual(options(stdout));
  });

  it("says the exit codes in the words of the command line", () => {
    const codes = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code);
    expect(codes).toEqual(["0", "1", "3", "2", "130"]);
  });
});

describe("the guards' page", () => {
  it("has every guard once, the doctor's among them", () => {
    const listed = [...read("docs/guards.md").matchAll(/^\| \[`([\w/-]+)`\]\(/gm)].map(([, id]) => id);
    expect(listed).toEqual(guardsAbout().map(({ id }) => id));
    expect(GUARD_IDS.filter((id) => !listed.includes(id))).toEqual([]);
  });

  it("leads to the watchdog and does not repeat it", () => {
    expect(read("docs/guards.md")).toContain("](../packages/guards/README.md)");
    expect(read("docs/guards.md")).not.toContain("slotLedger(");
  });
});

describe("the recipes", () => {
  it("name only metrics that the doctor writes", async (context) => {
    if (!SHOWS_HERE) return context.skip(ELSEWHERE);
    const { stdout } = await runShown({ home: "small", command: "casebook doctor --format openmetrics" });
    const named = [...new Set(recipes.match(/casebook_\w+/g))];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !stdout.includes(`# TYPE ${name} gauge`))).toEqual([]);
    expect([...recipes.matchAll(/verdict="(\w+)"/g)].filter(([label]) => !stdout.includes(label))).toEqual([]);
  });
});
