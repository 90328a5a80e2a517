/** Finds a write that was acknowledged and did not happen: no crash took it away. Sees one file; what another writer wrote since is a version too. */
import { defineGuard } from "./finding.ts";
import { isOlder, type StoredFileFacts } from "./storage-versions.ts";

export const storageSilentFailure = defineGuard<StoredFileFacts>(
  {
    id: "storage/silent-failure",
    needs: ["every version that a file was given, in order, with what its writer answered", "what the file holds now", "crashes since the last acknowledgement"],
    severity: "alarm",
    text: "A version was acknowledged, nothing crashed, and an older one is there.",
    case: undefined,
  },
  (facts) => {
    const older = isOlder(facts);
    const { file, versions, crashes } = facts;
    if (older === undefined || crashes > 0) return undefined;
    const { found, acknowledged } = older;
    return {
      subject: file,
      message: `version ${acknowledged} of ${versions.length} of ${file} was acknowledged, nothing crashed, and version ${found} is there`,
      counts: { versions: versions.length, acknowledged, found },
    };
  },
);
