/** The systems that can be searched: what the repro of a case exports as `systems`, checked before it is believed, and those of a suite. */
import { createHash } from "node:crypto";
import type { AnySystem, ExploreOptions } from "@casebook/explore";
import { CatalogError } from "../catalog/catalog-error.ts";
import { HOME } from "../home/here.ts";
import { needsClone } from "../home/needs-clone.ts";
import { UsageError } from "../usage-error.ts";
import { caseOf } from "./select-cases.ts";

export interface Searchable {
  readonly number: string;
  readonly systems: readonly AnySystem[];
  /** First digits of the SHA-256 of the file that is run. */
  readonly source: string;
  /** Systems that only a line which replays them leads to; there are too many of them for a list. */
  readonly named?: (name: string) => AnySystem | undefined;
  /** Of a search, where nobody says otherwise. */
  readonly defaults?: Pick<ExploreOptions, "budget" | "strategy" | "pairs">;
}

/** Where systems come from: the cases, and in tests a case that is made for them. */
export type Library = (id: string) => Promise<Searchable>;

const SOURCE_DIGITS = 8;
/** Suites whose executions can be searched and replayed. */
const SEARCHABLE_SUITES: readonly string[] = ["dispatch", "termination"];

export const searchableCase: Library = async (id) => {
  if (SEARCHABLE_SUITES.includes(id)) {
    if (HOME.clone === undefined) throw needsClone(`test --suite ${id}`);
    return HOME.clone.commands.searchableSuite(id);
  }
  const catalog = await HOME.readCatalog();
  const item = caseOf(catalog, id);
  const exported = await HOME.loadSystems(item);
  if (exported === undefined) {
    throw new UsageError(
      `case ${item.number} has nothing to search: its repro exports no \`systems\`, because its mechanism needs one order of steps only. ` +
        `\`casebook run ${item.number}\` plays it.`,
    );
  }
  const { name, bytes } = HOME.readCode(item);
  return { number: item.number, systems: checkedSystems(exported, item.number, name), source: createHash("sha256").update(bytes).digest("hex").slice(0, SOURCE_DIGITS) };
};

export function checkedSystems(exported: unknown, number: string, file: string): readonly AnySystem[] {
  const problem = problemOf(exported, number);
  if (problem !== undefined) throw new CatalogError(`CASE_UNREADABLE: ${file} of case ${number}: ${problem}`);
  return exported as readonly AnySystem[];
}

function problemOf(exported: unknown, number: string): string | undefined {
  if (!Array.isArray(exported) || exported.length === 0) return "`systems` is no list with something in it. Export a list, or no `systems`.";
  const names = new Set<string>();
  for (const [at, system] of (exported as Partial<AnySystem>[]).entries()) {
    const which = `systems[${at}]`;
    if (typeof system?.name !== "string" || !system.name.startsWith(`${number}/`)) return `the name of ${which} does not begin with "${number}/", so no token could lead back to it.`;
    if (typeof system.build !== "function" || !Array.isArray(system.checks)) return `${which} has no \`build\` or no \`checks\`.`;
    if (names.has(system.name)) return `two systems are called ${JSON.stringify(system.name)}; a token could mean either.`;
    names.add(system.name);
  }
  return undefined;
}
