/** The log port as one line of JSON per entry: `at` (ISO-8601), `level`, `event`, `facts`. */
import type { Log } from "../log.ts";

/** `write` takes one whole line with its newline; standard error if left out, because standard output is for results. */
export function nodeLog(write: (line: string) => void = toStandardError): Log {
  return {
    write(level, event, facts = {}) {
      write(`${JSON.stringify({ at: new Date().toISOString(), level, event, facts })}\n`);
    },
  };
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}
