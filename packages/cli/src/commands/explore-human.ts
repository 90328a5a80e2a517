/** What a search came to, for people. Never a bare pass: exhausted within its bounds, or sampled with its figures. */
import { type Cell, type ExploreReport, type Finding, grouped, layoutOf, printable, terminalDiagram, widthOf } from "@casebook/explore";
import { placeOf } from "@casebook/sim/kernel";
import type { Searched } from "./explore.ts";

export interface ExploreTextOptions {
  readonly notSearched: readonly string[];
  readonly saved: readonly string[];
  readonly width: number | undefined;
}

const DEFAULT_WIDTH = 100;
/** A diagram, its finding and the counts on one screen. */
const DIAGRAM_ROWS = 40;

const ATOMIC = "A step is one call at a port with everything up to the next one; inside one process every order of its calls is played, without reduction.";
const DRAWN = "A step is one call at a port with everything up to the next one; orders of steps were drawn, inside one process as between two, and none was played out.";

export function exploreText(searched: readonly Searched[], { notSearched, saved, width = DEFAULT_WIDTH }: ExploreTextOptions): string {
  const ends = [
    ...notSearched.map((name) => `not searched, because it was interrupted before: ${name}`),
    ...saved.map((path) => `saved ${path}`),
  ];
  return [...searched.map((one) => systemText(one, width)), `${[...ends, searched.some(isDrawn) ? DRAWN : ATOMIC].join("\n")}\n`].join("\n");
}

/** Nothing in it was played out. */
function isDrawn({ report: { bounds, executions } }: Searched): boolean {
  return executions > 0 && bounds.strategy !== "mix" && bounds.strategy !== "exhaustive";
}

function systemText(one: Searched, width: number): string {
  const { system, report, found } = one;
  const lines = [
    `${printable(system.name)}: ${printable(system.claim)}`,
    `  ${cameTo(one)}`,
    `  arms planned ${report.planned}, exhausted ${report.exhausted}, sampled ${report.sampled}, failed ${report.failed}, not run ${report.notRun}`,
    `  played ${counted(report.executions - report.blocked, "execution")}, ${counted(report.steps, "step")}; ${grouped(report.blocked)} more given up as equivalent to one played`,
    ...report.notRunBecause.map((because) => `  NOT RUN ${printable(because)}`),
    ...coverageLines(report, width - 2).map((line) => `  ${line}`),
    ...report.sometimes.map(({ name, executions }) => `  ${executions === 0 ? "gap, in 0" : `sometimes, in ${grouped(executions)}`} of ${counted(report.executions - report.blocked, "execution")}: ${printable(name)}`),
    ...found.flatMap(({ finding, trace }) => ["", ...findingLines(finding), ...terminalDiagram(layoutOf(trace, { maxRows: DIAGRAM_ROWS }), width - 2).trimEnd().split("\n"), `casebook replay ${finding.token}`].map((line) => (line === "" ? "" : `  ${line}`))),
  ];
  return `${lines.join("\n")}\n`;
}

function cameTo({ system: { expect = "holds" }, report }: Searched): string {
  const found = `${counted(report.findings.length, "finding")} in ${report.failed} of ${counted(report.planned, "arm")}`;
  if (report.verdict === "interrupted") return `interrupted; ${report.findings.length === 0 ? "nothing was found so far" : `so far ${found}`}`;
  if (report.verdict === "failed") return expect === "fails" ? `fails, as it is there to show: ${found}` : `FAIL: ${found}`;
  if (report.verdict === "not-run") return `NOT RUN: ${report.notRun} of ${counted(report.planned, "arm")} without a verdict${report.notRun === report.planned ? "" : ", nothing found in the others"}`;
  const { strategy, seed } = report.bounds;
  const within = report.verdict === "exhausted" ? `exhausted within ${boundsText(report)}` : `sampled, ${boundsText(report)}, strategy ${strategy}, seed ${seed}; ${coverageText(report)}`;
  return expect === "fails" ? `FAIL: it is there to show a failure, and the search found none; ${within}` : within;
}

function boundsText({ bounds: { budget, reduction, faults, durability, pairs } }: ExploreReport): string {
  const which = { none: "no fault", singles: "no fault or one", pairs: "no fault, one or two" }[faults] ?? faults;
  const disk = durability === "kill" ? "" : `, disk ${durability} with the images none, all, all but one and only one lost`;
  const some = pairs === undefined ? "" : `, ${grouped(pairs.drawn)} of ${counted(pairs.of, "pair")} drawn`;
  return `${which}${some}, at most ${counted(budget, "execution")} an arm${disk}${reduction === "plain" ? ", no reduction" : ""}`;
}

