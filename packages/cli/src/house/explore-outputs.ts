/** What `casebook explore` and `casebook replay` print, for the documents: at the width of a pipe, whoever asks. */
import { explore, type ExploreMachine } from "../commands/explore.ts";
import type { ExploreWords } from "../commands/explore-options.ts";
import { replay, type ReplayMachine } from "../commands/replay.ts";
import { searchableCase } from "../commands/searchable.ts";

const SEARCHING: ExploreMachine = { library: searchableCase, width: undefined, progress: undefined, onInterrupt: () => () => undefined };
const REPLAYING: ReplayMachine = { library: searchableCase, width: undefined, readStdin: () => Promise.resolve("") };

/** As they are typed behind `casebook explore 005`. */
export const SEARCHES: Readonly<Record<string, ExploreWords>> = {
  "explore-found": { system: "look-then-claim", faults: "none" },
  "explore-sampled": { system: "claim", budget: "20" },
};
export const UNTIL = "12";

/** What a person types for it. */
export function typed(words: ExploreWords): string {
  return ["casebook explore 005", ...Object.entries(words).map(([word, value]) => `--${word} ${value}`)].join(" ");
}

let outputs: Promise<Map<string, string>> | undefined;

/** By id. Played once: several tests ask. */
export function exploreOutputs(): Promise<Map<string, string>> {
  outputs ??= play();
  return outputs;
}

async function play(): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  for (const [id, words] of Object.entries(SEARCHES)) said.set(id, (await explore("005", words, SEARCHING)).text);
  const token = /casebook replay (\S+)/.exec(said.get("explore-found") ?? "")?.[1] ?? "";
  said.set("replay-command", `casebook replay ${token} --until ${UNTIL}\n`);
  said.set("replay-until", (await replay(token, { until: UNTIL }, REPLAYING)).text);
  return said;
}
