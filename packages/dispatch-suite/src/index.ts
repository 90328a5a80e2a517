/** Twenty faults of a dispatcher as scenarios, six rules as guards, and a player that judges any policies against them. */
export { addActor, addDispatcher, type Cast, type DeskFile, HOST, LEASE_MS, objectText, PERIOD_MS, ROOT, setDesk, TRUST, volumeOf } from "./desk.ts";
export { REFERENCE, SEARCHABLE, systemNamed } from "./system-named.ts";
export { floorBound, type FloorOptions, type FloorReport, floorSystem, searchFloor } from "./floor.ts";
export { MISSING_DEPENDENCY_CHECKS, type MissingDependencyCheck, type ReporterPolicy, REPORTERS, reportSuites, RERUN, type SuiteRun } from "./missing-dependency.ts";
export { type CheckResult, DEFAULT_SCHEDULES, judgesOf, playScenario, type ScenarioResult, type Subject, type SuiteOptions, systemOf } from "./play-suite.ts";
export { RULES, type Rule } from "./rules.ts";
export { DISPATCH_FAULTS, type DispatchFault, FAULT_NUMBERS, type FaultNumber, type Layer } from "./faults/index.ts";
export type { Half, Scenario } from "./scenario.ts";
export { SCENARIOS } from "./scenarios.ts";
export { type CauseFacts, IDENTITY_ROWS, type IdentityRowId, playStartCauses, playStartRow, playSubjectRow, playTriggerRow, START_CAUSES, START_LOG, START_ROW_IDS, START_ROWS, type StartCause, type StartRowFacts, type StartRowId, type StartRowOptions } from "./start-rows.ts";
export { filesOf, type Layers, tell, type Told } from "./told.ts";
