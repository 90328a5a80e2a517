/** One scenario by its id. */
import { EXTRA_SCENARIOS } from "./extras.ts";
import { CONTROLS, PAIRS, type Scenario, SCENARIOS } from "./scenarios.ts";

/** Throws SCENARIO_UNKNOWN: an id that is misspelt would play nothing. */
export function scenarioCalled(id: string): Scenario {
  const scenario = [...CONTROLS, ...SCENARIOS, ...EXTRA_SCENARIOS, ...PAIRS].find((one) => one.id === id);
  if (scenario !== undefined) return scenario;
  throw Object.assign(new Error(`SCENARIO_UNKNOWN: there is no scenario ${JSON.stringify(id)}; ids are such as kill_mid_task/one-agent. Look into SCENARIOS, PAIRS, CONTROLS and EXTRA_SCENARIOS.`), { code: "SCENARIO_UNKNOWN" });
}
