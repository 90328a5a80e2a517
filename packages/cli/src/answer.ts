/** What a command answers: the text for stdout, and the exit code. Printing is the command line's business. */
import { EXIT, type ExitCode } from "@casebook/verdict";

export interface Answer {
  readonly text: string;
  /** For stderr: what a person should know beside the answer. */
  readonly aside?: string;
  readonly exitCode: ExitCode;
}

export function clean(text: string): Answer {
  return { text, exitCode: EXIT.clean };
}

/** A document as every `--json` prints it. */
export function documentText(parts: object): string {
  return `${JSON.stringify({ schemaVersion: 1, ...parts }, undefined, 2)}\n`;
}
