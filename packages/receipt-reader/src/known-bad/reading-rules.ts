/** RC01 to RC04 and RC12: what a reader may say of one key. */
import { readReceipts, type ReceiptPolicies } from "@casebook/receipt-reader";
import type { KeyReading } from "@casebook/receipt-reader/judge";
import { RECEIPT_SENTENCES } from "@casebook/receipt-reader/rules";
import type { ReceiptLab } from "./lab.ts";
import { DAMAGES, joined, KEY, lineOf, NEWER, OTHER, plant } from "./planted.ts";
import type { ReceiptRule, Try } from "./rule.ts";

const PENDING = lineOf(1, KEY, "pending");
const COMPLETED = lineOf(2, KEY, "completed");
const STRANGERS = [lineOf(3, OTHER, "pending"), lineOf(4, OTHER, "completed")];

/** What the reader says of the key when this is the log. */
async function readingOf(lab: ReceiptLab, policies: ReceiptPolicies, text: string | undefined): Promise<KeyReading> {
  return lab.play(async (ports) => {
    if (text !== undefined) await plant(ports, text);
    const read = await readReceipts(ports, "/receipts.jsonl", KEY, policies);
    if (read.outcome === "not-read") throw new Error(read.say);
    return read.value;
  });
}

function said({ health, found, isStateRegression }: KeyReading): string {
  return `${health}, ${found === undefined ? "nothing found" : `found ${found.receipt.state}`}${isStateRegression ? ", state regression" : ""}`;
}

/** One try for each kind of damage. */
function forEachDamage(what: string, tryIt: (damaged: (line: string) => string) => Try): Record<string, Try> {
  return Object.fromEntries(Object.entries(DAMAGES).map(([how, damaged]) => [`${what} ${how}`, tryIt(damaged)]));
}

/** Breaks when the pending record is called healthy. */
const notHealthy = (text: string): Try => async (lab, policies) => {
  const reading = await readingOf(lab, policies, text);
  return reading.found?.receipt.state === "pending" && reading.health === "found" ? `the reader says: ${said(reading)}` : undefined;
};

const answers = (health: KeyReading["health"], text: string | undefined): Try => async (lab, policies) => {
  const reading = await readingOf(lab, policies, text);
  return reading.health === health ? undefined : `it is ${health}, and the reader says: ${said(reading)}`;
};

/** Breaks when other lines change which record is found. */
const sameAnswer = (damage: string): Try => async (lab, policies) => {
  const healthy = await readingOf(lab, policies, joined(PENDING, COMPLETED, ...STRANGERS));
  for (const [place, text] of [
    ["behind", joined(PENDING, COMPLETED, damage, ...STRANGERS)],
    ["before", joined(damage, PENDING, COMPLETED, ...STRANGERS)],
  ] as const) {
    const reading = await readingOf(lab, policies, text);
    if (reading.found?.receipt.state !== healthy.found?.receipt.state) return `with the damage ${place} it the reader says: ${said(reading)}; without: ${said(healthy)}`;
  }
  return undefined;
};

const reported = (unread: string): Try => async (lab, policies) => {
  const reading = await readingOf(lab, policies, joined(PENDING, unread));
  // A reader that finds nothing has not gone back to an older state; what it should have found is for other rules.
  return reading.found !== undefined && !reading.isStateRegression ? `the reader says: ${said(reading)}` : undefined;
};

const populated = (lines: number, text: string | undefined): Try => async (lab, policies) => {
  const reading = await readingOf(lab, policies, text);
  if (reading.found !== undefined) return undefined;
  if (reading.searched === undefined) return "nothing is found, and the reader does not say in how many lines";
  return reading.searched.lines === lines ? undefined : `nothing is found in ${reading.searched.lines} lines, and there are ${lines}`;
};

export const READING_RULES: readonly ReceiptRule[] = [
  {
    id: "RC01",
    text: RECEIPT_SENTENCES.RC01,
    faults: {
      ...forEachDamage("completion", (damaged) => notHealthy(joined(PENDING, damaged(COMPLETED), ...STRANGERS))),
      "completion torn at the end of the file": notHealthy(joined(PENDING) + COMPLETED.slice(0, 80)),
      "completion glued to a torn line": notHealthy(joined(PENDING, lineOf(2, OTHER, "pending").slice(0, 40) + COMPLETED)),
    },
  },
  {
    id: "RC02",
    text: RECEIPT_SENTENCES.RC02,
    faults: {
      "no file": answers("absent", undefined),
      "other keys only": answers("absent", joined(...STRANGERS)),
      ...forEachDamage("both receipts", (damaged) => answers("corrupt", joined(damaged(PENDING), damaged(COMPLETED)))),
      "a newer version only": answers("unsupported", joined(NEWER(KEY))),
      "a newer version behind a pending receipt": answers("unsupported", joined(PENDING, NEWER(KEY))),
    },
  },
  {
    id: "RC03",
    text: RECEIPT_SENTENCES.RC03,
    faults: {
      ...forEachDamage("a line of another key", (damaged) => sameAnswer(damaged(lineOf(3, OTHER, "pending")))),
      "a line that is no record": sameAnswer("this is no record"),
      "another key in a newer version": sameAnswer(NEWER(OTHER)),
    },
  },
  {
    id: "RC04",
    text: RECEIPT_SENTENCES.RC04,
    faults: {
      ...forEachDamage("a newer line", (damaged) => reported(damaged(COMPLETED))),
      "a newer line of a newer version": reported(NEWER(KEY)),
    },
  },
];

export const ZERO_RULE: ReceiptRule = {
  id: "RC12",
  text: RECEIPT_SENTENCES.RC12,
  faults: {
    "no file": populated(0, undefined),
    "other keys only": populated(2, joined(...STRANGERS)),
    "one bad line of three": populated(3, joined("this is no record", ...STRANGERS)),
  },
};
