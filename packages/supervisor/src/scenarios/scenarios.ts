/** The forty-one scenarios: nine faults on four shapes, and five points placed by hand. And the control of each shape, uncounted. */
import { type ArmedFault, faultText } from "@casebook/sim/kernel";
import { POINTS, type RunSpec } from "../index.ts";
import type { Cause } from "../judge/index.ts";
import { controlRow, FAULTS, type FaultName, faultRow, type FaultRow } from "./faults.ts";
import { atText, type Observation, type Seen } from "./observe.ts";
import type { RunWorld } from "./play-run.ts";
import { type Shape, SHAPES, specOf } from "../rules/index.ts";

export interface Scenario {
  /** `kill_mid_task/one-agent`, `placed/after-artefact`, `kill_mid_task+host_loss`. */
  readonly id: string;
  readonly kind: "control" | "fault" | "placed" | "pair" | "extra";
  /** One, or two of a pair. */
  readonly faults: readonly string[];
  readonly shape: Shape;
  readonly window: string;
  readonly world: RunWorld;
  readonly causes: readonly Cause[];
  observe(seen: Seen): Observation;
}

export const CONTROLS: readonly Scenario[] = SHAPES.map((shape) => scenarioOf("control", shape, controlRow()));

export const FAULT_SCENARIOS: readonly Scenario[] = FAULTS.flatMap((name) => SHAPES.map((shape) => scenarioOf("fault", shape, faultRow(name, shape))));

function scenarioOf(kind: "control" | "fault", shape: Shape, row: FaultRow): Scenario {
  return { id: `${row.name}/${shape}`, kind, faults: [row.name], shape, window: row.window, world: worldOf(shape, [row], row.arm), causes: row.causes, observe: (seen) => row.observe(seen) };
}

function worldOf(shape: Shape, rows: readonly FaultRow[], faults: readonly ArmedFault[]): RunWorld {
  const spec = specOf(shape);
  const budget = Object.assign({}, spec.budget, ...rows.map((row) => row.budget ?? {})) as RunSpec["budget"];
  return { spec: { ...spec, budget }, faults, settings: Object.assign({}, ...rows.map((row) => row.settings ?? {})) as object };
}

const VENDORS: Shape = "three-vendors";

/** The first item works longer than its lease lasts. */
function withLongItem(spec: RunSpec): RunSpec {
  return { ...spec, items: spec.items.map((item, at) => (at === 0 ? { ...item, toolMs: 200_000 } : item)) };
}

export const PLACED_SCENARIOS: readonly Scenario[] = [
  {
    id: "placed/after-artefact",
    kind: "placed",
    faults: ["host_loss"],
    shape: VENDORS,
    window: "agent's host dies after the artefact, before the transition",
    world: { spec: specOf(VENDORS), faults: [{ at: POINTS.afterArtefact, kind: "host-dead" }] },
    causes: ["completed"],
    observe: (seen) => {
      const [one] = seen.reassigned();
      const behindMs = one === undefined ? Number.NaN : one.atMs - one.expiresAtMs;
      return { holds: behindMs >= 0 && behindMs <= 1_000 && one?.item.uri?.endsWith("/2") === true, says: `taken back ${atText(behindMs)} behind the expiry, artefact of epoch ${one?.item.uri?.split("/").at(-1) ?? "none"} stands` };
    },
  },
  {
    id: "placed/after-last-obligation",
    kind: "placed",
    faults: ["supervisor_killed"],
    shape: VENDORS,
    window: "supervisor killed after the last obligation, before completion",
    world: { spec: specOf(VENDORS), faults: [{ at: POINTS.afterLastObligation, kind: "kill", process: "supervisor" }] },
    causes: ["completed"],
    observe: writtenBySuccessor,
  },
  {
    id: "placed/cancel-against-completion",
    kind: "placed",
    faults: ["operator_cancels"],
    shape: VENDORS,
    window: "an operator cancels in the instant of the last completion",
    // The completion stands still until the operator has found out how things stand; then both write, side by side.
    world: { spec: specOf(VENDORS), faults: [{ at: POINTS.beforeCompletion, kind: "hold", until: POINTS.afterClassify }], operatorCancelsAtMs: 400_000, schedule: "in-turn" },
    causes: ["completed", "cancelled_by_operator"],
    observe: (seen) => {
      const applied = seen.entries("run.ended").length;
      const refused = seen.entries("run.ended", "refused").length;
      const tried = new Set(seen.snapshot.journal.filter(({ reason }) => reason === "run.ended").map(({ by }) => by)).size;
      return { holds: applied === 1 && tried === 2, says: `${applied} end written, ${refused} refused, ${tried} tried to` };
    },
  },
  {
    id: "placed/expiry-against-renewal",
    kind: "placed",
    faults: ["renewal_delayed"],
    shape: VENDORS,
    window: "a renewal is delayed by 100 s, past the expiry",
    world: { spec: withLongItem(specOf(VENDORS)), faults: [{ at: POINTS.beforeRenewal, kind: "slow", forMs: 100_000, process: "worker-1" }] },
    causes: ["completed"],
    observe: (seen) => {
      const taken = seen.reassigned();
      const [one] = taken;
      const fenced = seen.logged("agent-fenced").filter(({ facts }) => facts["epoch"] === 1).length;
      return { holds: taken.length === 1 && fenced === 1 && one?.item.uri?.endsWith("/2") === true, says: `reassigned ${taken.length} time, ${fenced} agent fenced itself, artefact of epoch ${one?.item.uri?.split("/").at(-1) ?? "none"} stands` };
    },
  },
  {
    id: "placed/after-propagate",
    kind: "placed",
    faults: ["supervisor_killed"],
    shape: VENDORS,
    window: "supervisor killed after it told the agents, before it classified; a tool hangs",
    world: { spec: specOf(VENDORS), faults: [{ at: POINTS.inTool, kind: "hang", nth: 4 }, { at: POINTS.afterPropagate, kind: "kill", process: "supervisor" }] },
    causes: ["deadline", "unclassified"],
    observe: writtenBySuccessor,
  },
];

