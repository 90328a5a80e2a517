/**
 * The block of AGENTS.md: every repro and every guard test as one types it, with the exit code and the last line that it has to
 * end with. How many guard tests a case has is counted by a run, and kept on the page for whoever only compares.
 */
import type { Case } from "./catalog.ts";

export const AGENT_MARKERS = ["<!-- commands:start -->", "<!-- commands:end -->"] as const;
const REPRO_ENDS = "repro: OK - mechanism demonstrated";

export interface ExpectedCommand {
  readonly command: string;
  readonly exitCode: number;
  readonly lastLine: string;
}

/** Number of a case to the number of its guard tests. */
export type GuardTests = ReadonlyMap<string, number>;

export function renderAgentBlock(cases: readonly Case[], guardTests: GuardTests): string {
  const commands = cases.flatMap(({ number, folder }): ExpectedCommand[] => {
    const tests = guardTests.get(number) ?? "?";
    return [
      { command: `npx tsx ${folder}/repro.ts`, exitCode: 0, lastLine: REPRO_ENDS },
      { command: guardCommand(number), exitCode: 0, lastLine: `${tests}/${tests} passed` },
    ];
  });
  return ["```sh", ...commands.map(({ command, exitCode, lastLine }) => `${command}  # exit ${exitCode}, last line: ${lastLine}`), "```"].join("\n");
}

export function readAgentBlock(page: string): ExpectedCommand[] {
  const block = page.slice(page.indexOf(AGENT_MARKERS[0]), page.indexOf(AGENT_MARKERS[1]));
  return [...block.matchAll(/^(n\S.*?) {2}# exit (\d+), last line: (.+)$/gm)].map(([, command = "", exitCode, lastLine = ""]) => ({ command, exitCode: Number(exitCode), lastLine }));
}

/** The counts that stand on the page. */
export function guardTestsOn(page: string): GuardTests {
  const counted = readAgentBlock(page).flatMap(({ command, lastLine }): [string, number][] => {
    const [, number] = /test (\d{3})$/.exec(command) ?? [];
    const [, tests] = /^(\d+)\/\d+ passed$/.exec(lastLine) ?? [];
    return number === undefined || tests === undefined ? [] : [[number, Number(tests)]];
  });
  return new Map(counted);
}

function guardCommand(number: string): string {
  return `npx pnpm@10.34.9 -s casebook test ${number}`;
}
