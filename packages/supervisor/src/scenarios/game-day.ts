/**
 * The nine faults as people cause them on a real system, beside what the simulated run did: what to break, what to watch, how to put it
 * back. The simulated halves are in `faults.ts`; a fault without a row here does not compile. Names no tool beyond what every system has.
 */
import { FAULTS, type FaultName } from "./faults.ts";

export interface GameDayRow {
  readonly fault: FaultName;
  readonly breakIt: string;
  readonly watch: string;
  readonly putBack: string;
}

const ROWS: Readonly<Record<FaultName, Omit<GameDayRow, "fault">>> = {
  kill_mid_task: {
    breakIt: "`kill -9` an agent that has just claimed an item",
    watch: "another agent claims the item as soon as the connection is closed, with the next epoch",
    putBack: "nothing",
  },
  stop_past_lease: {
    breakIt: "`kill -STOP` an agent that holds an item, until its lease has been over for as long as it lasted; then `kill -CONT`",
    watch: "the item goes to another agent, once; everything that the woken agent writes is refused",
    putBack: "`kill -CONT`, or `kill -9`",
  },
  drop_message: {
    breakIt: "drop one report of an agent, in a proxy between it and its supervisor",
    watch: "the agent sends it again, and the obligation is closed a few seconds behind its item",
    putBack: "take the rule out of the proxy",
  },
  duplicate_message: {
    breakIt: "send one report of an agent twice, in the same proxy",
    watch: "the obligation is closed once, and the ledger's journal shows the second try as refused",
    putBack: "take the rule out of the proxy",
  },
  tool_hang: {
    breakIt: "point one tool of one agent at an address that accepts and never answers",
    watch: "the other agents go on; the run ends at its deadline, and its record names the agent and the item",
    putBack: "the tool's address",
  },
  late_tool_result: {
    breakIt: "hold back one answer of a tool until the tool's limit is over, then let it through",
    watch: "the late result is refused, and the artefact of the second attempt stands",
    putBack: "take the rule out of the proxy",
  },
  ledger_blackhole: {
    breakIt: "drop all packets to the ledger (drop, not reject) from before the run's deadline until ten seconds behind it",
    watch: "every agent is told within a second of the deadline; the record is written when the ledger is back, and says that nobody could look",
    putBack: "the packet filter; look that the ledger answers before you leave",
  },
  host_loss: {
    breakIt: "drop all packets from and to the machine of an agent that holds an item, and close nothing",
    watch: "nothing is taken back before the lease is over, and then it is; the cut-off agent stops itself at its own expiry",
    putBack: "the packet filter of that machine",
  },
  budget_exhausted_in_spawn: {
    breakIt: "give one run a budget that its next agent, or its next call of a tool, exceeds",
    watch: "no counter passes its limit, the record names the counter, and no agent is there without a record of its parent",
    putBack: "the budget of the next run",
  },
};

export const GAME_DAY: readonly GameDayRow[] = FAULTS.map((fault) => ({ fault, ...ROWS[fault] }));
