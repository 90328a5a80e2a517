/** `casebook replay <token|file>`: one execution again, step by step. A token that does not fit what is here is no verdict. */
import { type AnySystem, grouped, layoutOf, printable, replay as playAgain, svgDiagram, terminalDiagram, type TraceDocument, traceDocument, type TraceStep, Watch } from "@casebook/explore";
import { findRunner } from "@casebook/sim/node";
import { EXIT } from "@casebook/verdict";
import type { Answer } from "../answer.ts";
import { documentText } from "../answer.ts";
import { UsageError } from "../usage-error.ts";
import { readWhole } from "./explore-options.ts";
import { noVerdict } from "./no-verdict.ts";
import { readAll, readSource, type ReplaySource } from "./replay-source.ts";
import { type Library, searchableCase } from "./searchable.ts";

export interface ReplayWords {
  readonly twice?: true;
  readonly until?: string;
  readonly diagram?: true;
  readonly svg?: true;
  readonly json?: true;
}

export interface ReplayMachine {
  readonly library: Library;
  readonly width: number | undefined;
  readonly readStdin: () => Promise<string>;
}

const DEFAULT_WIDTH = 100;
/** Nothing is left out of a diagram that was asked for, up to what one can still scroll through. */
const DIAGRAM_ROWS = 2_000;
const MAX_STEP = 1_000_000;

type Again =
  | { readonly outcome: "played"; readonly trace: TraceDocument; readonly watch: Watch; readonly aside: string }
  | { readonly outcome: "stale"; readonly says: string };

export async function replay(given: string, words: ReplayWords, machine: ReplayMachine = thisMachine()): Promise<Answer> {
  checkTogether(words);
  const until = words.until === undefined ? undefined : readWhole("--until", words.until, 1, MAX_STEP);
  const source = await readSource(given, machine.readStdin);
  const { system, source: here } = await systemOf(source.token.system, machine.library);
  let again: Again;
  let second: Again | undefined;
  try {
    again = await playOnce(system, source, here, until);
    if (words.twice === true) second = await playOnce(system, source, here, until);
  } catch (thrown) {
    const { reason, says } = noVerdict(thrown);
    return without(reason, says, words);
  }
  if (again.outcome === "stale") return without("stale-token", again.says, words);
  const { trace, watch, aside } = again;
  if (until !== undefined && until > trace.steps.length) {
    throw new UsageError(`--until ${until} lies behind the end: the execution has ${trace.steps.length} steps.`);
  }
  const bytes = JSON.stringify(trace);
  if (second !== undefined && (second.outcome !== "played" || JSON.stringify(second.trace) !== bytes)) {
    return without("unstable-input", "played twice, it went two ways. Something that the world does not decide decides here.", words);
  }
  const twice = second === undefined ? [] : [`played twice: the same trace ${trace.hash}, the same ${grouped(bytes.length)} characters`];
  return {
    text: words.json === true ? `${JSON.stringify(trace, undefined, 2)}\n` : words.svg === true ? svgDiagram(layoutOf(trace, rowsUntil(until))) : text(trace, watch, until, words, machine.width ?? DEFAULT_WIDTH, twice),
    aside,
    exitCode: { holds: EXIT.clean, fails: EXIT.findings, "not-run": EXIT.noVerdict }[trace.judged.verdict],
  };
}

function checkTogether({ json, svg, diagram, until }: ReplayWords): void {
  const whole = [json === true ? "--json" : "", svg === true ? "--svg" : "", diagram === true ? "--diagram" : ""].filter((word) => word !== "");
  if (whole.length > 1) throw new UsageError(`${whole.join(" and ")} each fill stdout. Take one of them.`);
  if (json === true && until !== undefined) throw new UsageError("--json is the whole trace, and --until a part of it. Take one of them.");
}

async function systemOf(name: string, library: Library): Promise<{ system: AnySystem; source: string }> {
  const [number = ""] = name.split("/");
  const { systems, source, named } = await library(number);
  const system = systems.find((one) => one.name === name) ?? named?.(name);
  if (system !== undefined) return { system, source };
  const known = named === undefined ? ` Known: ${systems.map((one) => one.name).join(", ")}.` : "";
  throw new UsageError(`the token is of ${JSON.stringify(name)}, and ${named === undefined ? "case" : "the suite"} ${number} has no such system here.${known} Replay it with the version that printed it.`);
}

