/** Prompt folders: one folder a task, with one file in it. Says what state each prompt is in, never what it says. */
import type { FieldProblem, NotRead, PromptState } from "../observation.ts";
import type { Preset } from "../preset.ts";
import { notRead, readMany, refusedRead, type Walk } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { joinPath } from "../trees/index.ts";
import { rolesOfEntry } from "./find-registries.ts";
import { readPromptFile, type PromptReading } from "./prompt-file.ts";
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
  /** Ids whose folder is a link or the like: what it holds was not seen. */
  readonly closed: ReadonlySet<string>;
  /** Whether a folder that has the prompt folders in it could not be listed: then none is known to be missing. */
  readonly isPartial: boolean;
  readonly notRead: readonly NotRead[];
}

export async function readPromptFolders(tree: Tree, walked: Walk, roles: Roles, preset: Preset): Promise<PromptFolders> {
  const file = lastOf(preset.prompts?.glob ?? "");
  const { roots, isClosed } = rootsOf(walked, roles, preset);
  const missed: NotRead[] = [];
  const closed = new Set<string>();
  let isPartial = isClosed;
  const ids: { readonly id: string; readonly path: string }[] = [];
  for (const root of roots) {
    try {
      for (const { name, kind } of await tree.list(root)) {
        const unnamed = kind === "directory" && name.includes("\uFFFD") ? await refusalOf(tree, joinPath(root, name)) : undefined;
        if (unnamed !== undefined) {
          // Whose prompt it is cannot be told from its name, so that no other is known to be missing.
          isPartial = true;
          missed.push(unnamed);
        } else if (kind === "directory") ids.push({ id: name, path: joinPath(joinPath(root, name), file) });
        if (kind !== "link" && kind !== "other") continue;
        const path = joinPath(root, name);
        closed.add(name);
        missed.push(notRead(path, "unsupported", `${path} is ${kind === "link" ? "a link, and links are not followed" : "neither a file nor a folder"}`));
      }
    } catch (refusal) {
      missed.push(refusedRead(root, refusal));
      isPartial = true;
    }
  }
  ids.sort((one, other) => (one.path < other.path ? -1 : 1));
  const byPath = new Map(ids.map(({ id, path }) => [path, id]));
  const listed = new Set(walked.found.filter(({ kind }) => kind === "file").map(({ path }) => path));
  const { answers } = await readMany([...byPath.keys()], async (path) => {
    const id = byPath.get(path) as string;
    const read = await readPromptFile(tree, path, id);
    return { id, path, ...(read.state === "missing" && listed.has(path) ? vanished(path) : read) };
  });
  const folders = answers.map(({ id, path, state, problems }) => ({ id, path, state, problems }));
  missed.push(...answers.flatMap((answer) => (answer.notRead === undefined ? [] : [answer.notRead])));
  return { roots, folders, files: [...byPath.keys()], closed, isPartial, notRead: missed };
}

/** Somebody was replacing it, or took it away just now: it was there a moment ago. */
function vanished(path: string): PromptReading {
  return { state: "unreadable", problems: [], notRead: notRead(path, "unstable-input", `${path} was there and was gone when it was to be read; run again when its writer is quiet`) };
}

async function refusalOf(tree: Tree, path: string): Promise<NotRead | undefined> {
  try {
    await tree.stat(path);
    return undefined;
  } catch (refusal) {
    return refusedRead(path, refusal);
  }
}

/** By its name alone: a `SKILL.md` two folders down stands in any project. */
function rootsOf(walked: Walk, roles: Roles, preset: Preset): { readonly roots: readonly string[]; readonly isClosed: boolean } {
  const entries = walked.found.filter((entry) => {
    return rolesOfEntry(entry, roles).some((role) => role.preset === preset && role.kind === "prompt-root");
  });
  const roots = entries.filter(({ kind }) => kind === "directory").map(({ path }) => path);
  return { roots: roots.sort(), isClosed: entries.some(({ kind }) => kind === "link" || kind === "other") };
}
