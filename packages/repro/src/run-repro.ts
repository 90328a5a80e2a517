/** Plays a whole case and says how it went, as lines or as one JSON document. Reads nothing and prints nothing itself. */
import { EXIT } from "@casebook/verdict/words";
import { type Facts, firstDifference, play, type Repro, type Scene } from "./repro.ts";

export interface ReproOptions {
  /** Plays `more` as well. */
  readonly all: boolean;
  /** Plays every scene twice and compares the traces. */
  readonly twice: boolean;
}

export interface ReproReport {
  readonly case: string;
  /** OK: the mechanism was shown, not that anything is healthy. NOT RUN: a scene threw before it had facts. */
  readonly verdict: "OK" | "FAIL" | "NOT RUN";
  readonly modes: readonly { readonly name: string; readonly facts: Facts }[];
  /** Why it is not OK, in one line. */
  readonly because?: string;
  /** Modes that gave the same trace when they were played again; only when that was asked for. */
  readonly twice?: number;
  /** The counter lines of the modes that were played. */
  readonly lines: readonly string[];
}

export async function runRepro<Parameters, Seen extends Facts>(
  repro: Repro<Parameters, Seen>,
  options: ReproOptions,
): Promise<ReproReport> {
  const scenes = options.all ? [...repro.shown, ...repro.more] : repro.shown;
  const modes: { name: string; facts: Seen }[] = [];
  const differences: string[] = [];
  for (const scene of scenes) {
    const outcome = await playOne(repro, scene, options.twice);
    if (!outcome.played) {
      return { case: repro.id, verdict: "NOT RUN", modes, because: outcome.because, lines: [] };
    }
    modes.push({ name: scene.name, facts: outcome.facts });
    if (outcome.because !== undefined) differences.push(outcome.because);
  }
  const lines = repro.print(modes);
  const [because] = differences;
  if (because !== undefined) return { case: repro.id, verdict: "FAIL", modes, because, lines };
  return { case: repro.id, verdict: "OK", modes, lines, ...(options.twice ? { twice: modes.length } : {}) };
}

type Outcome<Seen> =
  | { readonly played: true; readonly facts: Seen; readonly because: string | undefined }
  | { readonly played: false; readonly because: string };

async function playOne<Parameters, Seen extends Facts>(
  repro: Repro<Parameters, Seen>,
  scene: Scene<Parameters, Seen>,
  twice: boolean,
): Promise<Outcome<Seen>> {
  try {
    const first = await play(repro, scene);
    const difference = firstDifference(scene.expect, first.facts);
    if (difference !== undefined) {
      const { fact, expected, seen } = difference;
      return { played: true, facts: first.facts, because: `mode=${scene.name} fact ${fact}: expected ${expected}, saw ${seen}` };
    }
    if (!twice) return { played: true, facts: first.facts, because: undefined };
    const second = await play(repro, scene);
    return first.traceHash === second.traceHash
      ? { played: true, facts: first.facts, because: undefined }
      : { played: true, facts: first.facts, because: `mode=${scene.name} played twice: trace ${first.traceHash}, then ${second.traceHash}` };
  } catch (thrown) {
    const what = thrown instanceof Error ? thrown.message : String(thrown);
    return { played: false, because: `setup-failed: mode=${scene.name} threw ${what.split("\n", 1)[0]}` };
  }
}

export const LAST_LINE = {
  OK: "repro: OK - mechanism demonstrated",
  FAIL: "repro: FAIL - model drifted from the case doc",
  "NOT RUN": "repro: NOT RUN - no verdict",
} as const;

/** What a script prints: counter lines, the verdict line, and the reason when there is one. */
export function reportAsText(report: ReproReport): string {
  const twice = report.twice === undefined ? [] : [`twice: ${report.twice} of ${report.modes.length} modes gave the same trace`];
  const because = report.because === undefined ? [] : [report.because];
  return [...report.lines, ...twice, LAST_LINE[report.verdict], ...because].join("\n") + "\n";
}

/** The same as one JSON document: `{ case, verdict, modes: [{ name, facts }] }`, and `because` when it is not OK. */
export function reportAsJson(report: ReproReport): string {
  const { lines: _lines, ...document } = report;
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** 0 shown, 1 drifted, 3 no verdict. */
export const REPRO_EXIT = { OK: EXIT.clean, FAIL: EXIT.findings, "NOT RUN": EXIT.noVerdict } as const;

const KNOWN = ["--all", "--json", "--twice"] as const;

export type ReproArguments =
  | { readonly usable: true; readonly options: ReproOptions; readonly json: boolean }
  | { readonly usable: false; readonly message: string };

/** The arguments a repro knows. Anything else is a usage error, and nothing runs. */
export function readReproArguments(given: readonly string[]): ReproArguments {
  const unknown = given.find((argument) => !KNOWN.some((known) => known === argument));
  if (unknown !== undefined) {
    return {
      usable: false,
      message: `unknown argument ${JSON.stringify(unknown)}. Known: ${KNOWN.join(", ")}. Nothing was run.`,
    };
  }
  const has = (argument: (typeof KNOWN)[number]) => given.includes(argument);
  return { usable: true, options: { all: has("--all"), twice: has("--twice") }, json: has("--json") };
}
