/** The pages of the conformance kit that follow from its data: rules, capabilities, what a program may ask for, and the known-bad matrix. */
import { CAPABILITIES, DISPATCH_RULES, isChecked } from "@casebook/conformance";
import { ASKS } from "@casebook/conformance/node";

export const RULE_MARKERS = ["<!-- rules:start -->", "<!-- rules:end -->"] as const;
export const CAPABILITY_MARKERS = ["<!-- capabilities:start -->", "<!-- capabilities:end -->"] as const;
export const ASK_MARKERS = ["<!-- asks:start -->", "<!-- asks:end -->"] as const;
export const MATRIX_MARKERS = ["<!-- matrix:start -->", "<!-- matrix:end -->"] as const;

export function renderRules(): string {
  const rows = DISPATCH_RULES.map((rule) => {
    const { number, level, sentence } = rule;
    const more = isChecked(rule) ? [...rule.needs, ...(rule.needsProbe === undefined ? [] : [`probe: ${rule.needsProbe}`])].join(", ") : `because ${rule.because}`;
    return `| ${number} | ${level} | ${sentence} | ${more} |`;
  });
  return ["| rule | level | sentence | needs |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

export function renderCapabilities(): string {
  return ["| declare | when |", "| --- | --- |", ...Object.entries(CAPABILITIES).map(([name, says]) => `| \`${name}\` | ${says} |`)].join("\n");
}

export function renderAsks(): string {
  return Object.keys(ASKS).map((name) => `\`${name}\``).join(", ");
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

export function matrixOf(text: string): readonly MatrixRow[] {
  return JSON.parse(text) as readonly MatrixRow[];
}

export function renderMatrix(rows: readonly MatrixRow[]): string {
  const table = rows.map(({ name, expected, failed }) => `| ${name} | ${expected.join(" ") || "–"} | ${failed.join(" ") || "–"} |`);
  const surprises = rows.flatMap(({ name, surprises: all, unseen }) => [...Object.entries(all).map(([rule, because]) => `- ${name}, ${rule}: ${because}`), ...(unseen === undefined ? [] : [`- ${name}: ${unseen}`])]);
  return ["| dispatcher | expected to fail | fails |", "| --- | --- | --- |", ...table, "", "What was not expected, and what this kit cannot see:", "", ...surprises].join("\n");
}
