/** A case page with its generated blocks: facts, reports from outside, outputs. Pure: text in, text out. */
import type { Case } from "./catalog.ts";
import { between, FACTS_MARKERS, OUTSIDE_MARKERS, renderFacts, renderOutside, withOutputs } from "./render.ts";

/** `outputs`: what runs printed, by the id of the block; a block whose id is not among them is left as it is. */
export function casePage(page: string, item: Case, outputs: ReadonlyMap<string, string>): string {
  const withFacts = between(page, FACTS_MARKERS, renderFacts(item));
  return withOutputs(between(withFacts, OUTSIDE_MARKERS, renderOutside(item)), outputs);
}
