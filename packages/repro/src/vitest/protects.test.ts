/** The safety net of `protects`: what it must refuse in the wiring where it has to fail. Run as a small project of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startVitest } from "vitest/node";

const HERE = fileURLToPath(new URL(".", import.meta.url));

const TESTS = `
import { protects, subject } from ${JSON.stringify(join(HERE, "index.ts"))};
import { counterRepro } from ${JSON.stringify(join(HERE, "..", "counter-case.fixture.ts"))};
import { expect } from "vitest";
const system = subject(counterRepro);
protects("counts every addition", async () => { expect((await system.play()).facts.total).toBe(3); });
protects("asserts nothing", async () => { await system.play(); });
protects("dies of a typing slip", () => { (undefined as unknown as { x: number }).x; });
`;

describe("protects, wired to the broken system", () => {
  let folder: string;
  const outcomes = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(HERE, "..", "..", "node_modules", ".protects-"));
    const file = join(folder, "guard.test.ts");
    writeFileSync(file, TESTS);
    const exitCode = process.exitCode;
    const vitest = await startVitest("test", [], {
      config: false,
      root: folder,
      watch: false,
      isolate: false,
      pool: "threads",
      include: ["guard.test.ts"],
      provide: { against: "broken", protection: "must-fail" },
      reporters: [{}],
    });
    for (const module of vitest.state.getTestModules()) {
      for (const one of module.children.allTests()) outcomes.set(one.name, one.result().errors?.[0]?.message ?? one.result().state);
    }
    await vitest.close();
    process.exitCode = exitCode; // the inner run is meant to fail
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("passes when its body fails an assertion there", () => {
    expect(outcomes.get("fails on the broken system: counts every addition")).toBe("passed");
  });

  it("is red when its body passes there, because then it protects nothing", () => {
    expect(outcomes.get("fails on the broken system: asserts nothing")).toBe(
      'PROTECTS_NOTHING: "asserts nothing" passes against the broken system. Assert what the fix changes.',
    );
  });

  it("is red when its body dies of something else than an assertion", () => {
    expect(outcomes.get("fails on the broken system: dies of a typing slip")).toBe(
      'FAILED_FOR_THE_WRONG_REASON: "dies of a typing slip" did not fail an assertion against the broken system.',
    );
  });
});
