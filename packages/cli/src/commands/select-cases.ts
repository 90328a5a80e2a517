/** Turns the ids somebody typed into cases, or says which one is wrong and what was probably meant. */
import type { Case, Catalog } from "../catalog/catalog.ts";
import { UsageError } from "../usage-error.ts";

/** Sorted by number, each once. No ids: all cases. */
export function selectCases(catalog: Catalog, ids: readonly string[]): Case[] {
  const wanted = new Set(ids.map((id) => caseOf(catalog, id).number));
  return catalog.cases.filter((item) => ids.length === 0 || wanted.has(item.number));
}

export function caseOf(catalog: Catalog, id: string): Case {
  const found = catalog.cases.find((item) => item.number === id);
  if (found !== undefined) return found;
  const planned = catalog.planned.find((item) => item.number === id);
  if (planned !== undefined) {
    throw new UsageError(
      `case ${id} is planned ("${planned.title}") and has no repro yet. It lands together with its public evidence; see incidents/reserved.json.`,
    );
  }
  throw new UsageError(`no case ${JSON.stringify(id)}. ${suggestion(catalog, id)}`);
}

function suggestion(catalog: Catalog, id: string): string {
  const numbers = catalog.cases.map((item) => item.number);
  const digits = /^\d+/.exec(id)?.[0];
  const meant = catalog.cases.find(
    (item) =>
      item.number === digits?.padStart(3, "0") || (id.length >= 3 && (item.slug.includes(id) || id.includes(item.slug))),
  );
  const known = `Known: ${numbers.join(", ")}.`;
  return meant === undefined ? known : `Did you mean ${meant.number}? ${known}`;
}
