/** What one execution shows: nothing wrong, a finding, or no verdict. */
import { type Cap, type Ending, type Escape, type Execution, MAX_LOG_LINES, MAX_WAITING, type Simulation } from "@casebook/sim/kernel";
import { type Check, DEADLOCK, type System, THREW } from "./system.ts";

export type Judged =
  | { readonly verdict: "holds" }
  | { readonly verdict: "fails"; readonly check: string; readonly says: string }
  | { readonly verdict: "not-run"; readonly reason: "timed-out" | "unsupported"; readonly says: string }
  /** Left out because an equivalent one was played. */
  | { readonly verdict: "given-up" };

/** Call it once, after the end. */
export function judge<Facts>(system: System<Facts>, { execution, facts }: Simulation<Facts>): Judged {
  const [escape] = execution.escapes;
  if (escape !== undefined) return { verdict: "not-run", reason: "unsupported", says: escapeText(escape) };
  const ending = execution.ending as Ending;
  switch (ending.how) {
    case "given-up":
      return { verdict: "given-up" };
    case "violated": {
      const [check = "", ...words] = ending.says.split(": ");
      return { verdict: "fails", check, says: words.join(": ") };
    }
    case "timed-out":
      return { verdict: "not-run", reason: "timed-out", says: capText(execution, ending.cap) };
    case "deadlock":
      return { verdict: "fails", check: DEADLOCK, says: ending.waiting.join("; ") || "nobody can go on, and no call is waiting" };
    case "finished":
      try {
        return judgeEnd(system, execution, facts());
      } catch (thrown) {
        return { verdict: "not-run", reason: "unsupported", says: checkThrew(thrown) };
      }
  }
}

function judgeEnd<Facts>(system: System<Facts>, execution: Execution, facts: Facts): Judged {
  const threw = execution.processes.find(({ status }) => status === "threw");
  if (threw !== undefined && system.onThrow !== "ends") {
    const { failure } = threw;
    return { verdict: "fails", check: THREW, says: `${threw.name}: ${failure instanceof Error ? failure.message : String(failure)}` };
  }
  for (const check of system.checks) {
    const says = answerOf(check, facts);
    if (says !== undefined) return { verdict: "fails", check: check.id, says };
  }
  return { verdict: "holds" };
}

/** For the option `afterStep`: the checks of each step, or undefined where there are none. */
export function stepChecks<Facts>(system: System<Facts>): ((facts: () => Facts) => string | undefined) | undefined {
  const checks = system.checks.filter(({ when }) => when === "each-step");
  if (checks.length === 0) return undefined;
  return (facts) => {
    const now = facts();
    for (const check of checks) {
      const says = answerOf(check, now);
      if (says !== undefined) return `${check.id}: ${says}`;
    }
    return undefined;
  };
}

/** A check that answers something else, such as a promise, would be a finding that nobody meant. */
function answerOf<Facts>({ id, alarm }: Check<Facts>, facts: Facts): string | undefined {
  const says: unknown = alarm(facts);
  if (says === undefined || typeof says === "string") return says;
  throw new TypeError(`the check ${id} answered ${says instanceof Promise ? "a promise" : typeof says}; it answers a text when something is wrong, and undefined when nothing is`);
}

function checkThrew(thrown: unknown): string {
  return `SYSTEM_CHECK_THREW: the facts or a check could not be asked: ${thrown instanceof Error ? thrown.message : String(thrown)}. Mend the system's own code: it has no verdict without them.`;
}

/** With a code that never changes, what happened, and what to do. */
function escapeText({ what, process, says }: Escape): string {
  const who = process === "" ? "a process, in its first step," : `process ${process}`;
  switch (what) {
    case "ambient-call":
      return `SYSTEM_AMBIENT_CALL: ${who} left the world: ${says}`;
    case "outside-world":
      return `SYSTEM_LEFT_THE_WORLD: ${who} ${says}. Await nothing but ports, and promises that ports settle.`;
    case "rejection-unhandled":
      return `SYSTEM_REJECTION_UNHANDLED: ${who} left a rejection unhandled: ${says}. Await the promise, or catch what it rejects with, before the next await.`;
    case "call-after-kill":
      return `SYSTEM_CALLS_AFTER_DEATH: ${who} is dead, and somebody called its ${says}. Hand its ports to nobody else, and let nothing real wake its code.`;
    case "threw-in-tick":
      return `SYSTEM_THREW_IN_TICK: ${who} threw in a callback of process.nextTick: ${says}. Await a promise instead, so that the failure has an owner.`;
  }
}

function capText(execution: Execution, cap: Cap): string {
  const { steps, options } = execution;
  const last = steps.at(-1);
  const after = last === undefined ? "" : `; the last was ${last.plan.name} ${JSON.stringify(last.plan.object)} of ${last.process.name}`;
  const [limit, advice] = {
    steps: [`${options.maxSteps} steps`, "Bound the loop, or raise the cap of the system."],
    "virtual time": [`${options.maxVirtualMs} ms of virtual time`, "Bound the loop, or raise the cap of the system."],
    "waiting calls": [`${MAX_WAITING} calls that wait at once`, "Await what is called, or bound how many go at once."],
    "log lines": [`${MAX_LOG_LINES} log lines`, "Bound the loop that writes them."],
  }[cap] as [string, string];
  return `more than ${limit}${after}. ${advice}`;
}
