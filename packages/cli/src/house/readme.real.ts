/** The one output of the README that takes a test runner of its own to print. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../root.ts";
import { promisedOutputs } from "./markdown.ts";

it("shows the guard tests against the broken system in the README as a run prints them", () => {
  const words = ["--import", "tsx", join(ROOT, "packages/cli/src/main.ts"), "test", "001", "--against", "broken"];
  const { stdout, status } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  const promised = promisedOutputs(readFileSync(join(ROOT, "README.md"), "utf8")).find(({ id }) => id === "test-001-against-broken");
  expect([status, promised?.text]).toEqual([1, stdout]);
});
