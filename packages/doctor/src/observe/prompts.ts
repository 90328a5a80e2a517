/** Prompt folders: one folder a task, with one file in it. Says what state each prompt is in, never what it says. */
import type { FieldProblem, NotRead, PromptState } from "../observation.ts";
import type { Preset } from "../preset.ts";
import { notRead, readMany, refusedRead, type ReadOptions, type Walk } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { baseName, joinPath, parentOf } from "../trees/index.ts";
import { rolesOfEntry } from "./find-registries.ts";
import { readPromptFile } from "./prompt-file.ts";
import { lastOf, type Roles } from "./roles.ts";

export interface PromptFolder {
  readonly id: string;
  /** Of the prompt's file, there or not. */
  readonly path: string;
  readonly state: PromptState;
  readonly problems: readonly FieldProblem[];
}

export interface PromptFolders {
  /** Folders that have the prompt folders in them; none: nothing can be said about any prompt. */
  readonly roots: readonly string[];
  readonly folders: readonly PromptFolder[];
  readonly files: readonly string[];
  readonly notRead: readonly NotRead[];
}

/** Folders of the same form that hold something else. */
const OTHER_FOLDERS = new Set(["skills", "agents", "commands"]);

export async function readPromptFolders(tree: Tree, walked: Walk, roles: Roles, preset: Preset, options: ReadOptions): Promise<PromptFolders> {
  const file = lastOf(preset.prompts?.glob ?? "");
  const roots = rootsOf(walked, roles, preset);
  const missed: NotRead[] = [];
  const ids: { readonly id: string; readonly path: string }[] = [];
  for (const root of roots) {
    try {
      for (const { name, kind } of await tree.list(root)) {
        if (kind === "directory") ids.push({ id: name, path: joinPath(joinPath(root, name), file) });
        if (kind === "link") missed.push(notRead(joinPath(root, name), "unsupported", `${joinPath(root, name)} is a link, and links are not followed`));
      }
    } catch (refusal) {
      missed.push(refusedRead(root, refusal));
    }
  }
  ids.sort((one, other) => (one.path < other.path ? -1 : 1));
  const byPath = new Map(ids.map(({ id, path }) => [path, id]));
  const { answers } = await readMany([...byPath.keys()], async (path) => {
    const id = byPath.get(path) as string;
    return { id, path, ...(await readPromptFile(tree, path, id, options)) };
  });
  const folders = answers.map(({ id, path, state, problems }) => ({ id, path, state, problems }));
  missed.push(...answers.flatMap((answer) => (answer.notRead === undefined ? [] : [answer.notRead])));
  return { roots, folders, files: [...byPath.keys()], notRead: missed };
}

function rootsOf(walked: Walk, roles: Roles, preset: Preset): string[] {
  const roots = new Set<string>();
  const places = new Set(walked.places.map(({ path }) => path));
  for (const entry of walked.found) {
    for (const role of rolesOfEntry(entry, roles)) {
      if (role.preset !== preset) continue;
      if (role.kind === "prompt-root" && entry.kind === "directory") roots.add(entry.path);
      // A copy under another name is one if it was named itself.
      const grandparent = parentOf(parentOf(entry.path));
      if (role.kind === "prompt-file" && places.has(grandparent) && !OTHER_FOLDERS.has(baseName(grandparent))) roots.add(grandparent);
    }
  }
  return [...roots].sort();
}
