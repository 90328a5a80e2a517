/** The suite of ends: 41 scenarios, 36 pairs, their controls, and the table of windows × faults, as people and machines read it. */
import { fail, notRun, pass, type Result } from "@casebook/verdict";
import { findRunner } from "@casebook/sim/node";
import { REFERENCE_POLICIES } from "@casebook/supervisor";
import { knownBad } from "@casebook/supervisor/known-bad";
import { CONTROLS, EXTRA_SCENARIOS, INVARIANTS, PAIRS, playScenario, type Scenario, SCENARIOS, type ScenarioResult, sweep, type SweepCell, SWEEP_KINDS } from "@casebook/supervisor/scenarios";
import type { PlayedSuite } from "./suites.ts";
import { replayLine } from "./termination-systems.ts";

const PARTS: readonly { readonly title: string; readonly scenarios: readonly Scenario[] }[] = [
  { title: "controls", scenarios: [...CONTROLS, ...EXTRA_SCENARIOS] },
  { title: "scenarios", scenarios: SCENARIOS },
  { title: "pairs", scenarios: PAIRS },
];

/** `against`: `fixed`, or the name of a known-bad supervisor. */
export async function playTermination(against: string): Promise<PlayedSuite> {
  const policies = knownBad.find(({ name }) => name === against)?.policies ?? REFERENCE_POLICIES;
  const runner = await findRunner();
  const blocks: string[] = [];
  const results: Result[] = [];
  const times: string[] = [];
  for (const { title, scenarios } of PARTS) {
    const played: ScenarioResult[] = [];
    const tookMs: number[] = [];
    for (const scenario of scenarios) {
      const beganAtMs = performance.now();
      played.push(await playScenario(scenario, { policies, runner }));
      tookMs.push(performance.now() - beganAtMs);
    }
    times.push(timesText(title, tookMs));
    const lines = new Map(played.filter(({ verdict }) => verdict === "fail").map((one) => [one.id, replayLine(one.id, against, { ...one, faults: scenarios.find(({ id }) => id === one.id)?.world.faults ?? [] })]));
    results.push(...played.map((one) => resultOf(one, lines.get(one.id))));
    blocks.push(blockOf(title, played, lines));
  }
  const cells = await sweep({ policies, runner });
  const lineOf = ({ failed }: SweepCell): string => (failed === undefined ? "" : replayLine("windows/one-agent", against, failed));
  results.push(...cells.filter(({ verdict }) => verdict !== "not-run").map((cell) => cellResult(cell, lineOf(cell))));
  blocks.push(coverageOf(cells, lineOf));
  return { results, text: blocks.join("\n"), aside: `${times.join("\n")}\n` };
}

/** `scenarios: 41 in 1.9 s; a run of 940 virtual seconds: 9 ms at least, 12 ms in the middle, 80 ms at most`. Printed and read, never judged. */
function timesText(title: string, tookMs: readonly number[]): string {
  const sorted = tookMs.toSorted((one, other) => one - other);
  const all = tookMs.reduce((sum, one) => sum + one, 0);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `casebook: ${title}: ${tookMs.length} in ${(all / 1_000).toFixed(1)} s; a run of 940 virtual seconds: ${(sorted[0] ?? 0).toFixed(0)} ms at least, ${middle.toFixed(0)} ms in the middle, ${(sorted.at(-1) ?? 0).toFixed(0)} ms at most`;
}

function resultOf({ id, window, observation, causes, alarms, verdict, because }: ScenarioResult, line: string | undefined): Result {
  const evidence = { firstLines: [`window: ${window}`, `seen: ${observation}`, `cause: ${causes.join(", ") || "none"}`, `invariants: ${INVARIANTS.length - alarms.length} of ${INVARIANTS.length} hold`] };
  const base = { id: `termination/${id}`, title: id };
  if (verdict === "pass") return { ...base, ...pass(evidence) };
  const says = [because.join("; "), ...(line === undefined ? [] : [line])].join("; ");
  return { ...base, ...(verdict === "fail" ? fail(says, evidence) : notRun("missing-input", says, evidence)) };
}

function cellResult({ point, kind, verdict, because }: SweepCell, line: string): Result {
  const base = { id: `termination/window/${point}/${kind}`, title: `${kind} at ${point}` };
  return verdict === "pass" ? { ...base, ...pass() } : { ...base, ...fail([...new Set(because), line].join("; ")) };
}

const WORDS = { pass: "PASS", fail: "FAIL", "not-run": "NOT RUN" } as const;

function blockOf(title: string, played: readonly ScenarioResult[], replays: ReadonlyMap<string, string>): string {
  const width = Math.max(...played.map(({ id }) => id.length));
  const causeWidth = Math.max(...played.map(({ causes }) => causeText(causes).length));
  const lines = played.flatMap(({ id, window, observation, causes, alarms, verdict, because }) => [
    `${WORDS[verdict].padEnd(7)}  ${id.padEnd(width)}  ${causeText(causes).padEnd(causeWidth)}  ${INVARIANTS.length - alarms.length}/${INVARIANTS.length}`,
    `         ${window}: ${observation || "nothing was seen"}`,
    ...(verdict === "pass" ? [] : [...because.map((text) => `! ${text}`), replays.get(id) ?? ""].filter((text) => text !== "").map((text) => `         ${text}`)),
  ]);
  const passed = played.filter(({ verdict }) => verdict === "pass").length;
  return [`${title}: id, cause, invariants that hold of ${INVARIANTS.length}; below it, window: observation`, ...lines, `${title}: ${passed}/${played.length} passed`, ""].join("\n");
}

function causeText(causes: readonly string[]): string {
  return causes.length === 0 ? "no record" : causes.join(", ");
}

/** Rows are windows, columns faults; a cell says whether all ended cleanly, and in how many of the three runs the fault fired. */
function coverageOf(cells: readonly SweepCell[], lineOf: (cell: SweepCell) => string): string {
  const points = [...new Set(cells.map(({ point }) => point))];
  const kinds = Object.keys(SWEEP_KINDS);
  const textOf = (point: string, kind: string): string => {
    const cell = cells.find((one) => one.point === point && one.kind === kind);
    return cell === undefined || cell.verdict === "not-run" ? "NOT RUN" : `${WORDS[cell.verdict]} ${cell.fired}`;
  };
  const widths = kinds.map((kind) => Math.max(kind.length, "NOT RUN".length));
  const first = Math.max(...points.map((point) => point.length));
  const row = (name: string, texts: readonly string[]): string => [name.padEnd(first), ...texts.map((text, at) => text.padEnd(widths[at] ?? 0))].join("  ").trimEnd();
  const bad = cells.filter(({ verdict }) => verdict === "fail").map((cell) => `! ${cell.kind} at ${cell.point}: ${[...new Set(cell.because)].join("; ")}\n  ${lineOf(cell)}`);
  const ran = cells.filter(({ verdict }) => verdict !== "not-run").length;
  return [
    "windows × faults on one agent: a run that completes, one that hangs, one that loses its agent; in how many of them the fault fired",
    row("", kinds),
    ...points.map((point) => row(point, kinds.map((kind) => textOf(point, kind)))),
    ...bad,
    `windows × faults: ${ran}/${cells.length} cells ran, ${bad.length} failed`,
    "",
  ].join("\n");
}
