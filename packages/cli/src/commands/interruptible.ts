/**
 * A tree that stops answering when it is told to, so that what was read so far can still be judged. Everything that is asked
 * for afterwards is refused with ECANCELED, which readers report like any other refusal.
 */
import { checkedTree, type Observation, type Tree, TreeError } from "@casebook/doctor";

const INTERRUPTED = "ECANCELED";

export function interruptible(tree: Tree, signal: AbortSignal): Tree {
  return checkedTree(tree, (operation, path) => {
    if (signal.aborted) throw new TreeError(INTERRUPTED, operation, path);
  });
}

/** What was read, without the conclusions that only a whole reading allows: a trace that was not reached is not absent. */
export function soFar(observation: Observation): Observation {
  const message = "reading was interrupted before it was through";
  const cut = { what: "reading", reason: "timed-out" as const, message, evidence: { firstLines: [INTERRUPTED] } };
  return {
    ...observation,
    layouts: observation.layouts.map((layout) => ({
      ...layout,
      artefacts: undefined,
      promptFolders: undefined,
      // Folders of prompts that were not listed to the end would look like prompts that are missing.
      tasks: layout.tasks.map((task) => ({ ...task, prompt: "unreadable" as const })),
      notRead: [{ ...cut, what: "traces of runs", evidence: { firstLines: ["NO_TRACES"] } }, ...layout.notRead.filter(isOwn)],
    })),
    notRead: [cut, ...observation.notRead.filter(isOwn)],
  };
}

function isOwn({ evidence }: Observation["notRead"][number]): boolean {
  return evidence.firstLines?.[0] !== INTERRUPTED;
}
