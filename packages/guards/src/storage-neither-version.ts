/** Finds a file that holds nothing that was ever written to it as a whole: a part, a mixture, or no file at all. Does not ask who did it. */
import { defineGuard } from "./finding.ts";
import { type StoredFileFacts, versionFound } from "./storage-versions.ts";

export const storageNeitherVersion = defineGuard<StoredFileFacts>(
  {
    id: "storage/neither-version",
    needs: ["every version that a file was given, in order, with what its writer answered", "what the file holds now"],
    severity: "alarm",
    text: "A file holds neither an old version nor the new one: it is gone, or a part.",
    case: "018",
  },
  (facts) => {
    if (versionFound(facts) !== -1) return undefined;
    const { file, versions, found, crashes } = facts;
    const what = found === undefined ? "the file is gone" : "it holds something else";
    return {
      subject: file,
      message: `0 of ${versions.length} versions of ${file} are there: ${what}`,
      counts: { versions: versions.length, crashes },
    };
  },
);
