/** The file guards over registries and prompt folders: facts from what was observed, alarms with their places. */
import {
  encodingGraded,
  registryDuplicateId,
  registryDuplicateKey,
  registryMissingPrompt,
  registryOrphanPrompts,
  registryParity,
  registryPromptIsItsName,
  registrySecondList,
  registrySplitBrain,
  registryTimeUnit,
  registryUnsupportedVersion,
  registryWiped,
} from "@casebook/guards";
import type { LayoutObservation, Place, RegistryObservation, TaskObservation } from "../observation.ts";
import { placeText } from "../report/place-text.ts";
import { leftBehind } from "./left-behind.ts";
import { raise, type Raised } from "./raised.ts";
import { momentFacts, TIME_CODES } from "./moment-facts.ts";
import { entryAlarms, problemsOf, promptEncoding, sayProblem, stepFor } from "./entry-alarms.ts";

export function registryAlarms(layout: LayoutObservation, nowMs: number): Raised[] {
  return [
    ...layout.registries.flatMap((registry) => [...oneRegistry(layout, registry), ...sharedKeys(registry)]),
    ...promptEncoding(layout),
    ...unparsed(layout),
    ...stores(layout, nowMs),
    ...prompts(layout),
  ];
}

function oneRegistry(layout: LayoutObservation, registry: RegistryObservation): Raised[] {
  const { path, entries = 0 } = registry;
  const tasks = layout.tasks.filter((task) => task.registries.includes(path));
  const moments = momentFacts(tasks);
  const odd = problemsOf(layout, path).filter(({ problem }) => TIME_CODES.has(problem.code));
  const step = stepFor(odd);
  return [
    ...entryAlarms(layout, registry),
    ...raise(registryTimeUnit, { registry: path, moments }, {
      tasks: idsOf(odd.map(({ task }) => task)),
      where: odd[0]?.problem.place,
      proof: [`entries ${entries} (${path})`],
      confidence: "measured",
      ...(step === undefined ? {} : { step }),
      briefs: new Map(odd.map(({ task, problem }) => [task.id, sayProblem(problem)])),
    }),
    ...raise(registryDuplicateId, { registry: path, entries, ids: registry.duplicateIds.map(({ id, places }) => ({ id, times: places.length })) }, {
      tasks: registry.duplicateIds.map(({ id }) => id).toSorted(),
      where: registry.duplicateIds[0]?.places[1],
      proof: registry.duplicateIds.map(({ id, places }) => `${id} at ${places.map(lineOf).join(" and ")}`),
      confidence: "measured",
    }),
  ];
}

function sharedKeys(registry: RegistryObservation): Raised[] {
  const { path, entries, otherLists, duplicateKeys, encoding, version } = registry;
  const around = (where: Place | undefined, proof: readonly string[]) => ({ tasks: [], where, proof, confidence: "measured" as const });
  return [
    // Where no list is read, none is the second: what is wrong is that the list is not where it should be.
    ...(registry.outcome === "unknown-shape" ? [] : raise(registrySecondList, { registry: path, read: { pointer: "the list that is read", entries: entries ?? 0 }, others: otherLists }, around(
      { path, ...(otherLists[0] === undefined ? {} : { pointer: otherLists[0].pointer }) },
      otherLists.map((list) => `${list.entries} objects at ${list.pointer}`),
    ))),
    ...raise(
      registryDuplicateKey,
      { registry: path, keys: duplicateKeys.map(({ key, place }) => ({ key, where: lineOf(place) })) },
      around(duplicateKeys[0]?.place, [`${duplicateKeys.length} repeated keys`]),
    ),
    ...raise(
      encodingGraded,
      { files: 1, faults: encoding.map(({ code, grade }) => ({ path, code, grade })) },
      around(encoding[0]?.place, encoding.map(({ code, grade }) => `${code} (${grade})`)),
    ),
    ...(version === undefined || version.known.includes(version.seen)
      ? []
      : raise(registryUnsupportedVersion, { registry: path, version: version.seen, known: version.known }, around(version.place, []))),
  ];
}

