/** Finds a file that went back behind a version that was acknowledged, after a crash. One that holds no version is another guard's. */
import { defineGuard } from "./finding.ts";
import { isOlder, type StoredFileFacts } from "./storage-versions.ts";

export const storageAcknowledgedLost = defineGuard<StoredFileFacts>(
  {
    id: "storage/acknowledged-lost",
    needs: ["every version that a file was given, in order, with what its writer answered", "what the file holds now", "crashes since the last acknowledgement"],
    severity: "alarm",
    text: "A version was acknowledged, and after a crash an older one is there.",
    case: undefined,
  },
  (facts) => {
    const older = isOlder(facts);
    const { file, versions, crashes } = facts;
    if (older === undefined || crashes === 0) return undefined;
    const { found, acknowledged } = older;
    return {
      subject: file,
      message: `version ${acknowledged} of ${versions.length} of ${file} was acknowledged, and after ${crashes === 1 ? "a crash" : `${crashes} crashes`} version ${found} is there`,
      counts: { versions: versions.length, acknowledged, found, crashes },
    };
  },
);
