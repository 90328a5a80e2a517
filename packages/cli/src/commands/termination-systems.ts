/**
 * Runs of the termination suite as systems by name: what a failing row replays, and what `casebook explore termination` searches. The
 * name is the scenario and the supervisor, such as `termination/tool_hang/one-agent/reference`; the faults stand in the token.
 */
import { type AnySystem, KERNEL_VERSION, tokenText } from "@casebook/explore";
import { type ArmedFault, type FaultKind, KERNEL_EPOCH_MS } from "@casebook/sim/kernel";
import { POINTS, REFERENCE_POLICIES, type SupervisorPolicies } from "@casebook/supervisor";
import { knownBad } from "@casebook/supervisor/known-bad";
import { buildRun, judgeRun, judgeScenario, MAX_STEPS, RUN_ID, type RunFacts, type RunSnapshot, type Scenario, scenarioCalled, type Shape, SHAPES, specOf, SWEEP_LATE_MS } from "@casebook/supervisor/scenarios";

const SUITE = "termination/";
const REFERENCE = "reference";
/** Every kind at every window on one shape; the table of windows × faults, and the search. */
const WINDOWS = "windows/";

/** Words of a name that a token can carry. */
function slugOf(supervisor: string): string {
  return supervisor.replaceAll(" ", "-");
}

function policiesOf(slug: string): SupervisorPolicies | undefined {
  return slug === REFERENCE ? REFERENCE_POLICIES : knownBad.find(({ name }) => slugOf(name) === slug)?.policies;
}

/** Undefined: there is no such scenario, or no such supervisor. */
export function terminationSystem(name: string): AnySystem | undefined {
  const [, id, slug] = /^termination\/(.+)\/([^/]+)$/.exec(name) ?? [];
  const policies = policiesOf(slug ?? "");
  if (id === undefined || policies === undefined) return undefined;
  if (id.startsWith(WINDOWS)) {
    const shape = SHAPES.find((one) => one === id.slice(WINDOWS.length));
    return shape === undefined ? undefined : (windowsSystem(shape, name, policies) as AnySystem);
  }
  const scenario = scenarioOrNone(id);
  return scenario === undefined ? undefined : (scenarioSystem(scenario, name, policies) as AnySystem);
}

function scenarioOrNone(id: string): Scenario | undefined {
  try {
    return scenarioCalled(id);
  } catch {
    return undefined;
  }
}

/** What `casebook explore termination` searches: every kind of fault at every window, one at a time or two, on one agent. */
export function searchedSystems(): readonly AnySystem[] {
  return [terminationSystem(`${SUITE}${WINDOWS}one-agent/${REFERENCE}`) as AnySystem];
}

const KINDS: readonly FaultKind[] = ["kill", "stop-continue", "host-unreachable", "slow", "lost-answer"];

type RunSystem = Omit<AnySystem, "build" | "checks"> & { readonly build: ReturnType<typeof buildRun>; readonly checks: readonly { readonly id: string; readonly when: "end"; alarm(facts: RunFacts): string | undefined }[] };

function windowsSystem(shape: Shape, name: string, policies: SupervisorPolicies): RunSystem {
  return {
    name,
    claim: "A run ends cleanly, whatever strikes at a window, as long as its supervisor or the successor lives.",
    build: buildRun({ spec: specOf(shape), settings: { policies }, lookLateMs: SWEEP_LATE_MS }),
    checks: [{ id: "clean-end", when: "end", alarm: ({ snapshot, threw }) => textOf([...(snapshot === undefined ? ["nobody looked"] : againstEnd(snapshot)), ...threw.map((one) => `threw: ${one}`)]) }],
    faults: { points: Object.values(POINTS), kinds: KINDS },
    onThrow: "ends",
    maxSteps: MAX_STEPS,
  };
}

/** Two kills may leave nobody who could write an end: nothing is asked of the dead. */
function againstEnd(snapshot: RunSnapshot): readonly string[] {
  const isKilled = (one: string): boolean => snapshot.processes.some(({ name, status }) => name === one && status === "killed");
  return isKilled("supervisor") && isKilled("successor") ? [] : judgeRun(RUN_ID, snapshot).map(({ guard, message }) => `${guard}: ${message}`);
}

function scenarioSystem(scenario: Scenario, name: string, policies: SupervisorPolicies): RunSystem {
  const { world, window, causes } = scenario;
  return {
    name,
    claim: `${window}: the run ends cleanly as ${causes.join(" or ")}.`,
    build: buildRun({ ...world, settings: { ...world.settings, policies } }),
    checks: [{ id: "ends-as-it-should", when: "end", alarm: (facts) => textOf(judgeScenario(scenario, playedOf(facts, world.faults?.length ?? 0)).because) }],
    onThrow: "ends",
    maxSteps: MAX_STEPS,
  };
}

/** Whether each fault fired is in the trace; only what the facts say is judged. */
function playedOf(facts: RunFacts, faults: number): Parameters<typeof judgeScenario>[1] {
  return { ...facts, fired: Array.from({ length: faults }, () => 1), reached: new Map(), ending: "finished", waiting: [], steps: 0, choices: [], hash: "", beganAtMs: KERNEL_EPOCH_MS };
}

function textOf(because: readonly string[]): string | undefined {
  return because.length === 0 ? undefined : because.join("; ");
}

interface Played {
  readonly faults: readonly ArmedFault[];
  readonly choices: readonly number[];
  readonly hash: string;
}

/** `place`: a scenario's id, or `windows/one-agent`. `against`: `fixed`, or the name of a known-bad supervisor. */
export function replayLine(place: string, against: string, { faults, choices, hash }: Played): string {
  const system = `${SUITE}${place}/${against === "fixed" ? REFERENCE : slugOf(against)}`;
  return `casebook replay ${tokenText({ system, kernel: KERNEL_VERSION, source: "", faults, choices, trace: hash })}`;
}
