/** Finds bytes that are not plain UTF-8, graded by what their reader does with them: fatal stops it, harmless is passed over.
 * A reader that nobody graded is not known here. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface EncodingGradedFacts {
  readonly files: number;
  readonly faults: readonly { readonly path: string; readonly code: string; readonly grade: "fatal" | "harmless" }[];
}

export const encodingGraded = defineGuard<EncodingGradedFacts>(
  {
    id: "encoding/graded",
    needs: ["files whose bytes were looked at", "byte order marks, NUL, UTF-16 and invalid UTF-8 in them, each graded for its reader"],
    severity: "alarm",
    text: "A file is encoded so that its reader stops at it, or might.",
    case: undefined,
  },
  ({ files, faults }) => {
    if (faults.length === 0) return undefined;
    const fatal = faults.filter(({ grade }) => grade === "fatal");
    const harmless = faults.length - fatal.length;
    const sorted = [...fatal, ...faults.filter(({ grade }) => grade === "harmless")];
    const named = firstFew(sorted.map(({ path, code, grade }) => `${path} ${code} (${grade})`));
    return {
      subject: subjectOrAll(sorted.map(({ path }) => path), "files"),
      message: `${faults.length} faults of encoding in ${files} files, ${fatal.length} fatal to their reader, ${harmless} harmless: ${named}`,
      counts: { files, faults: faults.length, fatal: fatal.length, harmless },
      ...(fatal.length === 0 ? { severity: "information" as const } : {}),
    };
  },
);
