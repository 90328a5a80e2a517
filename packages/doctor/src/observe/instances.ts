/**
 * Which files belong together. A layout with several stores is one installation; of any other, each registry is one, and a file
 * belongs to the registry that it stands nearest to.
 */
import type { NotRead } from "../observation.ts";
import type { Preset } from "../preset.ts";
import { notRead, type Walk } from "../read/index.ts";
import { parentOf } from "../trees/index.ts";
import { rolesOfEntry, type FoundRegistry } from "./find-registries.ts";
import type { Instance } from "./layout.ts";
import type { PromptFolders } from "./prompts.ts";
import type { Role, Roles } from "./roles.ts";

export function instancesOf(
  preset: Preset,
  registries: readonly FoundRegistry[],
  prompts: PromptFolders | undefined,
  walked: Walk,
  roles: Roles,
): Instance[] {
  const own = registries.filter((one) => one.preset === preset);
  const isOne = preset.registries.some(({ store }) => store !== undefined) || own.length < 2;
  const groups = isOne ? [own] : own.map((one) => [one]);
  const homes = groups.map((group) => group.map(({ path }) => parentOf(path)));
  const hidden = hiddenFrom(preset, prompts, walked, roles);
  const instances = groups.map((group) => ({ preset, registries: group, hidden, prompts, traces: [], markers: [], receipts: [], residue: [] }) as Growing);
  const taken = new Set(registries.map(({ path }) => path));
  for (const entry of walked.found) {
    if (entry.kind !== "file" || taken.has(entry.path)) continue;
    const role = rolesOfEntry(entry, roles).find((one) => one.preset === preset && isBelieved(one, entry.path, homes.flat()));
    if (role === undefined) continue;
    const instance = instances[nearest(entry.path, homes)] as Growing;
    const captures = capturesOf(role, entry.matches, roles);
    if (role.kind === "artefact") instance.traces.push({ pattern: role.pattern, path: entry.path, captures });
    if (role.kind === "marker") instance.markers.push({ pattern: role.pattern, path: entry.path });
    if (role.kind === "receipts") instance.receipts.push({ pattern: role.pattern, path: entry.path });
    if (role.kind === "residue") instance.residue.push(entry.path);
  }
  return instances.filter(isThere);
}

/** Folders below which nothing was seen, and what has the name of a registry and is no file. */
function hiddenFrom(preset: Preset, prompts: PromptFolders | undefined, walked: Walk, roles: Roles): NotRead[] {
  const named = walked.found.filter((entry) => {
    return entry.kind !== "file" && rolesOfEntry(entry, roles).some((role) => role.preset === preset && role.kind === "registry");
  });
  const said = new Map(walked.notRead.map((one) => [one.what, one]));
  const things = named.map(({ path }) => said.get(path) ?? notRead(path, "unsupported", `${path} is named like a registry and is no file`));
  const folders = walked.notRead.filter(({ what, evidence }) => {
    const isGone = evidence.firstLines?.includes("ENOENT") ?? false;
    return evidence.firstLines !== undefined && !isGone && !(prompts?.roots ?? []).some((root) => what === root || what.startsWith(`${root}/`));
  });
  return [...things, ...folders];
}

type Growing = {
  -readonly [Key in keyof Instance]: Instance[Key] extends readonly (infer One)[] ? One[] : Instance[Key];
};

/** A weak match needs a registry of the layout above it, a name alone one beside it. */
function isBelieved(role: Role, path: string, homes: readonly string[]): boolean {
  if (role.kind === "registry" || role.kind === "prompt-root" || role.kind === "prompt-file") return false;
  if (role.strength === "full") return true;
  if (role.strength === "tail") return homes.some((home) => path.startsWith(`${home}/`));
  return homes.includes(parentOf(path));
}

function capturesOf(role: Role, matches: ReadonlyMap<string, readonly string[]>, roles: Roles): readonly string[] {
  const glob = [...matches.keys()].find((one) => roles.get(one)?.includes(role));
  return glob === undefined ? [] : (matches.get(glob) ?? []);
}

function nearest(path: string, homes: readonly (readonly string[])[]): number {
  const shared = homes.map((group) => Math.max(0, ...group.map((home) => sharedNames(home, path))));
  return shared.indexOf(Math.max(...shared));
}

function sharedNames(one: string, other: string): number {
  const names = other.split("/");
  const differs = one.split("/").findIndex((name, index) => name !== names[index]);
  return differs === -1 ? one.split("/").length : differs;
}

/** A session or a transcript alone is no scheduler: most of them are conversations. */
function isThere({ registries, prompts, traces, markers, receipts }: Instance): boolean {
  const telling = traces.some(({ pattern }) => pattern.kind === "json-line" || pattern.kind === "output-file");
  return registries.length > 0 || (prompts?.folders.length ?? 0) > 0 || markers.length > 0 || receipts.length > 0 || telling;
}
