/**
 * Mutes every guard, and makes every guard always alarm, and demands that a test turns red each time.
 * Mutates by a transform of `defineGuard` while the tests load; no file is changed.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startVitest } from "vitest/node";
import { guardsAbout } from "../commands/explain.ts";
import { ROOT } from "../root.ts";

const SOURCE = "const answer = judge(facts);";

const MUTANTS = {
  muted: "const answer = undefined as ReturnType<typeof judge>;",
  "always alarming": 'const answer = judge(facts) ?? { subject: "mutant", message: "always", counts: {} };',
} as const;

describe.each(guardsAbout())("guard $id", (about) => {
  it.each(Object.entries(MUTANTS))("turns a test red when it is %s", async (_name, replacement) => {
    const mutated = `const isMutant = about.id === ${JSON.stringify(about.id)}; const honest = judge; { }
    ${replacement.replace("const answer =", "const answer = !isMutant ? honest(facts) :")}`;
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
        // Each guard is to be held by its own tests; a run of everything for every mutant takes minutes.
        include: ["packages/guards/src/**/*.test.ts"],
        exclude: ["packages/guards/src/{readme,slot-ledger}.test.ts"],
        provide: { against: "fixed", protection: "must-hold" },
        reporters: [{}],
      },
      {
        plugins: [
          {
            name: "guard-mutant",
            enforce: "pre",
            transform(code, id) {
              if (!id.includes(join("packages", "guards", "src", "finding.ts"))) return undefined;
              touched += 1;
              return code.replace(SOURCE, mutated);
            },
          },
        ],
      },
    );
    const cases = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
    await vitest.close();
    const red = cases.filter((one) => one.result().state === "failed");
    process.exitCode = 0; // the inner run is meant to fail
    expect(touched).toBeGreaterThan(0);
    expect(cases.length).toBeGreaterThan(20);
    expect(red.map((one) => one.fullName)).not.toEqual([]);
  });
});
