/** The systems of a suite: what `casebook explore dispatch` searches, and what a line of `casebook test --suite dispatch` replays. */
import type { Searchable } from "./searchable.ts";

/** Of some thousand, for about twenty seconds. */
const PAIRS = 150;

/** `name` is one of `SEARCHABLE_SUITES`. A token of it carries no hash of a source: the kernel's version and the trace say whether it fits. */
export async function searchableSuite(name: string): Promise<Searchable> {
  if (name === "termination") {
    const { searchedSystems, terminationSystem } = await import("./termination-systems.ts");
    return { number: name, systems: searchedSystems(), source: "", named: terminationSystem, defaults: { budget: 1, strategy: "sampled", pairs: PAIRS } };
  }
  const { SEARCHABLE, systemNamed } = await import("@casebook/dispatch-suite");
  const { budget, strategy } = SEARCHABLE;
  return { number: name, systems: SEARCHABLE.systems(), source: "", named: systemNamed, defaults: { budget, strategy } };
}
