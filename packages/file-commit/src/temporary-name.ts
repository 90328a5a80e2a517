/** Names of temporary files: beside the target, so that a rename stays in one directory, and told from every other file by a pattern. */
import type { Ids } from "@casebook/ports";

const ID_PREFIX = "commit";
const SUFFIX = ".tmp";

/** `/state/tasks.json.commit-0001.tmp`: no other commit, of any writer, has the same. */
export function uniqueTemporaryOf(path: string, ids: Ids): string {
  return `${path}.${ids.next(ID_PREFIX)}${SUFFIX}`;
}

/** Not of the pattern below: whoever cleans up cannot know whose it is. */
export function fixedTemporaryOf(path: string): string {
  return `${path}${SUFFIX}`;
}

/** Whether `name`, of an entry in the target's directory, is one that `commitFile` gives to temporaries of this target. */
export function isTemporaryOf(path: string, name: string): boolean {
  const start = `${path.slice(path.lastIndexOf("/") + 1)}.${ID_PREFIX}-`;
  if (!name.startsWith(start) || !name.endsWith(SUFFIX)) return false;
  // The ids port gives letters, digits and dashes, so a dot in between belongs to another target with a longer name.
  return /^[A-Za-z0-9-]+$/.test(name.slice(start.length, -SUFFIX.length));
}

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}
