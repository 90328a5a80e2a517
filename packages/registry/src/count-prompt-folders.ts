/** Finds tasks where no loader looks: one folder with a prompt for each. */
import type { Disk, DirectoryEntry } from "@casebook/ports";
import { fileProblem, type FileProblem } from "./judge/file-problem.ts";
import type { Population } from "./judge/reading.ts";
import { diskProblem } from "./stable-read.ts";

const PROMPT_FILE = "SKILL.md";

/** Undefined where any of it cannot be listed: a part of a count is a wrong count. */
export async function countPromptFolders(disk: Disk, path: string): Promise<Population | undefined> {
  const names = await listPromptFolders(disk, path);
  return names && { count: names.length, countedBy: "prompt-folders" };
}

/** Names of the folders that hold a prompt, sorted. Undefined where any of it cannot be listed. */
export async function listPromptFolders(disk: Disk, path: string): Promise<string[] | undefined> {
  const listed = await listDirectory(disk, path);
  if ("problem" in listed) return undefined;
  const names: string[] = [];
  for (const folder of listed.entries.filter((entry) => entry.kind === "directory")) {
    const inside = await listDirectory(disk, `${path}/${folder.name}`);
    if ("problem" in inside) return undefined;
    if (inside.entries.some((file) => file.name === PROMPT_FILE && file.kind === "file")) names.push(folder.name);
  }
  return names.sort();
}

export type Listing = { readonly entries: readonly DirectoryEntry[] } | { readonly problem: FileProblem };

export async function listDirectory(disk: Disk, path: string): Promise<Listing> {
  try {
    const { kind } = await disk.stat(path);
    if (kind !== "directory") return { problem: fileProblem("REGISTRY_NOT_DIRECTORY", `${path} is not a directory`) };
    return { entries: await disk.readdir(path) };
  } catch (refusal) {
    return { problem: diskProblem(refusal, path) };
  }
}
