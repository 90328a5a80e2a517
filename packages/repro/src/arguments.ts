/** The arguments a repro knows. Anything else is a usage error, and nothing runs. */
import type { ReproOptions } from "./run-repro.ts";

const KNOWN = ["--all", "--json", "--twice"] as const;

export type ReproArguments =
  | { readonly usable: true; readonly options: ReproOptions; readonly json: boolean }
  | { readonly usable: false; readonly message: string };

export function readReproArguments(given: readonly string[]): ReproArguments {
  const unknown = given.find((argument) => !KNOWN.some((known) => known === argument));
  if (unknown !== undefined) {
    return {
      usable: false,
      message: `unknown argument ${JSON.stringify(unknown)}. Known: ${KNOWN.join(", ")}. Nothing was run.`,
    };
  }
  const has = (argument: (typeof KNOWN)[number]) => given.includes(argument);
  return { usable: true, options: { all: has("--all"), twice: has("--twice") }, json: has("--json") };
}
