/** One failure again, from its line. */
import { readToken } from "@casebook/explore";
import type { Runner } from "@casebook/sim/kernel";
import { replay } from "@casebook/explore";
import type { DispatcherAdapter } from "./adapter.ts";
import { checkAdapter } from "./check-adapter.ts";
import { explainFailure, type FailureStory } from "./explain-failure.ts";
import { isChecked } from "./rule.ts";
import { DISPATCH_RULES } from "./rules.ts";
import { checksOf, systemName, systemOf } from "./system.ts";

export type ReplayedFailure =
  | { readonly outcome: "fails"; readonly failures: readonly FailureStory[] }
  | { readonly outcome: "holds" }
  /** `TOKEN_…`, or `stale-token`: the line does not fit what is here, which says nothing about the dispatcher. */
  | { readonly outcome: "not-run"; readonly says: string };

export async function replayFailure(given: DispatcherAdapter, line: string, runner: Runner): Promise<ReplayedFailure> {
  const adapter = checkAdapter(given);
  const read = readToken(line);
  if (read.outcome !== "token") return { outcome: "not-run", says: read.message };
  const rule = DISPATCH_RULES.filter(isChecked).find((one) => systemName(one) === read.token.system);
  if (rule === undefined) return { outcome: "not-run", says: `the line is of ${read.token.system}, which is no rule of this kit` };
  const replayed = await replay(systemOf(rule, adapter), read.token, runner);
  if (replayed.outcome === "stale") return { outcome: "not-run", says: `stale-token: ${replayed.says}` };
  if (replayed.judged.verdict === "not-run") return { outcome: "not-run", says: replayed.judged.says };
  const seen = replayed.simulation.facts();
  const found = [
    ...(replayed.judged.verdict === "fails" && replayed.judged.check.startsWith("kernel/") ? [{ check: replayed.judged.check, says: replayed.judged.says }] : []),
    ...checksOf(rule).flatMap(({ id, alarm }) => {
      const says = alarm(seen);
      return says === undefined ? [] : [{ check: id, says }];
    }),
  ];
  if (found.length === 0) return { outcome: "holds" };
  const failures: FailureStory[] = [];
  for (const one of found) failures.push(await explainFailure(rule, adapter, { ...one, faults: read.token.faults, token: line.trim() }, runner));
  return { outcome: "fails", failures };
}
