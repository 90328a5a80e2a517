/** The catalog as text: the table of the README and the fact table of a case page. Pure: data in, text out. */
import type { Case, Catalog, Reserved } from "./catalog.ts";

export const TABLE_MARKERS = ["<!-- cases:start -->", "<!-- cases:end -->"] as const;
export const FACTS_MARKERS = ["<!-- facts:start -->", "<!-- facts:end -->"] as const;
export const OUTSIDE_MARKERS = ["<!-- reproductions:start -->", "<!-- reproductions:end -->"] as const;

/** The table of the README: reproduced and planned in one order, negatives as visible as positives. */
export function renderCaseTable(catalog: Catalog): string {
  const rows = [
    ...catalog.cases.map((item) => ({ number: item.number, line: caseRow(item) })),
    ...catalog.planned.map((item) => ({ number: item.number, line: plannedRow(item) })),
  ].toSorted((a, b) => (a.number < b.number ? -1 : 1));
  return [
    "| # | what fails | layer | status | evidence | upstream | outside: yes · no · partial · not run |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map((row) => row.line),
  ].join("\n");
}

function caseRow(item: Case): string {
  const title = `[${cell(item.title)}](${item.folder}/README.md)`;
  return `| ${item.number} | ${title} | ${item.layer} | ${item.status} | ${item.evidence.join(", ")} | ${firstUpstream(item)} | ${outsideCounts(item)} |`;
}

function plannedRow(item: Reserved): string {
  return `| ${item.number} | ${cell(item.title)} | ${item.layer} | planned | ${item.evidence.join(", ")} | ${cell(item.source)} | – |`;
}

function upstreamOf(item: Case): string {
  return item.upstream.length === 0
    ? "–"
    : item.upstream.map(upstreamText).join("; ");
}

/** The table has room for one; the page lists all. */
function firstUpstream(item: Case): string {
  const [first] = item.upstream;
  if (first === undefined) return "–";
  const more = item.upstream.length - 1;
  return `${upstreamText(first)}${more === 0 ? "" : `, and ${more} more`}`;
}

function upstreamText({ url, state, checkedOn, relation }: Case["upstream"][number]): string {
  const link = `[${shortName(url)}](${url})`;
  const seen = state === "not read" ? "state not read" : `${state} on ${checkedOn}`;
  return relation === undefined ? `${link} ${seen}` : `${link} (${cell(relation)}) ${seen}`;
}

/** `claude-code#90533` for an issue on a public tracker, else the address. */
export function shortName(url: string): string {
  const [, repository, number] = /\/([^/]+)\/(?:issues|pull)\/(\d+)$/.exec(url) ?? [];
  return repository === undefined ? url : `${repository}#${number}`;
}

/** `0 · 0 · 0 · 0`: reproduced, not reproduced, partial, not run. */
export function outsideCounts(item: Pick<Case, "reproductions">): string {
  return OUTCOMES.map((outcome) => countOf(item, outcome)).join(" · ");
}

/** As `OUTCOMES` of the schema, which is not loaded for a list. */
const OUTCOMES = ["reproduced", "not reproduced", "partial", "not run"] as const;

function countOf(item: Pick<Case, "reproductions">, outcome: (typeof OUTCOMES)[number]): number {
  return item.reproductions.filter((entry) => entry.outcome === outcome).length;
}

/** A zero of one outcome is said like any other number. */
function outcomesInWords(item: Case): string {
  return OUTCOMES.map((outcome) => `${countOf(item, outcome)} ${outcome}`).join(" · ");
}

/** Reports that say yes beside reports that do not. A report of a run that did not happen disagrees with nobody. */
function disagreement(item: Case): string {
  const answers = OUTCOMES.filter((outcome) => outcome !== "not run" && countOf(item, outcome) > 0);
  return answers.length < 2 ? "" : " The reports disagree, and none of them is taken for wrong: compare version, system and counters.";
}

/** The fact table on a case page. */
export function renderFacts(item: Case): string {
  const rows: [string, string][] = [
    ["status", item.status === "deprecated" ? "deprecated" : item.status],
    ["layer", item.layer],
    ["evidence", item.evidence.join(", ")],
    ["occurred", item.occurred],
    ["versions", item.versions],
    ["platform", item.platform],
    ["upstream", upstreamOf(item)],
    ["doctor", "layout" in item.doctor ? `layout \`${item.doctor.layout}\`` : `none: ${item.doctor.none}`],
    ["outside reproductions", `${outsideCounts(item)} (reproduced · not reproduced · partial · not run)`],
  ];
  return ["| fact | value |", "| --- | --- |", ...rows.map(([name, value]) => `| ${name} | ${cell(value)} |`)].join("\n");
}

/** What people outside this project saw, or that nobody has reported yet. */
export function renderOutside(item: Case): string {
  if (item.reproductions.length === 0) {
    return `0 reports from outside this project. Both answers are wanted: \`casebook run ${item.number}\`, then \`casebook report --repro ${item.number} --outcome reproduced\` or \`--outcome "not reproduced"\`.`;
  }
  return [
    `${item.reproductions.length === 1 ? "1 report" : `${item.reproductions.length} reports`}: ${outcomesInWords(item)}.${disagreement(item)}`,
    "",
    "| on | by | outcome | version | system | counters |",
    "| --- | --- | --- | --- | --- | --- |",
    ...item.reproductions.map(
      (entry) =>
        `| ${entry.on} | [${cell(entry.by)}](${entry.link}) | ${entry.outcome} | ${cell(entry.caseVersion)} | ${cell(`${entry.os}, ${entry.runtime}`)} | ${cell(entry.counters.join("; "))} |`,
    ),
  ].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** `MARKERS_MISSING`: the page has no place for its block. */
export class MarkersMissing extends Error {
  override readonly name = "MarkersMissing";
}

/** `text` with what stands between the markers replaced; `MarkersMissing` when it has none. */
export function between(text: string, [start, end]: readonly [string, string], replacement: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new MarkersMissing(`no ${start.trim()} … ${end.trim()}. Put both lines where the block belongs.`);
  return `${text.slice(0, from + start.length)}\n${replacement}\n${text.slice(to)}`;
}

/** `page` with the fence behind `<!-- output:ID -->` replaced by what a run printed, for every id that is given. */
export function withOutputs(page: string, outputs: ReadonlyMap<string, string>): string {
  return page.replace(/(<!-- output:([\w-]+) -->\n```\w*\n)([\s\S]*?)^```$/gm, (whole, start: string, id: string) => {
    const output = outputs.get(id);
    return output === undefined ? whole : `${start}${output}\`\`\``;
  });
}
