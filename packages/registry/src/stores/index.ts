/**
 * Reads every store of one installation: a registry for each account and workspace, beside prompts that all of them share.
 * Always an answer, never a write. Leaves out who is signed in, links and locks.
 */
import type { Disk, Ports } from "@casebook/ports";
import { joinStores, type JoinedStores } from "../judge/join-stores.ts";
import { fileProblem, type FileProblem, type LoaderPolicy, type RegistryReading, sayFileProblem } from "../judge/reading.ts";
import type { DocumentShape } from "../judge/shape.ts";
import { listDirectory, listPromptFolders, readRegistry } from "../read-registry.ts";

export type { JoinedStores } from "../judge/join-stores.ts";

export interface StoresLocation {
  /** Directory with a folder for each account, in each of them a folder for each workspace. Absolute, with `/`. */
  readonly path: string;
  /** Name of the registry inside a workspace folder; a folder without one is no store. */
  readonly file: string;
  readonly shape: DocumentShape;
  /** Directory with a folder per task that holds `SKILL.md`, for all accounts together. */
  readonly promptsPath: string;
}

export interface StoreReading {
  /** `<account>/<workspace>`. */
  readonly store: string;
  readonly path: string;
  readonly reading: RegistryReading;
}

export interface StoresReading extends JoinedStores {
  /** Sorted by name. */
  readonly stores: readonly StoreReading[];
  /** Ids of the prompts on disk, sorted; undefined when they could not be listed. */
  readonly prompts: readonly string[] | undefined;
  /** Folders that may hold stores and could not be listed. With any of these nobody knows the orphans. */
  readonly unlisted: readonly FileProblem[];
}

/** Stores of one installation; what lies beyond is named as not listed. */
export const MAX_STORES = 1_000;

export async function readStores(
  ports: Pick<Ports, "disk" | "log">,
  location: StoresLocation,
  policy: LoaderPolicy,
): Promise<StoresReading> {
  const { found, unlisted } = await findStores(ports.disk, location);
  const stores: StoreReading[] = [];
  for (const store of found) {
    const path = `${location.path}/${store}/${location.file}`;
    stores.push({ store, path, reading: await readRegistry(ports, { path, shape: location.shape }, policy) });
  }
  for (const problem of unlisted) {
    ports.log.write("error", "registry.stores-unlisted", { code: problem.code, say: sayFileProblem(problem) });
  }
  const prompts = await listPromptFolders(ports.disk, location.promptsPath);
  const joined = joinStores(stores.map(({ store, reading }) => ({ store, ids: idsOf(reading) })), prompts);
  return { stores, prompts, unlisted, ...joined, orphans: unlisted.length === 0 ? joined.orphans : undefined };
}

async function findStores(
  disk: Disk,
  { path, file }: StoresLocation,
): Promise<{ found: readonly string[]; unlisted: readonly FileProblem[] }> {
  const unlisted: FileProblem[] = [];
  const found: string[] = [];
  for (const account of await foldersIn(disk, path, unlisted)) {
    for (const workspace of await foldersIn(disk, `${path}/${account}`, unlisted)) {
      const inside = await listDirectory(disk, `${path}/${account}/${workspace}`);
      if ("problem" in inside) unlisted.push(inside.problem);
      else if (inside.entries.some(({ name }) => name === file)) found.push(`${account}/${workspace}`);
    }
  }
  if (found.length > MAX_STORES) {
    const what = `${path} holds ${found.length} stores, more than the limit of ${MAX_STORES}`;
    unlisted.push(fileProblem("REGISTRY_TOO_MANY_FILES", what));
  }
  return { found: found.slice(0, MAX_STORES), unlisted };
}

async function foldersIn(disk: Disk, path: string, unlisted: FileProblem[]): Promise<string[]> {
  const listed = await listDirectory(disk, path);
  if ("problem" in listed) {
    unlisted.push(listed.problem);
    return [];
  }
  return listed.entries.flatMap(({ name, kind }) => (kind === "directory" ? [name] : [])).sort();
}

/** An entry that was set aside is registered all the same, if its id can be read; one without makes the list unknown. */
function idsOf(reading: RegistryReading): string[] | undefined {
  if (reading.outcome === "loaded") return knownIds([...reading.loaded, ...reading.quarantined]);
  return undefined;
}

function knownIds(entries: readonly { readonly id: string | undefined }[]): string[] | undefined {
  const ids = entries.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return ids.length === entries.length ? ids : undefined;
}
