/** The page about searching shows commands that were run, and what they printed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../root.ts";
import { exploreOutputs, SEARCHES, typed } from "./explore-outputs.ts";
import { fences, promisedOutputs } from "./markdown.ts";

const page = readFileSync(join(ROOT, "docs/explore.md"), "utf8");

describe("the page about searching", () => {
  it("shows every output as a run prints it", async () => {
    const outputs = await exploreOutputs();
    const promised = promisedOutputs(page);
    expect(promised.map(({ id }) => id).toSorted()).toEqual([...outputs.keys()].toSorted());
    for (const { id, text } of promised) expect([id, text]).toEqual([id, outputs.get(id)]);
  });

  it("names only commands whose output follows", () => {
    const commands = fences(page).flatMap(({ language, text }) => (language === "sh" ? text.trim().split("\n") : []));
    expect(commands.filter((command) => command.startsWith("casebook explore"))).toEqual(Object.values(SEARCHES).map(typed));
    expect(commands.filter((command) => command.startsWith("casebook replay"))).toHaveLength(1);
    expect(commands).toHaveLength(3);
  });
});
