/**
 * Mutes every guard, and makes every guard always alarm, and demands that a test turns red each time.
 * Mutates by a transform of `defineGuard` while the tests load; no file is changed. One runner serves all mutants.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createVitest, type Vitest } from "vitest/node";
import { guardsAbout } from "../commands/explain.ts";
import { ROOT } from "../root.ts";

const MUTATED = join(ROOT, "packages/guards/src/finding.ts");
const SOURCE = "const answer = judge(facts);";

const MUTANTS = {
  "not changed": "judge(facts)",
  muted: "(undefined as ReturnType<typeof judge>)",
  "always alarming": '(judge(facts) ?? { subject: "mutant", message: "always", counts: {} })',
} as const;

let mutant: { readonly id: string; readonly answer: string };
let touched = 0;
let vitest: Vitest;

beforeAll(async () => {
  vitest = await createVitest(
    "test",
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
            if (id !== MUTATED || !code.includes(SOURCE)) return undefined;
            touched += 1;
            return code.replace(SOURCE, `const answer = about.id === ${JSON.stringify(mutant.id)} ? ${mutant.answer} : judge(facts);`);
          },
        },
      ],
    },
  );
});
afterAll(() => vitest.close());

/** The names of the tests that are red, and how many there are. */
async function redUnder(id: string, answer: string): Promise<{ red: readonly string[]; tests: number }> {
  mutant = { id, answer };
  const before = touched;
  vitest.invalidateFile(MUTATED);
  const all = await vitest.globTestSpecifications();
  const about = all.filter(({ moduleId }) => readFileSync(moduleId, "utf8").includes(nameOf(id)));
  const chosen = about.length === 0 ? all : about;
  const { testModules } = await vitest.rerunTestSpecifications(chosen);
  process.exitCode = 0; // the inner run is meant to fail
  expect(touched).toBe(before + 1);
  // The runner keeps what files of earlier mutants came to.
  const tests = testModules.filter((module) => chosen.some(({ moduleId }) => moduleId === module.moduleId)).flatMap((module) => [...module.children.allTests()]);
  return { red: tests.filter((one) => one.result().state === "failed").map((one) => one.fullName), tests: tests.length };
}

/** Of the function: `supervisionWithinBudget`. */
function nameOf(id: string): string {
  return id.replaceAll(/[^a-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
}

describe.each(guardsAbout())("guard $id", ({ id }) => {
  it.each(["muted", "always alarming"] as const)("turns a test red when it is %s", async (how) => {
    const { red, tests } = await redUnder(id, MUTANTS[how]);
    expect(tests).toBeGreaterThan(0);
    expect(red).not.toEqual([]);
  });
});

it("has no test red where no guard is changed", async () => {
  expect((await redUnder("nobody", MUTANTS["not changed"])).red).toEqual([]);
});
