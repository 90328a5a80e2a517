/**
 * The population: every id that some registry or some prompt folder has, once. A record that has no id is a task under the
 * name of its place, so that it is counted too.
 */
import type { FieldProblem, PromptState, TaskObservation } from "../observation.ts";
import { baseName, parentOf } from "../trees/index.ts";
import type { PromptFolder, PromptFolders } from "./prompts.ts";
import type { RecordReading } from "./read-record.ts";

export interface RegistryRecords {
  readonly path: string;
  readonly modifiedAtMs: number;
  readonly records: readonly RecordReading[];
}

/** `prompts` undefined: the layout has no prompt folders. */
export function tasksOf(registries: readonly RegistryRecords[], prompts: PromptFolders | undefined): TaskObservation[] {
  const groups = new Map<string, { readonly path: string; readonly reading: RecordReading }[]>();
  // The registry that was written last speaks for a task that is in several.
  const newestFirst = registries.toSorted((one, other) => (other.modifiedAtMs || 0) - (one.modifiedAtMs || 0));
  for (const { path, records } of newestFirst) {
    for (const reading of records) {
      const id = reading.id ?? nameOf(path, reading, groups);
      groups.set(id, [...(groups.get(id) ?? []), { path, reading }]);
    }
  }
  const folders = new Map((prompts?.folders ?? []).toReversed().map((folder) => [folder.id, folder]));
  const tasks = [...groups].map(([id, group]) => taskOf(id, group, prompts, folders.get(id)));
  const orphans = [...folders.values()].filter(({ id }) => !groups.has(id)).map(orphanOf);
  return [...tasks, ...orphans].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function nameOf(path: string, { record }: RecordReading, taken: ReadonlyMap<string, unknown>): string {
  const name = `${baseName(path)}${record.pointer}`;
  return taken.has(name) ? `${baseName(parentOf(path))}/${name}` : name;
}

function taskOf(
  id: string,
  group: readonly { readonly path: string; readonly reading: RecordReading }[],
  prompts: PromptFolders | undefined,
  folder: PromptFolder | undefined,
): TaskObservation {
  const [first, ...others] = group as [(typeof group)[number], ...(typeof group)[number][]];
  const { reading } = first;
  const { place, enabled, schedule, lastRun, running, createdAtMs, repeat, unreadable = [] } = reading;
  const problems = [...group.flatMap((one) => one.reading.problems), ...(folder?.problems ?? [])];
  for (const other of others) problems.push(...disagreements(first, other));
  const registries = [...new Set(group.map(({ path }) => path))].sort();
  const prompt = promptOf(id, reading, prompts, folder);
  const known = { id, place, registries, enabled, schedule, lastRun, running, createdAtMs, repeat, prompt, problems };
  return unreadable.length === 0 ? known : { ...known, unreadable };
}

function promptOf(id: string, reading: RecordReading, prompts: PromptFolders | undefined, folder: PromptFolder | undefined): PromptState {
  if (prompts === undefined) return reading.inlinePrompt ?? "inline";
  // Where no folder of prompts was seen, a prompt is not missing: nobody looked.
  if (prompts.roots.length === 0) return "unreadable";
  if (folder !== undefined) return folder.state;
  // Its folder has a name that nobody can read here.
  if (reading.id === undefined) return "unreadable";
  return prompts.isPartial || prompts.closed.has(id) ? "unreadable" : "missing";
}

function disagreements(
  first: { readonly path: string; readonly reading: RecordReading },
  other: { readonly path: string; readonly reading: RecordReading },
): FieldProblem[] {
  if (first.path === other.path) {
    return [{ code: "DUPLICATE_ID", place: other.reading.place, seen: "the same id again", wanted: "each id once" }];
  }
  const [one, two] = [first.reading, other.reading].map(({ enabled, schedule }) => JSON.stringify([enabled, schedule ?? null]));
  if (one === two) return [];
  const seen = "another schedule, or enabled differs";
  return [{ code: "STORES_DISAGREE", place: other.reading.place, seen, wanted: `the same as in ${first.path}` }];
}

/** Nobody knows whether it is on or when it is due. */
function orphanOf(folder: PromptFolder): TaskObservation {
  return {
    id: folder.id,
    place: { path: folder.path },
    registries: [],
    enabled: true,
    schedule: undefined,
    lastRun: undefined,
    running: undefined,
    createdAtMs: undefined,
    prompt: folder.state,
    repeat: undefined,
    problems: folder.problems,
  };
}
