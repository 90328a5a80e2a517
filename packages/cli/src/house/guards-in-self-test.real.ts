/**
 * Mutes every guard, and makes every guard always alarm, and demands that `doctor --self-test` fails for it each time.
 * Mutates by a transform of `defineGuard` while the tests load; no file is changed.
 */
import { join } from "node:path";
import { GUARD_IDS } from "@casebook/doctor";
import { expect, it } from "vitest";
import { startVitest } from "vitest/node";
import { ROOT } from "../root.ts";

const SOURCE = "const answer = judge(facts);";
const LYING = `const lying = globalThis.lyingGuard;
  const answer = lying?.id !== about.id ? judge(facts) : lying.lie === "mute" ? undefined : { subject: "mutant", message: "always", counts: {} };`;

it("is noticed by the self-test when any guard is muted, or always alarms", async () => {
  let touched = 0;
  const vitest = await startVitest(
    "test",
    [],
    {
      config: false,
      root: ROOT,
      watch: false,
      isolate: false,
      pool: "threads",
      maxWorkers: 1,
      include: ["packages/cli/src/house/guards-in-self-test.fixture.ts"],
      reporters: [{}],
    },
    {
      plugins: [
        {
          name: "lying-guard",
          enforce: "pre",
          transform(code, id) {
            if (!id.includes(join("packages", "guards", "src", "finding.ts"))) return undefined;
            touched += 1;
            return code.replace(SOURCE, LYING);
          },
        },
      ],
    },
  );
  const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
  await vitest.close();
  process.exitCode = 0;
  const unnoticed = tests.filter((one) => one.result().state !== "passed").map((one) => one.fullName);
  expect(touched).toBeGreaterThan(0);
  expect(unnoticed).toEqual([]);
  expect(tests.length).toBe(2 * GUARD_IDS.length);
});