async function playOnce(system: AnySystem, { token, text: line, trace: recorded }: ReplaySource, here: string, until: number | undefined): Promise<Again> {
  const watch = new Watch(until);
  const replayed = await playAgain(system, token, await findRunner(), { source: here, watch });
  if (replayed.outcome === "stale") {
    const { simulation } = replayed;
    const other = recorded === undefined || simulation === undefined ? "" : firstDifference(recorded.steps, traceDocument(system, { execution: simulation.execution, watch, judged: { verdict: "given-up" }, token: line, source: token.source }).steps);
    return { outcome: "stale", says: `${replayed.says}${other}` };
  }
  const { judged, simulation } = replayed;
  const trace = traceDocument(system, { execution: simulation.execution, watch, judged, token: line, source: token.source });
  const hasChanged = token.source !== "" && token.source !== here;
  return { outcome: "played", trace, watch, aside: hasChanged ? `casebook: the token was made from other code of the case (${token.source}, here ${here}; a packed copy and a clone count as two); the trace is the same.\n` : "" };
}

/** Only a saved trace knows what the step was. */
function firstDifference(recorded: readonly TraceStep[], now: readonly TraceStep[]): string {
  const said = ({ process, operation, object, outcome, detail }: TraceStep): string => printable([process, operation, object, outcome, detail].filter((word) => word !== "").join(" "));
  const at = recorded.findIndex((step, index) => now[index] === undefined || said(step) !== said(now[index]));
  const [then, instead] = [recorded[at], now[at]];
  if (then === undefined) return "";
  return `; step ${at + 1} was \`${said(then)}\` and is ${instead === undefined ? "not there" : `\`${said(instead)}\``}`;
}

function without(reason: string, says: string, { json }: ReplayWords): Answer {
  const message = `NOT RUN (${reason}): ${says}`;
  const code = reason.replaceAll("-", "_").toUpperCase();
  return { text: json === true ? documentText({ error: { code, message } }) : `${message}\n`, exitCode: EXIT.noVerdict };
}

function text(trace: TraceDocument, watch: Watch, until: number | undefined, { diagram }: ReplayWords, width: number, twice: readonly string[]): string {
  const { judged, faults, steps } = trace;
  const said = judged.verdict === "fails" ? `FAIL ${judged.check}: ${judged.says}` : judged.verdict === "holds" ? "no check alarms" : `NOT RUN (${judged.says})`;
  const shown = steps.slice(0, until);
  const body = diagram === true ? terminalDiagram(layoutOf(trace, rowsUntil(until)), width).trimEnd().split("\n") : stepLines(shown, trace);
  return [
    `${trace.system}: ${trace.claim}`,
    said,
    faults.length === 0 ? "without a fault" : `with ${faults.map((fault) => fault.text).join(" and ")}`,
    `${grouped(steps.length)} steps, ${grouped(steps.at(-1)?.atMs ?? 0)} ms of virtual time; trace ${trace.hash} as in the token`,
    ...twice,
    "",
    ...body,
    ...(until === undefined ? [] : ["", ...momentLines(watch, until)]),
  ]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function rowsUntil(until: number | undefined): { maxRows: number; until?: number } {
  return until === undefined ? { maxRows: DIAGRAM_ROWS } : { maxRows: DIAGRAM_ROWS, until };
}

function stepLines(steps: readonly TraceStep[], { faults }: TraceDocument): string[] {
  const rows = steps.flatMap((step) => {
    const what = [step.operation, step.object].filter((word) => word !== "").join(" ");
    const answer = `${step.outcome === "ok" ? "" : ` (${step.outcome})`}${step.detail === "" ? "" : ` = ${step.detail}`}`;
    const chosen = step.isHealing ? "heal" : step.options === 1 ? "" : `${step.taken + 1} of ${step.options}`;
    const who = step.life === 1 ? step.process : `${step.process}, life ${step.life}`;
    return [[String(step.number), `${grouped(step.atMs)} ms`, chosen, who, `${what}${answer}`], ...step.fired.map((at) => ["", "", "", "", `✗ ${faults[at]?.text ?? ""}`])];
  });
  const table = [["step", "time", "taken", "process", "call"], ...rows];
  const widths = table.reduce<number[]>((widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)), []);
  return table.map(([number = "", time = "", chosen = "", who = "", call = ""]) => [number.padStart(widths[0] ?? 0), time.padStart(widths[1] ?? 0), chosen.padEnd(widths[2] ?? 0), who.padEnd(widths[3] ?? 0), call].join("  "));
}

function momentLines({ moment, changes }: Watch, until: number): string[] {
  return [
    `after step ${until}:`,
    `  facts ${JSON.stringify(moment?.facts) ?? "none"}`,
    ...(moment?.waiting ?? []).map((call) => `  ${call}`),
    ...(changes.some(({ step }) => step > until) || (moment?.waiting.length ?? 0) > 0 ? [] : ["  no call is waiting"]),
  ];
}

function thisMachine(): ReplayMachine {
  return { library: searchableCase, width: process.stdout.columns, readStdin: () => readAll(process.stdin) };
}
