import { expect, it } from "vitest";
import { hermesHealthy, iso } from "../presets/fixtures/index.ts";
import { edited, look, sumProblems } from "./look.fixture.ts";

it("judges yesterday's slot of a task whose grace is longer than its product's catch-up reaches back", async () => {
  const fixture = hermesHealthy();
  // Due at 20:00 each evening, with a grace of 3 h 24 min; last ran on the evening before, and is looked at while today's is in grace.
  const files = edited(fixture.files, fixture.registry, (text) => text.replace("2026-09-01T20:00:41+00:00", "2026-08-31T20:00:41+00:00"));
  const output = Object.keys(files).find((path) => path.includes("/output/0a1b2c3d4e5f/")) as string;
  const old = { content: "# invented\n", modifiedAtMs: iso("2026-08-31T20:01:30Z"), bornAtMs: iso("2026-08-31T20:01:30Z") };
  const { report } = await look({ ...fixture, files: { ...files, [output]: old } }, { nowMs: iso("2026-09-02T22:30:00Z") });
  const row = report.rows.find(({ subject }) => subject === "0a1b2c3d4e5f");
  expect([row?.verdict, row?.due, row?.claimed, row?.seen]).toEqual(["FAIL", 1, 0, 0]);
  expect(sumProblems(report)).toEqual([]);
});
