/** Turns the ids somebody typed into cases, or says which one is wrong and what was probably meant. */
import { CatalogError } from "../catalog/catalog-error.ts";
import type { Case, Catalog } from "../catalog/catalog.ts";
import { HOME } from "../home/here.ts";
import { nearest } from "../nearest.ts";
import { UsageError } from "../usage-error.ts";

/** Sorted by number, each once. No ids: all cases. */
export function selectCases(catalog: Catalog, ids: readonly string[]): Case[] {
  const [first] = catalog.unreadable;
  // "All" includes the one that cannot be read; naming others does not.
  if (ids.length === 0 && first !== undefined) caseOf(catalog, first.number);
  const wanted = new Set(ids.map((id) => caseOf(catalog, id).number));
  return catalog.cases.filter((item) => ids.length === 0 || wanted.has(item.number));
}

export function caseOf(catalog: Catalog, id: string): Case {
  const found = catalog.cases.find((item) => item.number === id);
  if (found !== undefined) return found;
  const unreadable = catalog.unreadable.find((item) => item.number === id);
  if (unreadable !== undefined) throw new CatalogError(`CASE_UNREADABLE: ${unreadable.problems.join("\n")}`);
  const planned = catalog.planned.find((item) => item.number === id);
  if (planned !== undefined) {
    throw new UsageError(
      `case ${id} is planned ("${planned.title}") and has no repro yet. It lands together with its public evidence${HOME.clone === undefined ? "" : "; see incidents/reserved.json"}.`,
    );
  }
  throw new UsageError(`no case ${JSON.stringify(id)}. ${suggestion(catalog, id)}`);
}

function suggestion(catalog: Catalog, id: string): string {
  const numbers = catalog.cases.map((item) => item.number);
  const digits = /^0*(\d{1,3})/.exec(id)?.[1]?.padStart(3, "0");
  const bySlug = catalog.cases.find((item) => id.length >= 3 && (item.slug.includes(id) || id.includes(item.slug)));
  const meant = numbers.find((number) => number === digits) ?? bySlug?.number ?? nearest(id, numbers);
  const known = `Known: ${numbers.join(", ")}.`;
  return meant === undefined ? known : `Did you mean ${meant}? ${known}`;
}
