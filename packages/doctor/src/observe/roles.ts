/**
 * What a path can be for which layout. A pattern matches in full, by its tail (a copied subfolder) or by its last name only
 * (a copied file); the weaker the match, the more its content has to say.
 */
import type { ArtefactPattern, Glob, MarkerPattern, Preset, ReceiptLogPattern, RegistryPattern } from "../preset.ts";

export type Strength = "full" | "tail" | "name";

export type Role = { readonly preset: Preset; readonly strength: Strength } & (
  | { readonly kind: "registry"; readonly pattern: RegistryPattern }
  | { readonly kind: "artefact"; readonly pattern: ArtefactPattern }
  | { readonly kind: "marker"; readonly pattern: MarkerPattern }
  | { readonly kind: "receipts"; readonly pattern: ReceiptLogPattern }
  | { readonly kind: "prompt-root" | "prompt-file" | "residue" }
);

export type Roles = ReadonlyMap<Glob, readonly Role[]>;

export function rolesOf(presets: readonly Preset[]): Roles {
  const roles = new Map<Glob, Role[]>();
  const add = (glob: Glob, role: Role): void => void roles.set(glob, [...(roles.get(glob) ?? []), role]);
  for (const preset of presets) {
    for (const pattern of preset.registries) {
      const cut = ({ strength }: { strength: Strength }) => ({ kind: "registry", preset, pattern, strength }) as const;
      for (const one of cutsOf(pattern.glob)) if (one.strength !== "tail") add(one.glob, cut(one));
    }
    for (const pattern of preset.artefacts) {
      if (pattern.kind === "in-record") continue;
      for (const { glob, strength } of cutsOf(pattern.glob)) {
        // A name such as `*.jsonl` says nothing; `local_*.json` beside a registry does.
        if (strength === "name" && pattern.kind !== "json-file") continue;
        add(glob, { kind: "artefact", preset, pattern, strength });
      }
    }
    for (const pattern of preset.markers ?? []) {
      for (const { glob, strength } of cutsOf(pattern.glob)) add(glob, { kind: "marker", preset, pattern, strength });
    }
    for (const pattern of preset.receipts ?? []) add(pattern.glob, { kind: "receipts", preset, pattern, strength: "full" });
    for (const glob of preset.residue ?? []) add(glob, { kind: "residue", preset, strength: "full" });
    if (preset.prompts === undefined) continue;
    add(promptRootOf(preset.prompts.glob), { kind: "prompt-root", preset, strength: "full" });
    add(`**/${lastOf(preset.prompts.glob)}`, { kind: "prompt-file", preset, strength: "name" });
  }
  return roles;
}

/** The folder that has one folder a task. */
export function promptRootOf(glob: Glob): Glob {
  return glob.split("/").slice(0, -2).join("/");
}

export function lastOf(glob: Glob): string {
  return glob.slice(glob.lastIndexOf("/") + 1);
}

/** The pattern itself, its tails that still have a folder with a name, and its last name. */
function cutsOf(glob: Glob): { readonly glob: Glob; readonly strength: Strength }[] {
  const parts = glob.split("/");
  const cuts: { glob: Glob; strength: Strength }[] = [{ glob, strength: "full" }];
  const whole = parts[0] === "**" ? 2 : 1;
  for (let from = whole; from < parts.length; from += 1) {
    const tail = parts.slice(from);
    if (tail[0] === "**") continue;
    const isName = tail.length === 1;
    if (!isName && !tail.slice(0, -1).some((part) => !part.includes("*"))) continue;
    cuts.push({ glob: `**/${tail.join("/")}`, strength: isName ? "name" : "tail" });
  }
  return cuts;
}
