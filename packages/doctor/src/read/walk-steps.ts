/** What a walk does with one place and one folder. */
import type { NotRead } from "../observation.ts";
import type { Tree, TreeEntry, TreeKind } from "../tree.ts";
import { treeErrorCode } from "../trees/tree-error.ts";
import { isRefusal, notRead, refusedRead } from "./not-read.ts";
import type { WalkedPlace } from "./walk.ts";

interface Look {
  readonly place: WalkedPlace;
  /** Undefined where nothing can be searched. */
  readonly kind: TreeKind | undefined;
  readonly notRead?: NotRead;
}

export async function lookAt(tree: Tree, path: string): Promise<Look> {
  try {
    const { kind } = await tree.stat(path);
    if (kind === "directory" || kind === "file") {
      return { place: { path, found: kind === "directory" ? "folder" : "file" }, kind };
    }
    const message = kind === "link" ? `${path} is a link; name what it points to` : `${path} is neither a file nor a folder`;
    return { place: { path, found: kind, message }, kind: undefined, notRead: notRead(path, "unsupported", message) };
  } catch (refusal) {
    const missed = refusedRead(path, refusal);
    const code = treeErrorCode(refusal);
    if (code === "ENOENT" || code === "ENOTDIR") return { place: { path, found: "absent" }, kind: undefined };
    return { place: { path, found: "unreadable", message: missed.message }, kind: undefined, notRead: missed };
  }
}

/** Sorted by code unit, because a tree answers in any order. What it refuses is added to `missed`. */
export async function listSorted(tree: Tree, path: string, missed: NotRead[]): Promise<readonly TreeEntry[]> {
  try {
    const entries = await tree.list(path);
    return [...entries].sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (refusal) {
    missed.push(refusedRead(path, refusal));
    return [];
  }
}

/** At most `most` links and the like; all refusals. */
export function shortened(missed: readonly NotRead[], most: number): NotRead[] {
  const refused = missed.filter(isRefusal);
  const inTheWay = missed.filter((one) => !isRefusal(one));
  const rest = inTheWay.length - most;
  const more = rest > 0 ? [notRead("links", "unsupported", `${rest} more links and other things that are no files or folders`)] : [];
  return [...refused, ...inTheWay.slice(0, most), ...more];
}
