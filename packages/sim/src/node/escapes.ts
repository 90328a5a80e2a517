/**
 * Whether an execution that cannot go on waits for something outside the world: after one turn of the event loop it has moved,
 * or timers, sockets and files are open that were not before. Leaves out what an earlier execution of the same slice left open:
 * it is told of the one that is looked at.
 */
import type { Execution } from "../kernel/execution.ts";
import type { ProcessState } from "../kernel/process-state.ts";

export type Resources = ReadonlyMap<string, number>;

/** Kinds of what keeps the event loop alive, such as `Timeout` or `FSReqCallback`, and how many of each. */
export function openResources(): Resources {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) if (!ENDING.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** What somebody else in this Node is done with: nobody waits for it. */
const ENDING: ReadonlySet<string> = new Set(["CloseReq"]);

/** Processes of an execution that cannot go on which nothing in the world will wake. */
export function suspects(execution: Execution): readonly ProcessState[] {
  const how = execution.ending?.how;
  return how === "deadlock" || how === "timed-out" ? execution.stranded() : [];
}

/** To be called a turn of the event loop after the end, before the execution is closed. */
export function noteEscapes(execution: Execution, strandedBefore: readonly { readonly name: string }[], before: Resources): void {
  const stranded = new Set<unknown>(execution.stranded());
  const opened = [...openResources()].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${more} × ${kind}`] : [];
  });
  const woken = strandedBefore.filter((process) => !stranded.has(process));
  if (woken.length === 0 && opened.length === 0) return;
  const who = (woken[0] ?? strandedBefore[0]) as { name: string };
  const open = opened.length === 0 ? "" : `; open and not before: ${opened.sort().join(", ")}`;
  execution.rare.escapes.push({
    what: "outside-world",
    process: who.name,
    says: `${woken.length === 0 ? "waits for" : "was woken by"} something outside the world${open}`,
  });
}
