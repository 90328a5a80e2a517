/** All 588,210 schedules of the claim race, one by one: too many for every commit. */
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { searchArm } from "../search.ts";
import { claimRace } from "./models.ts";

it("counts 588,210 plain schedules with 72 final states, of which 571,200 start twice or more", async () => {
  const states = new Set<string>();
  let several = 0;
  const report = await searchArm(claimRace(3), [], await findRunner(), {
    strategy: "exhaustive",
    reduction: "plain",
    goOn: true,
    budget: 1_000_000,
    onJudged: (_judged, { facts }) => {
      const seen = facts() as { ledger: readonly string[] };
      states.add(JSON.stringify(seen));
      if (seen.ledger.filter((row) => row.startsWith("start")).length > 1) several += 1;
    },
  });
  console.log(`plain ${report.complete}, final states ${states.size}, several starts ${several}`);
  expect([report.complete, report.isExhausted, states.size, several]).toEqual([588_210, true, 72, 571_200]);
});
