/** The pages of the conformance kit that follow from its data: rules, capabilities, what a program may ask for, and the known-bad matrix. */
import { CAPABILITIES, DISPATCH_RULES, isChecked, RECEIPT_CAPABILITIES, RECEIPT_LOG_RULES } from "@casebook/conformance";
import { ASKS } from "@casebook/conformance/node";
import { between } from "./render.ts";

const RULE_MARKERS = ["<!-- rules:start -->", "<!-- rules:end -->"] as const;
const RECEIPT_RULE_MARKERS = ["<!-- receipt-rules:start -->", "<!-- receipt-rules:end -->"] as const;
const RECEIPT_CAPABILITY_MARKERS = ["<!-- receipt-capabilities:start -->", "<!-- receipt-capabilities:end -->"] as const;
const CAPABILITY_MARKERS = ["<!-- capabilities:start -->", "<!-- capabilities:end -->"] as const;
const ASK_MARKERS = ["<!-- asks:start -->", "<!-- asks:end -->"] as const;
export const MATRIX_MARKERS = ["<!-- matrix:start -->", "<!-- matrix:end -->"] as const;

function renderRules(): string {
  const rows = DISPATCH_RULES.map((rule) => {
    const { number, level, sentence } = rule;
    const more = isChecked(rule) ? [...rule.needs, ...(rule.needsProbe === undefined ? [] : [`probe: ${rule.needsProbe}`])].join(", ") : `because ${rule.because}`;
    return `| ${number} | ${level} | ${sentence} | ${more} |`;
  });
  return ["| rule | level | sentence | needs |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function renderReceiptRules(): string {
  const rows = RECEIPT_LOG_RULES.map((rule) => `| ${rule.number} | ${rule.level} | ${rule.sentence} | ${rule.level === "not-checked" ? `because ${rule.because}` : [...rule.needs, ...(rule.play.damage === undefined ? [] : [`bytes: ${rule.play.damage}`])].join(", ")} |`);
  return ["| rule | level | sentence | needs, and what is done |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function renderCapabilities(all: Readonly<Record<string, string>> = CAPABILITIES): string {
  return ["| declare | when |", "| --- | --- |", ...Object.entries(all).map(([name, says]) => `| \`${name}\` | ${says} |`)].join("\n");
}

function renderAsks(): string {
  return Object.keys(ASKS).map((name) => `\`${name}\``).join(", ");
}

/** The page of the kit, with its blocks renewed. */
export function kitPage(page: string): string {
  const blocks: readonly (readonly [readonly [string, string], string])[] = [
    [RULE_MARKERS, renderRules()],
    [CAPABILITY_MARKERS, renderCapabilities()],
    [ASK_MARKERS, renderAsks()],
    [RECEIPT_RULE_MARKERS, renderReceiptRules()],
    [RECEIPT_CAPABILITY_MARKERS, renderCapabilities(RECEIPT_CAPABILITIES)],
  ];
  return blocks.reduce((before, [markers, block]) => between(before, markers, block), page);
}

export interface MatrixRow {
  readonly name: string;
  /** Rules that it was expected to fail, from what was written down for our own suite. */
  readonly expected: readonly string[];
  readonly failed: readonly string[];
  /** Why a rule fails that was not expected to, or the other way round. */
  readonly surprises: Readonly<Record<string, string>>;
  /** Why no rule of the kit can see it, where none does. */
  readonly unseen?: string;
}

export interface Matrix {
  /** Of the budget of each rule. */
  readonly share: number;
  readonly seed: number;
  readonly rows: readonly MatrixRow[];
}

export function matrixOf(text: string): Matrix {
  return JSON.parse(text) as Matrix;
}

export function renderMatrix({ share, seed, rows }: Matrix): string {
  const table = rows.map(({ name, expected, failed }) => `| ${name} | ${expected.join(" ") || "–"} | ${failed.join(" ") || "–"} |`);
  const surprises = rows.flatMap(({ name, surprises: all, unseen }) => {
    const reasons = [...new Set(Object.values(all))];
    const rulesOf = (reason: string): string => Object.keys(all).filter((rule) => all[rule] === reason).join(" ");
    return [...reasons.map((reason) => `- ${name}, ${rulesOf(reason)}: ${reason}`), ...(unseen === undefined ? [] : [`- ${name}, not seen: ${unseen}`])];
  });
  const [seen, of] = [rows.filter(({ failed }) => failed.length > 0).length, rows.length - 1];
  const how = `${seen} of ${of} are seen: seed ${seed}, ${share === 1 ? "the whole budget" : `${share} of the budget`}.`;
  return [how, "", "| dispatcher | expected to fail | fails |", "| --- | --- | --- |", ...table, "", "What was not expected, and what this kit cannot see:", "", ...surprises].join("\n");
}
