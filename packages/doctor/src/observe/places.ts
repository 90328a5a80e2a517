/** Places in which a name has stars, such as a package's folder that ends in a publisher's id, as the places that are there. */
import { matchGlob } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { joinPath, segmentsOf } from "../trees/index.ts";

/** Names with stars are few and so are the folders they stand for. */
const MAX_PLACES = 64;

/** A place without stars stays, there or not; one with stars that stands for nothing stays too, to be reported as absent. */
export async function expandPlaces(tree: Tree, places: readonly string[]): Promise<string[]> {
  const expanded: string[] = [];
  for (const place of places) {
    if (!place.includes("*")) {
      expanded.push(place);
      continue;
    }
    let folders = ["/"];
    for (const name of segmentsOf(place)) {
      folders = (await Promise.all(folders.map((folder) => step(tree, folder, name)))).flat().slice(0, MAX_PLACES);
    }
    expanded.push(...(folders.length === 0 ? [place] : folders.sort()));
  }
  return [...new Set(expanded)];
}

async function step(tree: Tree, folder: string, name: string): Promise<string[]> {
  if (!name.includes("*")) return [joinPath(folder, name)];
  try {
    const entries = await tree.list(folder);
    return entries
      .filter((entry) => entry.kind === "directory" && matchGlob(name, [entry.name]) !== undefined)
      .map((entry) => joinPath(folder, entry.name));
  } catch {
    // A folder that is not there or refuses has no place in it that could be named.
    return [];
  }
}
