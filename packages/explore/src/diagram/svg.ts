/**
 * The diagram as a picture: static SVG without a script, an address or a font of its own, readable on light and dark ground.
 * Time runs downwards. Well-formed whatever the names are: what XML cannot hold is spelled out.
 */
import { type Layout, notesOf, remark, type Row, type Standing, type StepRow } from "./layout.ts";
import { cut, printable, widthOf } from "./printable.ts";

const ROW = 20;
const TOP = 56;
const LEFT = 56;
/** Of the monospaced font at 12 pixels, rounded up so that text of another font still fits. */
const CELL = 7.5;
const LONGEST_NAME = 24;
const LONGEST_TEXT = 100;

const STYLE = `
  svg { color-scheme: light dark; --ground: #ffffff; --ink: #1f2328; --faint: #8c959f; --mark: #0969da; --bad: #cf222e; }
  @media (prefers-color-scheme: dark) { svg { --ground: #0d1117; --ink: #e6edf3; --faint: #7d8590; --mark: #4493f8; --bad: #ff7b72; } }
  .ground { fill: var(--ground); }
  text { fill: var(--ink); font: 12px ui-monospace, Menlo, Consolas, monospace; white-space: pre; }
  .faint { fill: var(--faint); }
  .bad { fill: var(--bad); }
  .title { font-weight: bold; }
  .lane { stroke: var(--faint); stroke-width: 1.5; }
  .stopped { stroke-dasharray: 3 3; }
  .dot { fill: var(--mark); }
  .arrow { stroke: var(--mark); stroke-width: 1.5; fill: none; }
  .head { fill: var(--mark); }
`;

export function svgDiagram(layout: Layout): string {
  const { lanes, rows } = layout;
  const names = lanes.map(({ name, host }) => shown(host === "" ? name : `${name}@${host}`, LONGEST_NAME));
  const laneWidth = Math.max(48, ...names.map((name) => widthOf(name) * CELL + 16));
  const textAt = LEFT + laneWidth * lanes.length + 8;
  const lines = linesOf(layout);
  const longest = Math.max(widthOf(shown(layout.title, LONGEST_TEXT)) - (textAt - 8) / CELL, ...lines.map(({ text }) => widthOf(text)), 20);
  const width = Math.ceil(textAt + longest * CELL + 16);
  const height = TOP + ROW * (rows.length + extraLines(rows)) + 16;
  const yOf = placesOf(rows);
  const xOf = (lane: number): number => LEFT + laneWidth * lane + laneWidth / 2;
  const parts = [
    `<title>${escaped(printable(layout.title))}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    label(8, 20, shown(layout.title, LONGEST_TEXT), "title"),
    ...names.map((name, lane) => `<text x="${xOf(lane)}" y="${TOP - 14}" text-anchor="middle">${escaped(name)}</text>`),
    ...rows.flatMap((_, at) => laneLines(rows[at - 1]?.standings ?? layout.start, yOf, at, xOf)),
    ...rows.flatMap((row, at) => (row.what === "step" ? stepMarks(row, yOf, at, xOf) : [])),
    ...lines.map(({ y, text, style }) => label(textAt, y + 4, text, style)),
    ...rows.flatMap((row, at) => (row.what === "step" ? [label(8, (yOf[at] as number) + 4, String(row.number), "faint")] : [])),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">\n${parts.join("\n")}\n</svg>\n`;
}

interface Line {
  readonly y: number;
  readonly text: string;
  readonly style: string;
}

function linesOf({ lanes, rows }: Layout): Line[] {
  const yOf = placesOf(rows);
  return rows.flatMap((row, at) => {
    const y = yOf[at] as number;
    if (row.what === "end") return endLines(row.text).map((text, line) => ({ y: y + ROW * line, text, style: row.isFailure ? "bad" : "title" }));
    if (row.what !== "step") return [{ y, text: shown(remark(row, lanes), LONGEST_TEXT), style: "faint" }];
    const more = notesOf(row).map(({ mark, text, isFault }) => ({ text: `${mark} ${text}`, style: isFault ? "bad" : "faint" }));
    return [{ text: row.text, style: "" }, ...more].map(({ text, style }, line) => ({ y: y + ROW * line, text: shown(text, LONGEST_TEXT), style }));
  });
}

/** The end is not cut, it goes on below. */
function endLines(text: string): string[] {
  const characters = [...printable(text)];
  return Array.from({ length: Math.max(1, Math.ceil(characters.length / LONGEST_TEXT)) }, (_, at) => characters.slice(at * LONGEST_TEXT, (at + 1) * LONGEST_TEXT).join(""));
}

function linesIn(row: Row): number {
  if (row.what === "end") return endLines(row.text).length;
  return row.what === "step" ? 1 + notesOf(row).length : 1;
}

function extraLines(rows: readonly Row[]): number {
  return rows.reduce((lines, row) => lines + linesIn(row) - 1, 0);
}

function placesOf(rows: readonly Row[]): number[] {
  let y = TOP + ROW / 2;
  return rows.map((row) => {
    const place = y;
    y += ROW * linesIn(row);
    return place;
  });
}

/** From the row above to this one: a process that is gone has no line. */
function laneLines(above: readonly Standing[], yOf: readonly number[], at: number, xOf: (lane: number) => number): string[] {
  const top = at === 0 ? TOP - 6 : (yOf[at - 1] as number);
  return above.flatMap((standing, lane) => {
    if (standing === "gone") return [];
    return [`<line class="lane${standing === "stopped" ? " stopped" : ""}" x1="${xOf(lane)}" y1="${top}" x2="${xOf(lane)}" y2="${yOf[at]}"/>`];
  });
}

function stepMarks(row: StepRow, yOf: readonly number[], at: number, xOf: (lane: number) => number): string[] {
  const [x, y] = [xOf(row.lane), yOf[at] as number];
  const dot = row.faults.length === 0 ? `<circle class="dot" cx="${x}" cy="${y}" r="4"/>` : `<path class="bad" d="M${x - 5} ${y - 3}l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z"/>`;
  const { arrow } = row;
  if (arrow === undefined || arrow.lane === row.lane) return [dot];
  const from = xOf(arrow.lane);
  const side = from < x ? -1 : 1;
  const tip = x + side * 5;
  return [
    `<line class="arrow" x1="${from}" y1="${yOf[arrow.from]}" x2="${tip + side * 6}" y2="${y}"/>`,
    `<path class="head" d="M${tip} ${y}l${side * 8}-4v8z"/>`,
    dot,
  ];
}

function label(x: number, y: number, text: string, style: string): string {
  return `<text${style === "" ? "" : ` class="${style}"`} x="${x}" y="${y}">${escaped(text)}</text>`;
}

function shown(text: string, longest: number): string {
  return cut(printable(text), longest);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
