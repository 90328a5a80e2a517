/** The rules of dispatch in a suite of vitest. */
import { type DispatcherAdapter, DISPATCH_RULES } from "../index.ts";
import { runConformance } from "../node/index.ts";
import { type DefineOptions, defineRules } from "./define-rules.ts";

export function defineDispatcherConformance(adapter: DispatcherAdapter, options: DefineOptions = {}): void {
  defineRules(adapter, DISPATCH_RULES, runConformance, options);
}
