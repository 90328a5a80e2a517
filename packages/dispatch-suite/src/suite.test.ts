/**
 * The dispatch suite: for each fault both halves of its verdict and the six rules, each a test. Against a known-bad dispatcher where
 * one is provided. What fails says the layer, and the line that replays it.
 */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { findRunner } from "@casebook/sim/node";
import { describe, inject, it } from "vitest";
import { floorBound, type FloorReport, floorSystem, judgesOf, MISSING_DEPENDENCY_CHECKS, playScenario, REFERENCE, reportSuites, RERUN, SCENARIOS, type ScenarioResult, searchFloor } from "./index.ts";

/** Of the run, where somebody asks for one: its name among those known to be wrong. */
const wanted = inject("knownBad");
const subject = KNOWN_BAD_DISPATCHERS.find(({ name }) => name === wanted) ?? REFERENCE;
/** Beside the one in the order of the processes. A known-bad one is given the schedules in which its races are known to be met. */
const schedules = wanted === undefined ? 1 : 3;
const results = new Map<string, Promise<ScenarioResult>>();

for (const scenario of SCENARIOS) {
  describe(`${scenario.id} ${scenario.fault} (rule ${scenario.rule}, ${scenario.layer})`, () => {
    for (const { id, says } of [...judgesOf(scenario), { id: `${scenario.id}/end`, says: "Everybody comes to an end." }]) {
      it(`${id.slice(scenario.id.length + 1)}: ${says}`, async (context) => {
        const played = results.get(scenario.id) ?? findRunner().then((runner) => playScenario(scenario, subject, runner, { schedules }));
        results.set(scenario.id, played);
        const { checks, notRunBecause, layer } = await played;
        const check = checks.find((one) => one.id === id) ?? checks.find((one) => one.id.startsWith(`${scenario.id}/kernel/`));
        if (check?.verdict === "fail") throw new Error(`layer ${layer}: ${check.alarm}; casebook replay ${check.token}`);
        if (notRunBecause !== undefined) context.skip(`NOT RUN ${notRunBecause}`.replace(") ", "): "));
      });
    }
  });
}

const search = { executions: 8 };
let searched: Promise<FloorReport> | undefined;

describe(`floor ${floorBound(search)}`, () => {
  for (const { id } of floorSystem(subject).checks) {
    it(`${id.replace(/^floor\//, "")}: holds in every execution that was drawn`, async () => {
      searched ??= findRunner().then((runner) => searchFloor(subject, runner, search));
      const finding = (await searched).findings.find(({ check }) => check === id || check.startsWith("not-run/") || check.startsWith("kernel/"));
      if (finding !== undefined) throw new Error(`layer dispatch: ${finding.alarm}; casebook replay ${finding.token}`);
    });
  }
});

describe("F12 a test dependency is missing (governance)", () => {
  for (const { id, says, alarm } of MISSING_DEPENDENCY_CHECKS) {
    it(`${id.slice(4)}: ${says}`, () => {
      const wrong = alarm(reportSuites(RERUN, "not-run"));
      if (wrong !== undefined) throw new Error(`layer governance: ${wrong}`);
    });
  }
});
