/** Counts the damage that a reading met, and lists the first of it in the order in which it was met. */
import type { LineDamage } from "./judge-line.ts";
import type { LinePlace } from "./split-lines.ts";

/** How many damaged lines are listed; the counts go on. */
export const MAX_DAMAGED_LISTED = 100;

export interface DamagedLine {
  readonly code: LineDamage;
  /** Of the line's first byte, from 0. */
  readonly byteOffset: number;
  /** Without its line feed. */
  readonly bytes: number;
  /** Lines that are all right and stand behind it. */
  readonly goodLinesAfter: number;
  readonly isUnreadable: boolean;
  readonly mentions: readonly string[];
  readonly isOnlyCut: boolean;
}

export interface DamageReport {
  readonly lines: number;
  readonly counts: Readonly<Partial<Record<LineDamage, number>>>;
  /** In the order of the file. A reading from the end lists the last ones, a reading from the start the first ones. */
  readonly listed: readonly DamagedLine[];
}

export interface DamageTally {
  note(damage: Omit<DamagedLine, "byteOffset" | "bytes" | "goodLinesAfter">, place: LinePlace): void;
  good(): void;
  report(): DamageReport;
}

export function createDamageTally(direction: "forward" | "backward"): DamageTally {
  const counts: Partial<Record<LineDamage, number>> = {};
  const listed: (Omit<DamagedLine, "goodLinesAfter"> & { readonly goodMet: number })[] = [];
  let lines = 0;
  let goodMet = 0;
  return {
    note(damage, { byteOffset, bytes }) {
      counts[damage.code] = (counts[damage.code] ?? 0) + 1;
      // A byte order mark stands on a line that is counted for itself.
      if (damage.code !== "BOM") lines += 1;
      if (listed.length < MAX_DAMAGED_LISTED) listed.push({ ...damage, byteOffset, bytes, goodMet });
    },
    good: () => void (goodMet += 1),
    report() {
      const all = listed.map(({ goodMet: before, ...where }) => ({ ...where, goodLinesAfter: direction === "forward" ? goodMet - before : before }));
      return { lines, counts: { ...counts }, listed: direction === "forward" ? all : all.toReversed() };
    },
  };
}
