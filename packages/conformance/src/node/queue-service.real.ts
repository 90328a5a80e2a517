/** The pattern over a queue that has a service of its own: facts per rule for this set-up, on this machine, and no more. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgramConformance } from "./index.ts";
import { startPostgres } from "./postgres.fixture.ts";

const ASKED = ["C01", "C03", "C06", "F01", "F09", "F10", "F10c", "F10e"];

it("judges a dispatcher over a queue in PostgreSQL, whose worker is killed and started again", { timeout: 400_000 }, async (context) => {
  const postgres = await startPostgres();
  if ("missing" in postgres) return context.skip(`NOT RUN (missing-dependency): ${postgres.missing}`);
  try {
    process.env["CONFORMANCE_POSTGRES"] = postgres.url;
    const program = { command: process.execPath, args: [join(import.meta.dirname, "../../examples/pg-boss.mjs")], silenceMs: 30_000 };
    const { rules, distance } = await runProgramConformance(program, { only: ASKED, share: 0.1 });
    expect(distance).toBe("json-lines");
    expect(rules.map(({ number, verdict, says, failures = [] }) => [number, verdict, says ?? failures.map(({ check, seen }) => `${check}: ${seen}`).join("; ")])).toEqual(ASKED.map((number) => [number, "PASS", ""]));
  } finally {
    delete process.env["CONFORMANCE_POSTGRES"];
    postgres.stop();
  }
});
