/** `casebook explain <id>`: a case page or a guard's metadata, in a terminal. */
import * as everyGuard from "@casebook/guards";
import type { GuardAbout } from "@casebook/guards";
import { type Answer, clean, documentText } from "../answer.ts";
import type { Case } from "../catalog/catalog.ts";
import { HOME } from "../home/here.ts";
import { nearest } from "../nearest.ts";
import { UsageError } from "../usage-error.ts";
import { caseOf } from "./select-cases.ts";

/** Stands in the root README as well; a test holds the two together. */
export const OK_MEANS = "OK means the mechanism was shown, not that anything is healthy; the guard is the check.";

export async function explain(id: string, { json }: { json: boolean }): Promise<Answer> {
  // A word is a guard's, a number a case's; `parity` alone is the second half of one.
  const whole = guardsAbout().find((about) => about.id.split("/")[1] === id)?.id ?? id;
  if (whole.includes("/")) {
    id = whole;
    const guard = guardOf(id);
    return clean(json ? documentText({ guard }) : guardPage(guard));
  }
  const item = caseOf(await HOME.readCatalog(), id);
  const guards = guardsAbout().filter((about) => about.case === item.number);
  return clean(json ? documentText({ case: item, guards }) : casePage(item, guards));
}

/** The metadata of every guard, sorted by id. */
export function guardsAbout(): GuardAbout[] {
  return Object.values(everyGuard)
    .flatMap((exported) => (typeof exported === "function" && "about" in exported ? [exported.about as GuardAbout] : []))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function guardOf(id: string): GuardAbout {
  const all = guardsAbout();
  const found = all.find((about) => about.id === id);
  if (found !== undefined) return found;
  const meant = nearest(id, all.map((about) => about.id));
  const known = `Known: ${all.map((about) => about.id).join(", ")}.`;
  throw new UsageError(`no guard ${JSON.stringify(id)}. ${meant === undefined ? known : `Did you mean ${meant}?`}`);
}

/** What `explain` prints of a guard; `docs/guards/` shows the same bytes. */
export function guardPage(about: GuardAbout): string {
  return [
    `guard ${about.id} (${about.severity})`,
    "",
    about.text,
    "",
    `needs  ${about.needs.join("; ")}`,
    about.case === undefined ? "case   none shows it yet" : `case   ${about.case}   casebook run ${about.case}`,
    "",
  ].join("\n");
}

function casePage(item: Case, guards: readonly GuardAbout[]): string {
  const page = HOME.readPage(item).replace(/<!--.*?-->\n?/g, "");
  return [
    page.trimEnd(),
    "",
    "## How to read it",
    "",
    OK_MEANS,
    "",
    ...guards.map((about) => `guard ${about.id}: ${about.text}`),
    "",
    `casebook run ${item.number}`,
    ...(HOME.clone === undefined ? [] : [`casebook test ${item.number} --against broken`]),
    "",
  ].join("\n");
}
