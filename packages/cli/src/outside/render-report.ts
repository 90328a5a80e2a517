/** A report from outside as text: the block to paste, the entry for `case.json`, the address of the form. Pure: facts in, text out. */
import type { Case, CaseFile } from "../catalog/catalog.ts";
import type { Outcome } from "./contradiction.ts";

export interface OutsideReport {
  readonly item: Pick<Case, "number" | "title">;
  readonly outcome: Outcome;
  /** What the run said and counted; undefined when nothing was played. */
  readonly run: { readonly verdict: string; readonly text: string; readonly counters: readonly string[]; readonly traces: readonly string[] } | undefined;
  readonly contradiction: string | undefined;
  readonly version: string;
  readonly system: string;
  readonly runtime: string;
  /** `repro.ts sha-256 …`: what was run. */
  readonly code: string;
  /** UTC. */
  readonly day: string;
  readonly note: string | undefined;
}

/** Markdown. */
export function renderBlock(report: OutsideReport): string {
  const { item, outcome, run, contradiction, version, system, runtime, code, day, note } = report;
  const rows: (readonly [string, string])[] = [
    ["case", `${item.number} ${item.title}`],
    ["outcome, as stated", outcome],
    ["the run said", run?.verdict ?? "nothing was played"],
    ...(contradiction === undefined ? [] : [["to be explained", contradiction] as const]),
    ["casebook", version],
    ["system", system],
    ["runtime", runtime],
    ["code", code],
    ["day (UTC)", day],
  ];
  return [
    `### Case ${item.number}: ${outcome}`,
    "",
    "| fact | value |",
    "| --- | --- |",
    ...rows.map(([name, value]) => `| ${name} | ${value.replaceAll("|", String.raw`\|`)} |`),
    ...(run === undefined ? [] : ["", ...fenced(run.text), "", ...fenced(run.traces.map((line) => `${line}\n`).join(""))]),
    ...(note === undefined ? [] : ["", ...note.split("\n").map((line) => `> ${line}`.trimEnd())]),
    "",
  ].join("\n");
}

/** A fence longer than any that stands in the text. */
function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`, text.trimEnd(), fence];
}

/** For `reproductions[]`. Two things nobody but a person knows; a case.json that still holds them is refused. */
export function entryOf({ outcome, run, version, system, runtime, day }: OutsideReport): CaseFile["reproductions"][number] {
  return {
    by: "<your name or handle>",
    outcome,
    caseVersion: version,
    os: system,
    runtime,
    counters: [...(run?.counters ?? [])],
    link: "<address of your report>",
    on: day,
  };
}

/** Beyond this, servers and chat programs cut an address off. */
export const MAX_ADDRESS_LENGTH = 2_000;

/**
 * The form, prefilled by the ids of its text fields. Not its two dropdowns: GitHub was seen to answer with an empty form when one is
 * prefilled, so case and outcome stand in the title and are chosen by hand.
 */
export function formAddress(report: OutsideReport, block: string, repository: string | undefined): { address: string; holdsReport: boolean } {
  const { item, outcome, version, system, runtime, day } = report;
  const fields = { template: "reproduction.yml", title: `Case ${item.number}: ${outcome}`, version, system, runtime, day };
  const base = `${repository === undefined ? "" : `${repository}/`}issues/new?`;
  const whole = base + new URLSearchParams({ ...fields, report: block }).toString();
  return whole.length <= MAX_ADDRESS_LENGTH ? { address: whole, holdsReport: true } : { address: base + new URLSearchParams(fields).toString(), holdsReport: false };
}
