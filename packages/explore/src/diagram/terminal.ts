/**
 * The diagram as plain text: lanes to the left, what happened to the right, no colour. Lanes that do not fit are numbered, and
 * the numbers explained. Text that is too wide is cut and says so; the trace has all of it.
 */
import { type Lane, type Layout, notesOf, remark, type Row, type Standing, type StepRow } from "./layout.ts";
import { cut, padded, printable, widthOf } from "./printable.ts";

export const DEFAULT_WIDTH = 100;
const NARROWEST = 40;
const LINES: Readonly<Record<Standing, string>> = { running: "│", stopped: "┊", gone: " " };

export function terminalDiagram(layout: Layout, width: number = DEFAULT_WIDTH): string {
  const wide = Math.max(width, NARROWEST);
  const { heads, legend, laneWidth } = headsOf(layout.lanes, wide);
  const numberWidth = Math.max(4, ...layout.rows.map((row) => (row.what === "step" ? String(row.number).length : 0)));
  const textAt = numberWidth + 2 + laneWidth * layout.lanes.length;
  const lines = layout.rows.flatMap((row) => rowLines(row, { lanes: layout.lanes, numberWidth, laneWidth, textAt, width: wide }));
  const head = `${"step".padStart(numberWidth)}  ${heads.map((name) => padded(name, laneWidth)).join("")}`;
  return [...legend, head.trimEnd(), ...lines].map((line) => `${line}\n`).join("");
}

function headsOf(lanes: readonly Lane[], width: number): { heads: string[]; legend: string[]; laneWidth: number } {
  const names = lanes.map(({ name, host }) => printable(host === "" ? name : `${name}@${host}`));
  const laneWidth = Math.max(0, ...names.map(widthOf)) + 2;
  // Half of the width is for what happened.
  if (laneWidth * lanes.length <= width / 2) return { heads: names, legend: [], laneWidth };
  const numbers = names.map((_, at) => String(at + 1));
  return {
    heads: numbers,
    legend: names.map((name, at) => cut(`${numbers[at]} = ${name}`, width)),
    laneWidth: Math.max(3, String(names.length).length + 1),
  };
}

interface Columns {
  readonly lanes: readonly Lane[];
  readonly numberWidth: number;
  readonly laneWidth: number;
  readonly textAt: number;
  readonly width: number;
}

function rowLines(row: Row, columns: Columns): string[] {
  const { numberWidth, textAt, width } = columns;
  const room = Math.max(10, width - textAt);
  const number = row.what === "step" ? String(row.number) : row.what === "left-out" ? "⋮" : "";
  const lanes = laneCells(row, columns);
  const first = `${number.padStart(numberWidth)}  ${lanes}`;
  const below = `${" ".repeat(numberWidth)}  ${idleCells(row.standings, columns.laneWidth)}`;
  if (row.what === "end") return wrapped(printable(row.text), width);
  if (row.what !== "step") return [`${first}${cut(`- ${printable(remark(row, columns.lanes))}`, room)}`];
  const more = notesOf(row).map(({ mark, text }) => `${mark} ${text}`);
  return [`${first}${cut(printable(row.text), room)}`, ...more.map((line) => `${below}${cut(printable(line), room)}`)].map((line) => line.trimEnd());
}

function laneCells(row: Row, { laneWidth }: Columns): string {
  if (row.what !== "step") return idleCells(row.standings, laneWidth);
  if (row.arrow === undefined || row.arrow.lane === row.lane) return cells(row, laneWidth);
  return withLine(row, row.arrow.lane, laneWidth);
}

function idleCells(standings: readonly Standing[], laneWidth: number): string {
  return standings.map((standing) => padded(LINES[standing], laneWidth)).join("");
}

function cells(row: StepRow, laneWidth: number): string {
  return row.standings.map((standing, lane) => padded(lane === row.lane ? "●" : LINES[standing], laneWidth)).join("");
}

/** From the lane of the sender to that of the receiver, over whatever lies between. */
function withLine(row: StepRow, from: number, laneWidth: number): string {
  const places = [...cells(row, laneWidth)];
  const [start, end] = [from * laneWidth, row.lane * laneWidth];
  const step = start < end ? 1 : -1;
  places[start] = start < end ? "├" : "┤";
  if (row.standings[from] === "gone") places[start] = start < end ? "╶" : "╴";
  for (let at = start + step; at !== end; at += step) places[at] = "─";
  places[end - step] = start < end ? "▶" : "◀";
  return places.join("");
}

/** The end is never cut: it is what the diagram is for. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = `  ${word}`;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
