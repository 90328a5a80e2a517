/** Finds a write that was given up at the first refusal, of a kind that passes when another program lets go of the file. */
import { defineGuard } from "./finding.ts";
import type { StoredVersion } from "./storage-versions.ts";

const PASSING: readonly string[] = ["EPERM", "EACCES", "EBUSY"];

export interface NoRetryFacts {
  readonly file: string;
  /** What the disk answered to each rename of one write: a POSIX code, or `ok`. */
  readonly renames: readonly string[];
  readonly answer: StoredVersion["answer"];
}

export const storageNoRetry = defineGuard<NoRetryFacts>(
  {
    id: "storage/no-retry",
    needs: ["what the disk answered to the renames of one write, and what the writer answered"],
    severity: "warning",
    text: "A write was given up at the first refusal, of a kind that passes in a moment.",
    case: undefined,
  },
  ({ file, renames, answer }) => {
    const [first, ...others] = renames;
    if (answer !== "failed" || first === undefined || others.length > 0 || !PASSING.includes(first)) return undefined;
    return { subject: file, message: `1 refusal (${first}) ended a write of ${file}`, counts: { renames: 1 } };
  },
);
