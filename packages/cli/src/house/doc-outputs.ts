/**
 * Commands of the documents that take no home and no other process, with what they print: stdout and stderr as in a terminal.
 * `cases:write` fills the blocks, and `docs.test.ts` holds the command that stands above each block to this list.
 */
import { commandLine, type Said } from "../command-line.ts";

export interface DocOutput {
  /** As in `<!-- output:ID -->`. */
  readonly id: string;
  /** As in a fence, without what starts the command line in a clone. */
  readonly command: string;
  readonly exitCode: number;
}

export const DOC_OUTPUTS: readonly DocOutput[] = [
  { id: "explain-parity", command: "casebook explain registry/parity", exitCode: 0 },
  { id: "run-typo", command: "casebook run 0O1", exitCode: 2 },
  { id: "new-taken", command: "casebook new incident a-stamp-that-lies --number 001", exitCode: 2 },
];

export function runHere(command: string): Promise<Said> {
  const [, ...words] = command.split(" ");
  return commandLine(words);
}

export async function docOutputs(): Promise<Map<string, string>> {
  const outputs = new Map<string, string>();
  for (const { id, command } of DOC_OUTPUTS) {
    const { stdout, stderr } = await runHere(command);
    outputs.set(id, stdout + stderr);
  }
  return outputs;
}
