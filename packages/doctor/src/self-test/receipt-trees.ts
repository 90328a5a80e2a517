/** What a log of command receipts does not have when all is well: gaps, keys that two share, records out of order, and the rest. */
import { receiptLine, receiptLog, RECEIPT_LINES } from "../presets/fixtures/receipt-log.fixture.ts";
import { damaged } from "./damaged.ts";
import type { GuardTrees } from "./planted.ts";

const LINES = RECEIPT_LINES.map((line, index) => receiptLine(line, index + 1));
const [BEGUN, ENDED] = RECEIPT_LINES as readonly [(typeof RECEIPT_LINES)[number], (typeof RECEIPT_LINES)[number]];

export function receiptTrees(): GuardTrees[] {
  const tree = (guard: string, what: string, lines: readonly string[]) => damaged(guard, what, receiptLog(lines.join("")), receiptLog());
  const cut = (line: string) => `${line.slice(0, 60)}\n`;
  return [
    tree("receipts/damaged", "a record that was cut", [cut(LINES[0] as string), ...LINES.slice(1)]),
    tree("receipts/gap", "two numbers that are missing", [...LINES.slice(0, 2), ...LINES.slice(4)]),
    tree("receipts/key-reuse", "a key under two actors", [LINES[0] as string, receiptLine({ ...ENDED, actor: "ben" }, 2), ...LINES.slice(2)]),
    tree("receipts/out-of-order", "a number that is there twice", [...LINES, receiptLine({ ...BEGUN, key: "report-1" }, 6), receiptLine({ ...ENDED, key: "report-1" }, 7)]),
    tree("receipts/pending-open", "a command of yesterday without an end", [receiptLine({ ...BEGUN, key: "report-1", at: "2026-09-01T02:15:00Z" }, 1), ...RECEIPT_LINES.map((line, index) => receiptLine(line, index + 2))]),
    tree("receipts/state-regression", "an end that was cut", [...LINES.slice(0, -1), cut(LINES.at(-1) as string)]),
    tree("receipts/two-terminals", "a command that ended twice", [...LINES, receiptLine({ ...ENDED, at: "2026-09-02T06:00:00Z" }, 7)]),
  ];
}
