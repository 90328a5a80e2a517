/** Finds records of runs that say nothing to their reader: those that cannot be read, after which a reader may stop, and those that
 * can be read and have a field under another name or in another form. A record that is whole and wrong is not seen. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ReceiptsDamagedFacts {
  /** What was looked at: files of one record each, and files of one record a line. */
  readonly searched: { readonly files: number; readonly lines: number };
  /** Each record once. */
  readonly damaged: readonly {
    readonly where: string;
    readonly code: string;
    readonly record: "file" | "line";
    /** `otherwise`: it can be read, and is not what was expected. */
    readonly reads: "not-at-all" | "otherwise";
    readonly goodLinesAfter: number;
    /** Records that this one stands for, where not all are listed. Default 1. */
    readonly times?: number;
  }[];
}

type Damaged = ReceiptsDamagedFacts["damaged"][number];

export const receiptsDamaged = defineGuard<ReceiptsDamagedFacts>(
  {
    id: "receipts/damaged",
    needs: ["records of runs that were looked at", "those that could not be read or were not as expected, and how many good ones follow each"],
    severity: "warning",
    text: "A record of runs cannot be read, and whoever stops at it loses what follows; or it has a field that nobody expects.",
    case: undefined,
  },
  ({ searched, damaged }) => {
    if (damaged.length === 0) return undefined;
    const unreadable = damaged.filter(({ reads }) => reads === "not-at-all");
    const otherwise = damaged.filter(({ reads }) => reads === "otherwise");
    const goodAfter = Math.max(0, ...unreadable.map(({ goodLinesAfter }) => goodLinesAfter));
    const named = (some: readonly Damaged[]) => firstFew(some.map(({ where, code }) => `${where} ${code}`));
    const says = [
      ...(unreadable.length === 0 ? [] : [`${of(unreadable, searched)} cannot be read, up to ${goodAfter} good ones after them: ${named(unreadable)}`]),
      ...(otherwise.length === 0 ? [] : [`${of(otherwise, searched)} can be read and ${timesOf(otherwise) === 1 ? "is" : "are"} not as expected: ${named(otherwise)}`]),
    ];
    return {
      subject: subjectOrAll(damaged.map(({ where }) => where), "files"),
      message: says.join("; "),
      counts: { files: searched.files, lines: searched.lines, unreadable: timesOf(unreadable), otherwise: timesOf(otherwise), goodAfter },
    };
  },
);

function timesOf(some: readonly Damaged[]): number {
  return some.reduce((sum, { times = 1 }) => sum + times, 0);
}

/** `1 of 8 files and 2 of 40 lines` */
function of(some: readonly Damaged[], { files, lines }: ReceiptsDamagedFacts["searched"]): string {
  const inFiles = timesOf(some.filter(({ record }) => record === "file"));
  const inLines = timesOf(some.filter(({ record }) => record === "line"));
  return [...(inFiles === 0 ? [] : [`${inFiles} of ${files} files`]), ...(inLines === 0 ? [] : [`${inLines} of ${lines} lines`])].join(" and ");
}
