/**
 * What a person needs of a failure: the sentence of the rule, what was seen, the step at which the execution parted from what the
 * rule allows, the diagram up to there, the line that plays it again, and the case that shows the mechanism.
 */
import { layoutOf, playAlone, readToken, recorded, replay, simulationOf, type System, terminalDiagram, traceDocument, Watch } from "@casebook/explore";
import { faultText, type ArmedFault, type Runner } from "@casebook/sim/kernel";
import type { Playable, RuleCheck } from "./playable.ts";

export interface FailureStory {
  /** `F09/starts`. */
  readonly check: string;
  readonly sentence: string;
  readonly seen: string;
  /** Armed faults, in words. */
  readonly under: readonly string[];
  /** From 1; undefined: it shows at the end only. */
  readonly partsAtStep: number | undefined;
  readonly diagram: string;
  /** For `replayConformance`. */
  readonly replay: string;
  readonly case: string;
}

const DIAGRAM_ROWS = 28;
/** Checks of what is answered at the end: until somebody has asked they alarm as well, and part at the step from which they wait. */
const AT_THE_END = ["states", "answers", "kept", "after-stands"] as const;

export async function explainFailure<Seen>({ rule, system, checks }: Playable<Seen>, found: { readonly check: string; readonly says: string; readonly faults: readonly ArmedFault[]; readonly token: string }, runner: Runner): Promise<FailureStory> {
  const check = checks.find(({ id }) => id === found.check);
  const read = readToken(found.token);
  const story = { check: found.check, sentence: rule.sentence, seen: found.says, under: found.faults.map(faultText), replay: found.token, case: check?.case ?? rule.case };
  if (read.outcome !== "token") return { ...story, partsAtStep: undefined, diagram: "" };
  const parts = check === undefined || AT_THE_END.some((name) => found.check.endsWith(`/${name}`)) ? undefined : await partingStep(system, check.alarm, read.token, runner);
  const watch = new Watch();
  const played = await replay(system, read.token, runner, { watch });
  if (played.outcome !== "replayed") return { ...story, partsAtStep: parts, diagram: `The line does not play again: ${played.says}\n` };
  const trace = traceDocument(system, { execution: played.simulation.execution, watch, judged: { verdict: "fails", check: found.check, says: found.says }, token: found.token, source: "" });
  return { ...story, partsAtStep: parts, diagram: terminalDiagram(layoutOf(trace, { maxRows: DIAGRAM_ROWS, ...(parts === undefined ? {} : { until: parts }) })) };
}

/** The last step after which the check began to alarm. One that alarms until something happens, which never does, parts at no step. */
async function partingStep<Seen>(system: System<Seen>, alarm: RuleCheck<Seen>["alarm"], token: { readonly choices: readonly number[]; readonly faults: readonly ArmedFault[] }, runner: Runner): Promise<number | undefined> {
  let began: number | undefined;
  let isWrong: boolean | undefined;
  const watching = {
    ...system,
    checks: [
      {
        id: "watch",
        when: "each-step" as const,
        alarm(seen: Seen) {
          const now = alarm(seen) !== undefined;
          // Wrong from the start: it is waiting for something to happen.
          if (now && isWrong === false) began = simulation.execution.steps.length;
          isWrong = now;
          return undefined;
        },
      },
    ],
  };
  const simulation = simulationOf(watching, recorded(token.choices, "lenient"), token.faults, undefined, false);
  await playAlone(simulation.execution, runner);
  return began;
}
