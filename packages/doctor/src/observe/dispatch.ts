/** What a layout holds of dispatched work: lifecycle folders, each root for itself, stores of attempts, and ledgers of runs. */
import type { DispatchObservation, NotRead } from "../observation.ts";
import type { DispatchPattern } from "../preset.ts";
import { notRead, type ReadOptions } from "../read/index.ts";
import { parentOf } from "../trees/index.ts";
import type { Tree } from "../tree.ts";
import { readRunLedger } from "./run-ledger.ts";
import { readAttemptStore } from "./attempt-store.ts";
import { readLifecycleRoot } from "./lifecycle-root.ts";

export interface DispatchReading {
  readonly read: readonly DispatchObservation[];
  readonly notRead: readonly NotRead[];
  /** Leftovers of writers that died. */
  readonly residue: readonly string[];
}

interface Named {
  readonly pattern: DispatchPattern;
  readonly path: string;
}

/** Never rejects for what a tree refuses. */
export async function readDispatch(tree: Tree, files: readonly Named[], nowMs: number, places: readonly string[], options: ReadOptions): Promise<DispatchReading> {
  const read: DispatchObservation[] = [];
  const missed: NotRead[] = [];
  const residue: string[] = [];
  const stores = new Set<string>();
  const roots = new Map<string, Extract<DispatchPattern, { kind: "lifecycle" }>>();
  for (const { pattern, path } of files) {
    const root = rootOf(path);
    if (pattern.kind === "lifecycle" && root !== undefined) roots.set(root, pattern);
    if (pattern.kind === "attempt-store") stores.add(`${parentOf(path)}/${pattern.glob.slice(pattern.glob.lastIndexOf("/") + 1)}`);
  }
  for (const { pattern, path } of files) {
    if (pattern.kind !== "run-ledger") continue;
    const reading = await readRunLedger(tree, path, pattern.graceMs, nowMs, options);
    if (reading.observation !== undefined) read.push(reading.observation);
    missed.push(...reading.notRead);
  }
  for (const [root, { graceMs }] of [...roots].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const reading = await readLifecycleRoot(tree, root, graceMs, nowMs, places, options);
    if (reading.observation !== undefined) read.push(reading.observation);
    missed.push(...reading.notRead);
    residue.push(...reading.residue);
  }
  for (const path of [...stores].toSorted()) {
    const own = files.filter((one) => parentOf(one.path) === parentOf(path));
    const graceMs = own[0]?.pattern.graceMs ?? 0;
    const leftovers = own.filter((one) => one.path !== path).map((one) => one.path);
    residue.push(...leftovers);
    if (leftovers.length === own.length) {
      const message = `${path} is not there, and ${leftovers[0]} beside it is: a writer died between removing the one and renaming the other, and a reader that takes missing for empty finds no attempt and no lease`;
      missed.push(notRead(path, "missing-input", message, "NO_STORE"));
      continue;
    }
    const reading = await readAttemptStore(tree, path, graceMs, options);
    if (reading.observation !== undefined) read.push(reading.observation);
    missed.push(...reading.notRead);
  }
  return { read, notRead: missed, residue };
}

/** Undefined: the old layout where no lifecycle folders need be. */
function rootOf(path: string): string | undefined {
  const at = /^(.*?)\/(?:_lifecycle|_dispatch)\//.exec(path);
  return at === null ? undefined : (at[1] as string);
}

/** The folder by which a file of lifecycle folders was recognised. */
export function foldersOf(path: string): string {
  return /^.*?\/(?:_lifecycle|_dispatch)(?=\/)/.exec(path)?.[0] ?? parentOf(path);
}
