/**
 * Ends a run before it is complete. First every agent is told, then it is found out why the run stands still, for two seconds at most,
 * then the end is written, once. The order matters: what diagnoses depends on the store, and the store may be what is slow.
 */
import { attempt } from "./bounded.ts";
import { type EndOutcome, endRun, type RunEnd } from "./end-run.ts";
import { type AgentRow, type Classification, classify, CAUSE_OF_COUNTER, type Counter, type ItemRow, type LockRow, type RunPicture, type RunRow, UNCLASSIFIED, type WaitRow } from "./judge/index.ts";
import { POINTS } from "./points.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

export type CancelReason = { readonly kind: "deadline" } | { readonly kind: "operator" } | { readonly kind: "exhausted"; readonly counter: Counter };

export interface Cancelled {
  readonly end: RunEnd;
  readonly outcome: EndOutcome;
}

/** `children`: processes that the caller knows to work on the run; the ledger is asked for the rest, and need not answer. */
export async function cancelRun(ports: SupervisorPorts, settings: SupervisorSettings, run: RunRow, reason: CancelReason, children: readonly string[]): Promise<Cancelled> {
  await ports.faults.reach(POINTS.beforeCancel);
  let looked: Looked;
  if (settings.policies.cancelOrder === "propagate-first") {
    await propagate(ports, settings, run, children);
    await ports.faults.reach(POINTS.afterPropagate);
    looked = await classifyRun(ports, settings, run);
  } else {
    looked = await classifyRun(ports, settings, run);
    await propagate(ports, settings, run, children);
    await ports.faults.reach(POINTS.afterPropagate);
  }
  const end = endFor(reason, looked.classification, await dump(ports, settings, run, looked));
  await ports.faults.reach(POINTS.afterClassify);
  ports.log.write("info", "supervisor.run-cancelled", { run: run.id, cause: end.cause });
  return { end, outcome: await endRun(ports, settings, run, end) };
}

/** All at once, and no longer than the limit: a message that does not leave must not keep the others. */
async function propagate(ports: SupervisorPorts, settings: SupervisorSettings, run: RunRow, children: readonly string[]): Promise<void> {
  const told = new Set<string>();
  const tell = (processes: readonly string[]): Promise<unknown> => {
    const fresh = processes.filter((process) => !told.has(process));
    for (const process of fresh) told.add(process);
    return attempt(ports, settings.propagateMs, () => Promise.all(fresh.map((process) => ports.messages.send(process, { kind: "cancel", run: run.id }))));
  };
  await tell(children);
  ports.log.write("info", "supervisor.cancel-told", { run: run.id, told: told.size });
  if (settings.policies.propagation === "own-children") return;
  const known = await attempt(ports, settings.propagateMs, () => ports.ledger.list("agents", { run: run.id, status: "running" }));
  if (known.outcome === "done") await tell((known.value as unknown as readonly AgentRow[]).map(({ process }) => process));
  ports.log.write("info", "supervisor.cancel-propagated", { run: run.id, told: told.size });
}

/** What was found out, and the rows that say so. */
interface Looked {
  readonly classification: Classification;
  readonly picture: RunPicture | undefined;
}

const NOTHING_SEEN: Looked = { classification: UNCLASSIFIED, picture: undefined };

/** Leaves the rows as they stood in the artefact store, for whoever reads the record. Answers where; null when there is nothing, or it did not go. */
async function dump(ports: SupervisorPorts, settings: SupervisorSettings, run: RunRow, { picture }: Looked): Promise<string | null> {
  if (picture === undefined) return null;
  const uri = `${run.id}/as-it-stood/${ports.self.process}`;
  const put = await attempt(ports, settings.propagateMs, () => ports.artefacts.put(uri, JSON.stringify(picture)));
  return put.outcome === "done" ? uri : null;
}

async function classifyRun(ports: SupervisorPorts, settings: SupervisorSettings, run: RunRow): Promise<Looked> {
  const { ledger } = ports;
  if (settings.policies.classification === "never") return NOTHING_SEEN;
  const look = async (): Promise<Looked> => {
    const row = (await ledger.read("runs", run.id)) as RunRow | undefined;
    const rows = <T>(table: string): Promise<readonly T[]> => ledger.list(table, { run: run.id }) as unknown as Promise<readonly T[]>;
    const picture = {
      run: row ?? run,
      items: await rows<ItemRow>("items"),
      agents: await rows<AgentRow>("agents"),
      locks: await rows<LockRow>("locks"),
      waits: await rows<WaitRow>("waits"),
    };
    return { classification: classify(picture), picture };
  };
  // Without a limit the cancellation hangs on the very store that it is to find out about.
  if (settings.policies.classification === "unbounded") return look().catch(() => NOTHING_SEEN);
  const looked = await attempt(ports, settings.classifyMs, look);
  return looked.outcome === "done" ? looked.value : NOTHING_SEEN;
}

function endFor(reason: CancelReason, { cause, ...facts }: Classification, trace: string | null): RunEnd {
  if (reason.kind === "operator") return { ...facts, cause: "cancelled_by_operator", counter: null, trace };
  if (reason.kind === "exhausted") return { ...facts, cause: CAUSE_OF_COUNTER[reason.counter], counter: reason.counter, trace };
  return { ...facts, cause, counter: null, trace };
}
