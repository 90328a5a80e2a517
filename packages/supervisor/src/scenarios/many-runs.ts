/**
 * Many runs at once over one ledger that serves so many calls and no more: all hang, and all come to their deadline within half a minute.
 * Nothing is armed; that the ledger is slow comes from what the cancellations themselves ask of it.
 */
import { type Build, type Chooser, createSimulation, type ProcessPorts, type Runner, type ServiceOptions } from "@casebook/sim/kernel";
import type { LedgerRow } from "@casebook/ports";
import { DEFAULT_BUDGET, REFERENCE_POLICIES, runAgent, type RunSpec, succeedRun, superviseRun, type SupervisorPolicies, type SupervisorPorts } from "../index.ts";
import { settingsOf } from "./play-run.ts";

export interface ManyRuns {
  readonly runs: number;
  readonly ledger: ServiceOptions;
  readonly policies?: SupervisorPolicies;
  /** Within how long they all begin. Default 100 s. */
  readonly beginWithinMs?: number;
  /** Within how long they all come to their deadlines, 60 s behind the last beginning. Default 30 s. */
  readonly endWithinMs?: number;
  /** A supervisor that has not ended so long after its deadline is killed by its own watchdog. */
  readonly watchdogMs?: number;
}

export interface ManyEnds {
  readonly runs: number;
  /** Runs with one terminal record, with none, and with more, when everything must be over. */
  readonly oneRecord: number;
  readonly noRecord: number;
  readonly manyRecords: number;
  readonly unclassified: number;
  /** Runs whose agents were told within a second of the deadline. */
  readonly toldInTime: number;
  /** Runs that still hold a lease, a lock or a slot. */
  readonly holding: number;
  readonly lastRecordMs: number;
  readonly steps: number;
}

const IN_ORDER: Chooser = { choose: () => 0 };
const NEVER_MS = 3_600_000;

export async function playManyRuns(many: ManyRuns, runner: Runner): Promise<ManyEnds> {
  const { runs, beginWithinMs = 100_000, endWithinMs = 30_000, watchdogMs = 65_000 } = many;
  const policies = many.policies ?? REFERENCE_POLICIES;
  const settings = settingsOf({ policies });
  const hasSuccessor = policies.succession === "finishes";
  const numbers = Array.from({ length: runs }, (_, at) => at + 1);
  const beginMs = (n: number): number => Math.floor(((n - 1) * beginWithinMs) / runs);
  const deadlineMs = (n: number): number => beginWithinMs + 60_000 + Math.floor(((n - 1) * endWithinMs) / runs);
  const specOfRun = (n: number): RunSpec => ({ id: `run-${n}`, budget: { ...DEFAULT_BUDGET, wallClockMs: deadlineMs(n) - beginMs(n) }, agents: [{ name: "solo" }], items: [{ name: "part", toolMs: NEVER_MS, locks: [`lock-${n}`] }] });
  const build: Build<ManyEnds> = (space) => {
    const ledger = space.ledger("ledger", many.ledger);
    const store = space.artefacts("store");
    const put = (table: string, row: LedgerRow): void => void ledger.tables.set(table, (ledger.tables.get(table) ?? new Map<string, LedgerRow>()).set(row.id, row));
    const portsOf = (ports: ProcessPorts): SupervisorPorts => ({
      clock: ports.clock,
      ids: ports.ids,
      log: ports.log,
      faults: ports.faults,
      ledger: ports.ledger(ledger),
      artefacts: ports.artefacts(store),
      messages: ports.network,
      spawner: { spawn: (name) => ports.spawn(name) },
      self: { process: ports.process.name, life: ports.process.life },
    });
    for (const n of numbers) {
      put("slots", { id: `worker-${n}`, run: null, agent: null, owner: null, isLost: false });
      put("locks", { id: `lock-${n}`, run: null, holder: null });
      space.process(`supervisor-${n}`, async (ports) => {
        await ports.clock.sleep(beginMs(n));
        // The watchdog kills by a fault at its moment: nothing of the supervisor runs behind it.
        void ports.clock.sleep(deadlineMs(n) - beginMs(n) + watchdogMs).then(() => ports.faults.reach("watchdog.barks"));
        await superviseRun(portsOf(ports), settings, specOfRun(n));
      });
      space.process(`worker-${n}`, (ports) => runAgent(portsOf(ports), settings, new Map()), { isSpawned: true });
      if (hasSuccessor) space.process(`successor-${n}`, (ports) => succeedRun(portsOf(ports), settings, { id: `run-${n}`, deadlineAtMs: ports.clock.now() + deadlineMs(n) }));
    }
    return { facts: endsOf };

    function endsOf(): ManyEnds {
      const rows = (table: string): readonly LedgerRow[] => [...(ledger.tables.get(table)?.values() ?? [])];
      const recordsOf = new Map(numbers.map((n) => [`run-${n}`, rows("records").filter(({ run }) => run === `run-${n}`)] as const));
      const counts = [...recordsOf.values()].map(({ length }) => length);
      const deadlines = new Map(rows("runs").map(({ id, deadlineAtMs }) => [id, Number(deadlineAtMs)]));
      const told = new Set(space.log.filter(({ event, facts, atMs }) => event === "supervisor.cancel-told" && atMs <= (deadlines.get(String(facts["run"])) ?? 0) + 1_000).map(({ facts }) => facts["run"]));
      const holders = new Set([...rows("locks"), ...rows("slots"), ...rows("items").filter(({ status }) => status === "claimed")].map(({ run }) => run).filter((run) => run !== null));
      return {
        runs,
        oneRecord: counts.filter((count) => count === 1).length,
        noRecord: counts.filter((count) => count === 0).length,
        manyRecords: counts.filter((count) => count > 1).length,
        unclassified: rows("records").filter(({ cause }) => cause === "unclassified").length,
        toldInTime: told.size,
        holding: holders.size,
        lastRecordMs: Math.max(0, ...rows("records").map(({ atMs, run }) => Number(atMs) - (deadlines.get(String(run)) ?? 0))),
        steps: 0,
      };
    }
  };
  const faults = [{ at: "watchdog.barks", kind: "kill" as const, times: runs }];
  const { execution, facts } = createSimulation(build, { chooser: IN_ORDER, faults, maxSteps: 400_000 });
  const rest = [execution];
  await runner.run(() => rest.pop(), () => undefined);
  return { ...facts(), steps: execution.steps.length };
}
