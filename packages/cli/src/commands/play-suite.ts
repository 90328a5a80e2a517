/** `casebook test --suite <name>`: plays a suite of scenarios in simulated worlds. Needs no sources, no network and no clock of this machine. */
import { createResultDocument, exitCodeFor, tallyLine, tallyOf, visibleText, writeJson } from "@casebook/verdict";
import { findRunner } from "@casebook/sim/node";
import type { Answer } from "../answer.ts";
import { SUITES } from "../suites/suites.ts";
import { UsageError } from "../usage-error.ts";
import { VERSION } from "../version.ts";

export interface SuiteWords {
  readonly suite: string;
  readonly against: string;
  readonly json: boolean;
}

/** Exit 0: all passed; 1: something failed; 3: something has no verdict. */
export async function playSuite(ids: readonly string[], { suite: name, against, json }: SuiteWords): Promise<Answer> {
  if (against !== "fixed" && against !== "broken") throw new UsageError(`--against knows \`fixed\` and \`broken\`, not ${JSON.stringify(against)}.`);
  if (ids.length > 0) throw new UsageError(`--suite plays all of a suite; it takes no case number, and there is ${JSON.stringify(ids[0])}. Leave one of the two out.`);
  const load = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
  if (load === undefined) throw new UsageError(`There is no suite ${JSON.stringify(name)}. There are: ${Object.keys(SUITES).join(", ")}.`);
  const suite = await load();
  const { results, text } = await suite.play({ against, runner: await findRunner() });
  const document = createResultDocument({ tool: { name: `casebook test --suite ${name} --against ${against}`, version: VERSION }, selection: [], results });
  const head = `${name} against ${against}: ${suite.about}\n\n`;
  return { text: json ? writeJson(document) : `${head}${visibleText(text)}\n${tallyLine(tallyOf(results))}\n`, exitCode: exitCodeFor(document.tally) };
}