function coverageText({ cells }: ExploreReport): string {
  return `coverage ${cells.filter(({ fired }) => fired > 0).length} of ${counted(cells.length, "cell")}`;
}

/** Point by kind, links and watchers apart. A cell that says NOT RUN never fired, and is no part of the planned count. */
function coverageLines(report: ExploreReport, width: number): string[] {
  const { cells, pairsNotMet } = report;
  if (cells.length === 0) return [];
  const isSilent = cells.some(({ fired }) => fired === 0);
  return [
    `executions in which a fault fired, ${coverageText(report)}${isSilent ? "; NOT RUN: never fired, outside the planned count" : ""}`,
    ...(["point", "link", "watch"] as const).flatMap((place) =>
      tableOf(cells.filter(({ point }) => placeOf(point) === place && processOfStep(point) === undefined), width),
    ),
    ...stepLines(cells),
    ...(pairsNotMet === 0 ? [] : [`${counted(pairsNotMet, "pair")} of which no execution fired both, outside the planned count`]),
  ];
}

const NOT_RUN = "NOT RUN";

function processOfStep(point: string): string | undefined {
  return /^step \d+ of (.*)$/.exec(point)?.[1];
}

/** A line for each process and kind: at how many of its port calls it struck. */
function stepLines(cells: readonly Cell[]): string[] {
  const counts = new Map<string, { struck: number; calls: number; executions: number }>();
  for (const { point, kind, fired } of cells) {
    const process = processOfStep(point);
    if (process === undefined) continue;
    const name = `${kind} at the port calls of ${printable(process)}`;
    const { struck, calls, executions } = counts.get(name) ?? { struck: 0, calls: 0, executions: 0 };
    counts.set(name, { struck: struck + (fired > 0 ? 1 : 0), calls: calls + 1, executions: executions + fired });
  }
  return [...counts].map(([name, { struck, calls, executions }]) => `${name}: struck at ${struck} of ${calls}, in ${counted(executions, "execution")}`);
}

/** As many blocks of columns as the width needs. */
function tableOf(cells: readonly Cell[], width: number): string[] {
  const points = [...new Set(cells.map(({ point }) => point))];
  const firedAt = new Map(cells.map(({ point, kind, fired }) => [`${kind} ${point}`, fired === 0 ? NOT_RUN : grouped(fired)]));
  const nameWidth = Math.max(0, ...points.map((point) => widthOf(printable(point))));
  const columns = [...new Set(cells.map(({ kind }) => kind))].map((kind) => ({ kind, width: Math.max(kind.length, NOT_RUN.length) + 2 }));
  return blocksOf(columns, width - nameWidth).flatMap((block) => {
    const row = (name: string, cell: (kind: string) => string): string =>
      `${name}${" ".repeat(nameWidth - widthOf(name))}${block.map(({ kind, width: wide }) => cell(kind).padStart(wide)).join("")}`;
    return [row("", (kind) => kind), ...points.map((point) => row(printable(point), (kind) => firedAt.get(`${kind} ${point}`) ?? "-"))];
  });
}

function blocksOf<Column extends { readonly width: number }>(columns: readonly Column[], width: number): Column[][] {
  const blocks: Column[][] = [];
  let used = 0;
  for (const column of columns) {
    const last = blocks.at(-1);
    if (last === undefined || used + column.width > width) {
      blocks.push([column]);
      used = column.width;
    } else {
      last.push(column);
      used += column.width;
    }
  }
  return blocks;
}

function findingLines({ check, says, faults, arms, shrunk }: Finding): string[] {
  const { before, preemptions, failure, isLeast, tried } = shrunk;
  const least = isLeast ? "no execution with fewer switches fails" : "fewer switches were not ruled out";
  return [
    `FAIL ${printable(check)}: ${printable(says)} (in ${counted(arms, "arm")})`,
    faults.length === 0 ? "without a fault" : `with ${faults.map(printable).join(" and ")}`,
    `${counted(faults.length, "fault")}, ${counted(preemptions, "switch")}, ${counted(before.steps, "step")} to ${grouped(failure.steps)}; ${least} (${counted(tried, "execution")} tried)`,
  ];
}

function counted(count: number, what: string): string {
  const plural = what.endsWith("switch") ? `${what}es` : `${what}s`;
  return `${grouped(count)} ${count === 1 ? what : plural}`;
}