export const SCENARIOS: readonly Scenario[] = [...FAULT_SCENARIOS, ...PLACED_SCENARIOS];

function writtenBySuccessor(seen: Seen): Observation {
  const { record } = seen;
  const atMs = seen.since(record?.atMs);
  return { holds: record?.writtenBy === "successor" && atMs <= 925_000, says: `record by ${record?.writtenBy ?? "nobody"} at ${atText(atMs)}` };
}

/** Every two of the nine, on the shape with three vendors. The second is aimed at what follows the first. */
export const PAIRS: readonly Scenario[] = FAULTS.flatMap((one, at) => FAULTS.slice(at + 1).map((two) => pairOf(one, two)));

function pairOf(one: FaultName, two: FaultName): Scenario {
  // What takes the ledger away comes behind what needs it to happen.
  const [first, second] = one === "ledger_blackhole" && two !== "budget_exhausted_in_spawn" ? [pairRow(two), pairRow(one)] : [pairRow(one), pairRow(two)];
  const isBudget = second.name === "budget_exhausted_in_spawn";
  const isAway = first.name === "ledger_blackhole" && isBudget;
  const faults: readonly ArmedFault[] = isAway
    ? [{ at: POINTS.beforeCancel, kind: "service-away", service: "ledger", forMs: 60_000 }]
    : [...first.arm, ...second.armSecond.map((fault) => (first.arm.length === 0 ? fault : { ...fault, after: 0 }))];
  // The ledger goes away when the other fault has happened, and comes back so much later.
  const lateness = second.name === "ledger_blackhole" ? { lookLateMs: 120_000 } : {};
  const causes = [...new Set<Cause>([...first.causes, ...second.causes, "deadline", "unclassified"])];
  return {
    id: `${one}+${two}`,
    kind: "pair",
    faults: [one, two],
    shape: VENDORS,
    window: `${VENDORS}, ${faults.map(faultText).join("; ")}${isBudget ? `, with ${second.budget?.tokens ?? 0} tokens for the run` : ""}`,
    world: { ...worldOf(VENDORS, [first, second], faults), ...lateness },
    causes,
    observe: (seen) => {
      const over = seen.snapshot.journal.filter(({ outcome, why }) => outcome === "refused" && why?.startsWith("over") === true).length;
      return { holds: !isBudget || over >= 1, says: isBudget ? `${over} refused over the limit` : "judged by the invariants" };
    },
  };
}

/** In a pair the budget runs out when the other fault has happened: with the eleventh call of a tool. */
function pairRow(name: FaultName): FaultRow {
  const row = faultRow(name, VENDORS);
  return name === "budget_exhausted_in_spawn" ? { ...row, window: "the tokens run out in the middle of the run", budget: { tokens: 400 }, causes: ["budget_tokens"] } : row;
}
