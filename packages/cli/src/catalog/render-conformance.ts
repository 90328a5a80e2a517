/** The pages of the conformance kit that follow from its data: rules, capabilities, what a program may ask for, and the known-bad matrix. */
import { CAPABILITIES, DISPATCH_RULES, isChecked, RECEIPT_CAPABILITIES, RECEIPT_LOG_RULES, SUPERVISION_RULES, SUPERVISOR_CAPABILITIES } from "@casebook/conformance";
import { ASKS } from "@casebook/conformance/node";
import { between } from "./render.ts";

const RULE_MARKERS = ["<!-- rules:start -->", "<!-- rules:end -->"] as const;
const RECEIPT_RULE_MARKERS = ["<!-- receipt-rules:start -->", "<!-- receipt-rules:end -->"] as const;
const RECEIPT_CAPABILITY_MARKERS = ["<!-- receipt-capabilities:start -->", "<!-- receipt-capabilities:end -->"] as const;
const SUPERVISION_RULE_MARKERS = ["<!-- supervision-rules:start -->", "<!-- supervision-rules:end -->"] as const;
const SUPERVISOR_CAPABILITY_MARKERS = ["<!-- supervisor-capabilities:start -->", "<!-- supervisor-capabilities:end -->"] as const;
const CAPABILITY_MARKERS = ["<!-- capabilities:start -->", "<!-- capabilities:end -->"] as const;
const ASK_MARKERS = ["<!-- asks:start -->", "<!-- asks:end -->"] as const;
const MATRIX_MARKERS = ["<!-- matrix:start -->", "<!-- matrix:end -->"] as const;
const RECEIPT_MATRIX_MARKERS = ["<!-- receipt-matrix:start -->", "<!-- receipt-matrix:end -->"] as const;
const SUPERVISOR_MATRIX_MARKERS = ["<!-- supervisor-matrix:start -->", "<!-- supervisor-matrix:end -->"] as const;

function renderRules(): string {
  const rows = DISPATCH_RULES.map((rule) => {
    const { number, level, sentence } = rule;
    const more = isChecked(rule) ? [...rule.needs, ...(rule.needsProbe === undefined ? [] : [`probe: ${rule.needsProbe}`])].join(", ") : `because ${rule.because}`;
    return `| ${number} | ${level} | ${sentence} | ${more} |`;
  });
  return ["| rule | level | sentence | needs |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function renderReceiptRules(): string {
  const rows = RECEIPT_LOG_RULES.map((rule) => {
    const { number, level, sentence } = rule;
    if (rule.level === "not-checked") return `| ${number} | ${level} | ${sentence} | because ${rule.because} |`;
    const { needs, faults, play } = rule;
    const done = [...needs, ...("each" in faults ? [faults.each, ...(faults.also ?? []).flat()].map(({ kind }) => kind) : []), ...(play.damage === undefined ? [] : [`bytes: ${play.damage}`])];
    return `| ${number} | ${level} | ${sentence} | ${[...new Set(done)].join(", ")} |`;
  });
  return ["| rule | level | sentence | needs, and what is done |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function renderSupervisionRules(): string {
  const rows = SUPERVISION_RULES.map((rule) => {
    if (rule.level === "not-checked") return `| ${rule.number} | ${rule.level} | ${rule.sentence} | because ${rule.because} |`;
    const { number, level, sentence, needs, happens } = rule;
    return `| ${number} | ${level} | ${sentence} | ${happens}${needs.length === 0 ? "" : `; ${needs.join(", ")}`} |`;
  });
  return ["| rule | level | sentence | what happens; needs |", "| --- | --- | --- | --- |", ...rows].join("\n");
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
    [SUPERVISION_RULE_MARKERS, renderSupervisionRules()],
    [SUPERVISOR_CAPABILITY_MARKERS, renderCapabilities(SUPERVISOR_CAPABILITIES)],
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

/** docs/conformance.md with its matrices renewed; `read` answers the text of a file of the kit. */
export function matrixPage(page: string, read: (file: string) => string): string {
  const renewed = (before: string, markers: readonly [string, string], text: string): string => between(before, markers, text);
  const dispatchers = renewed(page, MATRIX_MARKERS, renderDispatcherMatrix(JSON.parse(read("test/known-bad.json")) as Matrix));
  const logs = renewed(dispatchers, RECEIPT_MATRIX_MARKERS, renderMatrix("receipt log", JSON.parse(read("test/known-bad-receipts.json")) as readonly MatrixRow[]));
  return renewed(logs, SUPERVISOR_MATRIX_MARKERS, renderSupervisorMatrix(JSON.parse(read("test/known-bad-supervisors.json")) as readonly SupervisorMatrixRow[]));
}

function renderDispatcherMatrix({ share, seed, rows }: Matrix): string {
  const [seen, of] = [rows.filter(({ failed }) => failed.length > 0).length, rows.length - 1];
  return [`${seen} of ${of} are seen: seed ${seed}, ${share === 1 ? "the whole budget" : `${share} of the budget`}.`, "", renderMatrix("dispatcher", rows)].join("\n");
}

function renderMatrix(of: string, rows: readonly MatrixRow[]): string {
  const table = rows.map(({ name, expected, failed }) => `| ${name} | ${expected.join(" ") || "–"} | ${failed.join(" ") || "–"} |`);
  const surprises = rows.flatMap(({ name, surprises: all, unseen }) => {
    const reasons = [...new Set(Object.values(all))];
    const rulesOf = (reason: string): string => Object.keys(all).filter((rule) => all[rule] === reason).join(" ");
    return [...reasons.map((reason) => `- ${name}, ${rulesOf(reason)}: ${reason}`), ...(unseen === undefined ? [] : [`- ${name}, not seen: ${unseen}`])];
  });
  return [`| ${of} | expected to fail | fails |`, "| --- | --- | --- |", ...table, "", "What was not expected, and what this kit cannot see:", "", ...surprises].join("\n");
}

interface SupervisorMatrixRow {
  readonly name: string;
  /** Sentences that it was expected to break, by number, from what was written down for our own suite. */
  readonly expected: readonly string[];
  readonly broken: readonly string[];
  /** Rules that failed. */
  readonly failed: readonly string[];
  readonly surprises: Readonly<Record<string, string>>;
}

function renderSupervisorMatrix(rows: readonly SupervisorMatrixRow[]): string {
  const table = rows.map(({ name, expected, broken, failed }) => `| ${name} | ${[expected, broken, failed].map((list) => list.join(" ") || "–").join(" | ")} |`);
  const surprises = rows.flatMap(({ name, surprises: all }) => Object.entries(all).map(([sentence, because]) => `- ${name}, ${sentence}: ${because}`));
  return ["| supervisor | expected to break | breaks | in the rules |", "| --- | --- | --- | --- |", ...table, "", "What was not expected:", "", ...surprises].join("\n");
}
