/**
 * Finds work that is in two places at once, or under two names that only some file systems keep apart. Leaves out who put it there, and
 * which place is the right one.
 */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface DeclaredPlaces {
  readonly id: string;
  /** Files that declare it, each once, with their folder. */
  readonly places: readonly { readonly path: string; readonly folder: string }[];
  /** Different texts among them. */
  readonly texts: number;
  /** Ids that are this one to a file system that does not tell upper from lower case. */
  readonly alike: readonly string[];
}

export const dispatchDualLocation = defineGuard<readonly DeclaredPlaces[]>(
  {
    id: "dispatch/dual-location",
    needs: ["for each id, every file that declares it, with its folder and a fingerprint of its text", "ids that differ in upper and lower case only"],
    severity: "alarm",
    text: "One id is declared by more than one file, so that its state is two, or by a name that another id differs from in case only.",
    case: "015",
  },
  (rows) => {
    const wrong = rows.flatMap(({ id, places, texts, alike }) => {
      const folders = [...new Set(places.map(({ folder }) => folder))].sort();
      const says = [
        ...(folders.length > 1 ? [`in ${folders.join(" and ")}`] : []),
        ...(places.length > 1 && folders.length === 1 ? [`${places.length} files in ${folders[0]}`] : []),
        ...(texts > 1 ? [`${texts} texts`] : []),
        ...(alike.length > 0 ? [`beside ${firstFew(alike)}`] : []),
      ];
      return says.length === 0 ? [] : [{ id, says: says.join(", ") }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ id }) => id), "tasks"),
      message: `${wrong.length} of ${rows.length} ids are more than one: ${firstFew(wrong.map(({ id, says }) => `${id} (${says})`), "; ")}`,
      counts: { ids: rows.length, wrong: wrong.length },
    };
  },
);
