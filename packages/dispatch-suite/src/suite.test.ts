/**
 * The dispatch suite: for each rule its faults, for each fault both halves and the six rules, each a test. Against a known-bad
 * dispatcher, or reporter, where one is provided. What fails says the layer, and the line that replays it.
 */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { findRunner } from "@casebook/sim/node";
import { describe, inject, it } from "vitest";
import { judgesOf, MISSING_DEPENDENCY_CHECKS, playScenario, type ReporterPolicy, REPORTERS, reportSuites, RERUN, RULES, SCENARIOS, type ScenarioResult } from "./index.ts";

/** Of the run, where somebody asks for one: its name among those known to be wrong. */
const wanted = inject("knownBad" as never) as string | undefined;
const subject = KNOWN_BAD_DISPATCHERS.find(({ name }) => name === wanted) ?? { name: "reference", policies: {} };
const reporter: ReporterPolicy = REPORTERS.find(({ name }) => name === wanted)?.name ?? "not-run";
const results = new Map<string, Promise<ScenarioResult>>();

for (const { number, text } of RULES) {
  describe(`rule ${number}: ${text}`, () => {
    for (const scenario of SCENARIOS.filter(({ rule }) => rule === number)) {
      describe(`${scenario.id}, ${scenario.layer}: ${scenario.fault}`, () => {
        for (const { id, says } of [...judgesOf(scenario), { id: `${scenario.id}/run`, says: "It was played, and its fault fired." }]) {
          it(`${id}: ${says}`, async () => {
            const played = results.get(scenario.id) ?? findRunner().then((runner) => playScenario(scenario, subject, runner, { schedules: 2 }));
            results.set(scenario.id, played);
            const { checks, notRunBecause, layer } = await played;
            const check = checks.find((one) => one.id === id);
            if (check === undefined && notRunBecause !== undefined) throw new Error(`NOT RUN ${notRunBecause}`);
            const kernel = checks.find((one) => one.id.startsWith(`${scenario.id}/kernel/`));
            const failed = check === undefined ? kernel : check;
            if (failed?.verdict === "fail") throw new Error(`layer ${layer}: ${failed.alarm}\nreplay: ${failed.token}`);
          });
        }
      });
    }
  });
}

describe("F12, governance: a test dependency is missing", () => {
  for (const { id, says, alarm } of MISSING_DEPENDENCY_CHECKS) {
    it(`${id}: ${says}`, () => {
      const wrong = alarm(reportSuites(RERUN, reporter));
      if (wrong !== undefined) throw new Error(`layer governance: ${wrong}`);
    });
  }
});
