/**
 * Reads places and says what is there: layouts with their tasks and traces, what looks like a layout that nobody knows, and
 * where nothing was. Reads only. Judges nothing but whether a value is what its layout says it is.
 */
import type { LayoutObservation, NotRead, Observation } from "../observation.ts";
import { isRefusal, timedTree, walk, type Walk } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { findCandidates } from "./candidates.ts";
import { findRegistries, rolesOfEntry } from "./find-registries.ts";
import { instancesOf } from "./instances.ts";
import { readLayout } from "./layout.ts";
import { lookedAt } from "./looked.ts";
import { DEFAULT_CAPS, type ObserveOptions } from "./options.ts";
import { expandPlaces } from "./places.ts";
import { readPromptFolders } from "./prompts.ts";
import { rolesOf, type Roles } from "./roles.ts";

/** Where other people's files lie by the ten thousand. Named when something was left out. */
const SKIPPED_FOLDERS = ["node_modules", ".git"];
const ANY_DOCUMENT = ["**/*.json", "**/*.yaml", "**/*.yml"];

/** Never rejects for what a tree refuses. */
export async function observe(disk: Tree, options: ObserveOptions): Promise<Observation> {
  const caps = { ...DEFAULT_CAPS, ...options.caps };
  const { presets, now, pause } = options;
  const startMs = now?.();
  const budgetOf = (ms: number) => (now === undefined || startMs === undefined ? undefined : { now, untilMs: startMs + ms });
  const forFinding = budgetOf(caps.timeMs / 2);
  const forAll = budgetOf(caps.timeMs);
  const { tree, refused } = forAll === undefined ? { tree: disk, refused: new Set<string>() } : timedTree(disk, forAll);
  const read = { maxBytes: caps.fileBytes, ...(pause === undefined ? {} : { pause }) };
  const roles = rolesOf(presets);
  const places = await expandPlaces(tree, options.places);
  const walked = await walk(tree, places, [...roles.keys(), ...ANY_DOCUMENT], {
    globsFrom: "anywhere",
    maxEntries: caps.entries,
    maxDepth: caps.depth,
    skip: SKIPPED_FOLDERS,
    ...(forFinding === undefined ? {} : { budget: forFinding }),
  });
  const found = await findRegistries(tree, walked, roles, presets, read);
  const layouts: LayoutObservation[] = [];
  const claimed = new Set<string>();
  for (const preset of presets) {
    const prompts = preset.prompts === undefined ? undefined : await readPromptFolders(tree, walked, roles, preset);
    for (const instance of instancesOf(preset, found.registries, prompts, walked, roles)) {
      const { layout, files } = await readLayout(tree, instance, options, read);
      layouts.push(layout);
      files.forEach((file) => claimed.add(file));
    }
  }
  const unknown = layouts.flatMap(({ registries }) => registries.filter(({ outcome }) => outcome === "unknown-shape").map(({ path }) => path));
  const files = walked.found.filter(({ kind, path, matches }) => kind === "file" && ANY_DOCUMENT.some((glob) => matches.has(glob)) && !claimed.has(path));
  const asked = [...new Set([...unknown, ...found.unowned, ...files.map(({ path }) => path)])];
  const { candidates, capped, asked: documents } = await findCandidates(tree, asked, read);
  const observation = { layouts, candidates, notRead: [...missedByWalk(walked, roles), ...found.notRead] };
  const left = walked.looked.skipped > 0 ? [`folders: ${walked.looked.skipped} named ${SKIPPED_FOLDERS.join(" or ")} were not entered`] : [];
  const [firstRefused] = [...refused].sort();
  const late = firstRefused === undefined ? [] : [`time: ${refused.size} path(s) not read, such as ${firstRefused}`];
  return { ...observation, looked: lookedAt(walked, { ...observation, claimed: [...claimed], documents }), capped: [...walked.capped, ...late, ...capped, ...left] };
}

/** Folders that refused, and links where a file of a layout should be; a link to something else is nobody's business. */
function missedByWalk(walked: Walk, roles: Roles): NotRead[] {
  const links = new Set(walked.found.filter((entry) => entry.kind !== "file" && rolesOfEntry(entry, roles).length > 0).map(({ path }) => path));
  const places = new Set(walked.places.map(({ path }) => path));
  return walked.notRead.filter((one) => isRefusal(one) || links.has(one.what) || places.has(one.what));
}
