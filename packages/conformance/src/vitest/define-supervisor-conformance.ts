/** The rules of supervision in a suite of vitest. */
import { SUPERVISION_RULES, type SupervisorAdapter } from "../index.ts";
import { runSupervisorConformance } from "../node/index.ts";
import { type DefineOptions, defineRules } from "./define-rules.ts";

export function defineSupervisorConformance(adapter: SupervisorAdapter, options: DefineOptions = {}): void {
  defineRules(adapter, SUPERVISION_RULES, runSupervisorConformance, options);
}
