/** Exit codes. Set `process.exitCode`; calling `process.exit()` cuts off what is still being written. */

import type { Tally } from "./tally.ts";

export const EXIT = {
  /** Everything planned passed. */
  clean: 0,
  /** At least one finding or failure. */
  findings: 1,
  /** Wrong usage or configuration, a selection that selects nothing included. */
  usage: 2,
  /** Nothing failed, but something planned has no verdict. */
  noVerdict: 3,
  /** Interrupted; what was found so far has been printed. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** 1 beats 3 beats 0; nothing planned is 2. Whether a run was interrupted only its runner knows. */
export function exitCodeFor(tally: Tally): ExitCode {
  if (tally.planned === 0) return EXIT.usage;
  if (tally.failed > 0) return EXIT.findings;
  if (tally.notRun > 0) return EXIT.noVerdict;
  return EXIT.clean;
}
