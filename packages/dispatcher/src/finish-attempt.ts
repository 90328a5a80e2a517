/** The session of an attempt has ended: the task goes to review, and the attempt is reported. What the work is worth is a review's word. */
import type { Desk } from "./desk.ts";
import { findObject } from "./judge/index.ts";
import type { Held } from "./ledger.ts";
import { finishMove, moveTask } from "./move-task.ts";
import { lookAtTree } from "./tree.ts";

export type Finished =
  | { readonly outcome: "over"; readonly attempt: string; readonly because: string }
  | { readonly outcome: "lease-lost"; readonly attempt: string }
  | { readonly outcome: "not-settled"; readonly because: string };

export async function finishAttempt(desk: Desk, held: Held, attempt: string): Promise<Finished> {
  const { ports, config, ledger, mine } = desk;
  const look = await lookAtTree(ports, config);
  if (look.outcome === "unstable") return { outcome: "not-settled", because: look.says };
  const found = findObject(look.reading, held.task);
  let because = "its session ended";
  // A conflict stops the move and not the report: which file it is about is for a person.
  if (found.found !== "one") because = `${because}; the task stays where it is: ${found.found}`;
  else if ((await finishMove(ports, config, ledger, held, found.source.folder)) === "lease-lost") return lost();
  else if (found.source.folder !== "review") {
    const moved = await moveTask(ports, config, ledger, held, found.source, "review");
    if (moved.outcome === "lease-lost") return lost();
    if (moved.outcome === "failed") because = `${because}; the task stays where it is: ${moved.because}`;
  }
  await ports.faults.reach("dispatcher.before-end");
  const ended = await ledger.appendUnder(held, () => ({ kind: "ended", task: held.task, attempt, epoch: held.lease.epoch, status: "reported", because }));
  if ("refused" in ended) return lost();
  mine.delete(held.task);
  return { outcome: "over", attempt, because };

  function lost(): Finished {
    mine.delete(held.task);
    ports.log.write("warning", "dispatcher.late-write-refused", { task: held.task, attempt, epoch: held.lease.epoch });
    return { outcome: "lease-lost", attempt };
  }
}
