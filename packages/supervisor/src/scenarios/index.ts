export { buildRun, overAtMs, playRun, type PlayedRun, type RunFacts, type RunWorld, settingsOf } from "./play-run.ts";
export { INVARIANTS, judgeRun, recordsOf, type RunSnapshot } from "./read-facts.ts";
export { locksOf, RUN_ID, type Shape, SHAPES, specOf } from "./shapes.ts";
export { EXTRA_SCENARIOS, THREE_SPEEDS } from "./extras.ts";
export { FAULTS, type FaultName, faultRow, type FaultRow } from "./faults.ts";
export { type Observation, Seen } from "./observe.ts";
export { judgeScenario, playScenario, type ScenarioResult, type ScenarioVerdict } from "./play-scenario.ts";
export { CONTROLS, FAULT_SCENARIOS, PAIRS, PLACED_SCENARIOS, type Scenario, SCENARIOS } from "./scenarios.ts";
export { brokenRules } from "./check-rules.ts";
