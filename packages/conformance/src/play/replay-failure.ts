/** One failure again, from its line. */
import { readToken, replay } from "@casebook/explore";
import type { Runner } from "@casebook/sim/kernel";
import { explainFailure, type FailureStory } from "./explain-failure.ts";
import type { Playable } from "./playable.ts";

export type ReplayedFailure =
  | { readonly outcome: "fails"; readonly failures: readonly FailureStory[] }
  | { readonly outcome: "holds" }
  /** `TOKEN_…`, or `stale-token`: the line does not fit what is here, which says nothing about the dispatcher. */
  | { readonly outcome: "not-run"; readonly says: string };

/** `playables`: all that the line may be of. */
export async function replayFailure<Seen>(playables: readonly Playable<Seen>[], line: string, runner: Runner): Promise<ReplayedFailure> {
  const read = readToken(line);
  if (read.outcome !== "token") return { outcome: "not-run", says: read.message };
  const playable = playables.find(({ system }) => system.name === read.token.system);
  if (playable === undefined) return { outcome: "not-run", says: `the line is of ${read.token.system}, which is no rule of this kit` };
  const replayed = await replay(playable.system, read.token, runner);
  if (replayed.outcome === "stale") return { outcome: "not-run", says: `stale-token: ${replayed.says}` };
  if (replayed.judged.verdict === "not-run") return { outcome: "not-run", says: replayed.judged.says };
  const seen = replayed.simulation.facts();
  const found = [
    ...(replayed.judged.verdict === "fails" && replayed.judged.check.startsWith("kernel/") ? [{ check: replayed.judged.check, says: replayed.judged.says }] : []),
    ...playable.checks.flatMap(({ id, alarm }) => {
      const says = alarm(seen);
      return says === undefined ? [] : [{ check: id, says }];
    }),
  ];
  if (found.length === 0) return { outcome: "holds" };
  const failures: FailureStory[] = [];
  for (const one of found) failures.push(await explainFailure(playable, { ...one, faults: read.token.faults, token: line.trim() }, runner));
  return { outcome: "fails", failures };
}
