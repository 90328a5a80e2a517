/** Which of the files that were found are registries, and of which layout. Each file is of one layout or of none. */
import type { NotRead } from "../observation.ts";
import type { Preset, RegistryPattern } from "../preset.ts";
import { notRead, readDocumentFile, readMany, type DocumentFile, type ReadOptions, type Walk, type WalkedEntry } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { fitOf, type Fit } from "./registry-shape.ts";
import type { Role, Roles, Strength } from "./roles.ts";

export interface FoundRegistry {
  readonly path: string;
  readonly preset: Preset;
  readonly pattern: RegistryPattern;
  readonly file: DocumentFile;
  /** Undefined: unreadable, or no records where the layout has them. */
  readonly fit: Fit | undefined;
}

export interface FoundRegistries {
  readonly registries: readonly FoundRegistry[];
  /** Files named like a registry that no layout can be said to own. */
  readonly notRead: readonly NotRead[];
  readonly unowned: readonly string[];
}

interface Claim {
  readonly preset: Preset;
  readonly pattern: RegistryPattern;
  readonly strength: Strength | "place";
}

export async function findRegistries(
  tree: Tree,
  walked: Walk,
  roles: Roles,
  presets: readonly Preset[],
  options: ReadOptions,
): Promise<FoundRegistries> {
  const filePlaces = new Set(walked.places.filter(({ found }) => found === "file").map(({ path }) => path));
  const asked = new Map<string, readonly Claim[]>();
  for (const entry of walked.found) {
    if (entry.kind !== "file") continue;
    const claims = rolesOfEntry(entry, roles).filter((role) => role.kind === "registry");
    if (claims.length > 0) asked.set(entry.path, claims);
  }
  // A single file that somebody named is asked about under any name.
  const everything = presets.flatMap((preset) => preset.registries.map((pattern) => ({ preset, pattern, strength: "place" }) as const));
  const promptFiles = walked.found.filter(({ path, kind }) => kind === "file" && filePlaces.has(path) && !asked.has(path)).filter((entry) => isPrompt(entry, roles));
  const isPromptFile = new Set(promptFiles.map(({ path }) => path));
  const isReceiptLog = new Set(walked.found.filter((entry) => rolesOfEntry(entry, roles).some(({ kind }) => kind === "receipts")).map(({ path }) => path));
  for (const path of filePlaces) if (!asked.has(path) && !isPromptFile.has(path) && !isReceiptLog.has(path)) asked.set(path, everything);

  const { answers } = await readMany([...asked.keys()], async (path) => ({ path, file: await readDocumentFile(tree, path, options) }));
  const registries: FoundRegistry[] = [];
  const missed = promptFiles.map(({ path }) => notRead(path, "unsupported", `${path} is the prompt of a task and not a registry: give the folder that has the registry`));
  const unowned: string[] = [];
  for (const { path, file } of answers) {
    const owner = ownerOf(asked.get(path) as readonly Claim[], file);
    if (owner !== undefined) {
      registries.push({ path, file, ...owner });
      continue;
    }
    unowned.push(path);
    missed.push(unownedProblem(path, file));
  }
  return { registries, notRead: missed, unowned };
}

function isPrompt(entry: WalkedEntry, roles: Roles): boolean {
  return rolesOfEntry(entry, roles).some(({ kind }) => kind === "prompt-file");
}

export function rolesOfEntry(entry: WalkedEntry, roles: Roles): Role[] {
  return [...entry.matches.keys()].flatMap((glob) => roles.get(glob) ?? []);
}

/** A path that matches in full decides. Otherwise the content does, and without content a name that only one layout has. */
function ownerOf(claims: readonly Claim[], file: DocumentFile): { preset: Preset; pattern: RegistryPattern; fit: Fit | undefined } | undefined {
  const fitted = claims.map((claim) => ({ ...claim, fit: file.outcome === "read" ? fitOf(claim.preset, claim.pattern, file.value) : undefined }));
  const full = fitted.filter(({ strength }) => strength === "full");
  const best = bestOf(full.length > 0 ? full : fitted);
  if (best === undefined) return undefined;
  const { preset, pattern, fit } = best;
  const owners = new Set(claims.map((claim) => claim.preset.id));
  const isNamed = best.strength === "name" && (owners.size === 1 || (fit?.score ?? 0) >= TELLING_SCORE);
  const isOwned = best.strength === "full" || isNamed || (fit?.telling ?? 0) > 0;
  return isOwned ? { preset, pattern, fit } : undefined;
}

/** Known fields in a record, on average, by which a file with the right name is recognised although no record is whole. */
const TELLING_SCORE = 2;

function bestOf<One extends { readonly fit: Fit | undefined }>(fitted: readonly One[]): One | undefined {
  const rank = ({ fit }: One): number => fit?.score ?? -1;
  return fitted.toSorted((one, other) => rank(other) - rank(one))[0];
}

function unownedProblem(path: string, file: DocumentFile): NotRead {
  if (file.outcome === "not-read") return file.notRead;
  if (file.outcome === "read") {
    return notRead(path, "unsupported", `${path} is named like a registry, but has no records in a shape that is known`);
  }
  const { code, position, say } = file.problem;
  const where = position === undefined ? "" : ` (line ${position.line}, column ${position.column})`;
  return notRead(path, "unsupported", `${path} is named like a registry of several layouts and could not be read${where}: ${say}`, code);
}
