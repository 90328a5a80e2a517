import { Console } from "node:console";
import { Writable } from "node:stream";

import type { TestProject, Vitest } from "vitest/node";

import type { ErrorLike } from "./error-text.ts";

/**
 * An error as vitest itself prints it (message, diff, stack, the lines of source), as text.
 * vitest's logger writes straight to stderr; here it writes to a list, so that failures and the lines
 * after them go to one stream and keep their order.
 */
export function renderError(vitest: Vitest, error: ErrorLike, project: TestProject): string {
  const chunks: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const console = new Console(sink, sink);
  const logger: Vitest["logger"] = Object.create(vitest.logger, { console: { value: console } });
  logger.printError(error, { project });
  return chunks.join("");
}