/** A registry that does not parse gives its loader nothing. Counted by what entries leave behind elsewhere. */
function unparsed(layout: LayoutObservation): Raised[] {
  return layout.registries.flatMap((registry) => {
    if (registry.outcome !== "unreadable" || layout.promptFolders === undefined || layout.promptFolders === 0) return [];
    if (registry.problem?.place.line === undefined && registry.problem?.place.byteOffset === undefined) return [];
    // What another registry lists is loaded from there; only the rest can have been lost with this one.
    const isOnly = layout.registries.every(({ outcome }) => outcome !== "read");
    const lost = layout.tasks.filter((task) => task.registries.length === 0);
    const onDisk = isOnly ? layout.promptFolders : lost.length;
    if (onDisk === 0) return [];
    return raise(registryParity, { onDisk, loaded: 0, quarantined: 0 }, {
      tasks: idsOf(lost),
      where: registry.problem?.place,
      proof: [`prompt folders ${layout.promptFolders}${isOnly ? "" : `, ${onDisk} of them in no registry that could be read`}`, registry.problem?.message ?? registry.path],
      confidence: "measured",
    });
  });
}

function stores(layout: LayoutObservation, nowMs: number): Raised[] {
  const read = layout.registries.filter(({ outcome }) => outcome === "read" || outcome === "empty");
  const entries = read.reduce((sum, registry) => sum + (registry.entries ?? 0), 0);
  const shared = layout.tasks.filter((task) => task.registries.length > 1);
  const torn = shared.filter((task) => task.problems.some(({ code }) => code === "STORES_DISAGREE"));
  // An empty list beside another one is no empty registry: registry/second-list says where the records may be.
  const left = movedTo(layout) === undefined ? leftBehind(layout, entries, nowMs) : undefined;
  const wiped =
    read.length === 0 || left === undefined || (layout.hiddenRegistries ?? []).length > 0
      ? []
      : raise(
          registryWiped,
          { registry: read[0]?.path ?? "", entries, leftBehind: left, entriesBefore: undefined },
          { tasks: [], where: { path: read[0]?.path ?? "" }, proof: [`entries ${entries} in ${read.length} ${read.length === 1 ? "registry" : "registries"}`, `${left.what} ${left.count}`], confidence: layout.promptFolders === undefined ? "inferred" : "measured" },
        );
  return [
    ...wiped,
    ...raise(
      registrySplitBrain,
      {
        stores: read.map(({ path, entries: own = 0 }) => ({ store: path, entries: own })),
        shared: shared.map((task) => ({ taskId: task.id, stores: task.registries.length, agree: !torn.includes(task) })),
      },
      { tasks: idsOf(torn), where: read[0] === undefined ? undefined : { path: read[0].path }, proof: read.map(({ path, entries: own = 0 }) => `entries ${own} (${path})`), confidence: "measured" },
    ),
  ];
}

function prompts(layout: LayoutObservation): Raised[] {
  const isWhole = layout.registries.length > 0 && (layout.hiddenRegistries ?? []).length === 0;
  const readAll = isWhole && layout.registries.every(({ outcome }) => outcome === "read" || outcome === "empty");
  const registered = layout.tasks.filter((task) => task.registries.length > 0);
  const isNamed = registered.every(({ unreadable = [] }) => !unreadable.includes("id"));
  const orphans = layout.tasks.filter((task) => task.registries.length === 0);
  const without = registered.flatMap(({ id, prompt }) => (prompt === "missing" || prompt === "empty" || prompt === "placeholder" ? [{ taskId: id, state: prompt }] : []));
  const damaged = registered.filter((task) => task.prompt === "is-its-name");
  const around = (tasks: readonly TaskObservation[], proof: string) => ({
    tasks: idsOf(tasks),
    where: tasks[0]?.place,
    proof: [proof],
    confidence: "measured" as const,
  });
  return [
    ...raise(registryMissingPrompt, { tasks: registered.length, without }, around(registered.filter((task) => without.some(({ taskId }) => taskId === task.id)), `registered ${registered.length}`)),
    ...raise(registryPromptIsItsName, { tasks: registered.length, damaged: idsOf(damaged) }, around(damaged, `registered ${registered.length}`)),
    // Prompts without an entry are orphans only if there is a registry and every one could be read; else they are just not known.
    ...(readAll && isNamed && movedTo(layout) === undefined && layout.promptFolders !== undefined
      ? raise(registryOrphanPrompts, { promptFolders: layout.promptFolders, registered: registered.length, orphans: idsOf(orphans) }, around(orphans, `prompt folders ${layout.promptFolders}`))
      : []),
  ];
}

/** The other list of a registry whose own is empty. */
export function movedTo({ registries }: LayoutObservation): Place | undefined {
  const moved = registries.find(({ outcome, entries, otherLists }) => outcome === "read" && entries === 0 && otherLists.length > 0);
  return moved && { path: moved.path, pointer: moved.otherLists[0]?.pointer ?? "" };
}

function idsOf(tasks: readonly TaskObservation[]): string[] {
  return [...new Set(tasks.map(({ id }) => id))].toSorted();
}

function lineOf(place: Place): string {
  return placeText(place);
}
