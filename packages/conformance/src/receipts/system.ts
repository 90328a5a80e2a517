/**
 * A rule and a receipt log in the world: writers in processes of their own, a hand that damages bytes when they are through, and a
 * reader in a new process. A writer that died goes on with what was not acknowledged; what was, is the client's to know.
 */
import { withinDeadline } from "@casebook/ports";
import { KERNEL_EPOCH_MS, type ProcessPorts, type Space } from "@casebook/sim/kernel";
import { hasFaults, type Playable, type RuleCheck } from "../play/playable.ts";
import { type Read, readAnswered, readThrown } from "../answers.ts";
import type { KeyAnswer, ReceiptLogAdapter, ReceiptLogUnderTest, ReceiptToKeep } from "./adapter.ts";
import { damageBiggest } from "./damage.ts";
import type { CheckedReceiptRule } from "./rule.ts";
import { readAnswer, readAppended, readLog } from "./shapes.ts";

const ANSWER_MS = 60_000;
const HAND_AT_MS = 120_000;
/** Ahead of the hand and the reader: what somebody keeps outside of his instances is another's by then. */
const ELSEWHERE_AT_MS = 100_000;
const READER_AT_MS = 150_000;
/** Keys of nobody: one like no other, one that every object has, and what the key of somebody begins and ends with, and the other way round. */
const OF_NOBODY = ["nobody", "constructor", "command", "mand-1", "command-10", "a-command-1"] as const;

interface Kept extends ReceiptToKeep {
  readonly number: number | undefined;
}

export interface ReceiptsSeen {
  /** By anybody, acknowledged or not. */
  readonly appended: readonly ReceiptToKeep[];
  /** No byte was damaged, and no process died. */
  readonly isWhole: boolean;
  readonly acknowledged: readonly Kept[];
  readonly refused: readonly ReceiptToKeep[];
  readonly afterward: readonly Kept[];
  readonly answers: ReadonlyMap<string, KeyAnswer>;
  readonly broken: readonly string[];
}

interface Observed {
  readonly acknowledged: Kept[];
  readonly refused: ReceiptToKeep[];
  readonly afterward: Kept[];
  readonly answers: Map<string, KeyAnswer>;
  readonly broken: string[];
}

export function playableOf(rule: CheckedReceiptRule, adapter: ReceiptLogAdapter): Playable<ReceiptsSeen> {
  const checks = checksOf(rule);
  return {
    rule,
    subject: adapter.name,
    checks,
    system: {
      name: `conformance/${rule.number}`,
      claim: rule.sentence,
      build(space) {
        const observed: Observed = { acknowledged: [], refused: [], afterward: [], answers: new Map(), broken: [] };
        addProcesses(space, rule, adapter, observed);
        const appended = [...rule.play.writers.flat(), ...(rule.play.after ?? [])];
        return { facts: () => ({ ...observed, appended, isWhole: rule.play.damage === undefined && space.states().every(({ life }) => life <= 1) }) };
      },
      checks: checks.map(({ id, alarm }) => ({ id, when: "end" as const, alarm })),
      onThrow: "fails",
      ...(rule.play.durability === undefined ? {} : { durability: rule.play.durability }),
    },
  };
}

function addProcesses(space: Space, { play, checks }: CheckedReceiptRule, adapter: ReceiptLogAdapter, observed: Observed): void {
  const at = (ports: ProcessPorts, ms: number) => ports.clock.sleep(Math.max(0, KERNEL_EPOCH_MS + ms - ports.clock.now()));
  for (const [index, receipts] of play.writers.entries()) {
    space.process(
      `writer-${index + 1}`,
      async (ports) => {
        const log = await open(ports);
        if (log !== undefined) await appendAll(ports, log, receipts, observed.acknowledged);
      },
      { host: "desk" },
    );
  }
  const { damage } = play;
  if (damage !== undefined) {
    space.process(
      "hand",
      async (ports) => {
        await at(ports, HAND_AT_MS);
        await damageBiggest(ports.disk, damage);
      },
      { host: "desk" },
    );
  }
  space.process("elsewhere", async (ports) => {
    await at(ports, ELSEWHERE_AT_MS);
    const log = await open(ports);
    for (const key of new Set(play.writers.flat().map((one) => one.key))) {
      const answer = log && (await call(ports, "read", () => log.read(key), readAnswer));
      if (answer !== undefined && answer.health !== "absent") observed.broken.push(`a log on an empty disk answers ${text(answer)} for ${key}. Keep nothing outside of what create makes`);
    }
  });
  space.process(
    "reader",
    async (ports) => {
      await at(ports, READER_AT_MS);
      const log = await open(ports);
      if (log === undefined) return;
      await appendAll(ports, log, play.after ?? [], observed.afterward);
      const keys = new Set([...play.writers.flat(), ...(play.after ?? [])].map(({ key }) => key));
      if (checks.includes("none-invented")) for (const key of OF_NOBODY) keys.add(key);
      for (const key of keys) {
        const answer = await call(ports, "read", () => log.read(key), readAnswer);
        if (answer !== undefined) observed.answers.set(key, answer);
      }
      // A log may mend what was damaged, and nothing else.
      if (damage === undefined) await askAgain(ports, log);
    },
    { host: "desk" },
  );

  async function askAgain(ports: ProcessPorts, log: ReceiptLogUnderTest): Promise<void> {
    for (const [key, answer] of observed.answers) {
      const again = await call(ports, "read", () => log.read(key), readAnswer);
      if (again === undefined || text(again) === text(answer)) continue;
      observed.broken.push(`read answered ${text(answer)} for ${key}, and ${text(again)} when it was asked again. Answer from the disk, and change nothing`);
    }
  }

  function open(ports: ProcessPorts): Promise<ReceiptLogUnderTest | undefined> {
    const { clock, disk, ids, log, faults, process } = ports;
    return call(ports, "create", () => adapter.create({ clock, disk, ids, log, faults, name: process.name }), readLog);
  }

  async function appendAll(ports: ProcessPorts, log: ReceiptLogUnderTest, receipts: readonly ReceiptToKeep[], into: Kept[]): Promise<void> {
    for (const { key, state } of receipts) {
      if (into.some((one) => one.key === key && one.state === state)) continue;
      const answer = await call(ports, "append", () => log.append({ key, state }), readAppended);
      if (answer?.outcome === "acknowledged") into.push({ key, state, number: answer.number });
      if (answer?.outcome === "refused") observed.refused.push({ key, state });
      // Two writers take turns: one that went through in one go would never meet the other.
      if (play.writers.length > 1) await ports.clock.sleep(1_000);
    }
  }

  async function call<T>({ clock }: ProcessPorts, name: string, work: () => unknown, read: (value: unknown) => Read<T>): Promise<T | undefined> {
    const note = (text: string): undefined => {
      if (!observed.broken.includes(text)) observed.broken.push(text);
      return undefined;
    };
    let within: Awaited<ReturnType<typeof withinDeadline<unknown>>>;
    try {
      within = await withinDeadline<unknown>(clock, ANSWER_MS, Promise.resolve().then(work));
    } catch (failure) {
      return note(`${name} rejected with ${readThrown(failure).text}`);
    }
    if (within.outcome === "deadline") return note(`${name} had not answered after ${ANSWER_MS / 1_000} virtual seconds. Settle every promise, and wait for nothing but ports`);
    const answer = readAnswered(within.value, read);
    return "value" in answer ? answer.value : note(`${name} answered ${answer.wrong}`);
  }
}

function checksOf(rule: CheckedReceiptRule): readonly RuleCheck<ReceiptsSeen>[] {
  const check = (name: string, says: string, alarm: RuleCheck<ReceiptsSeen>["alarm"]): RuleCheck<ReceiptsSeen> => ({ id: `${rule.number}/${name}`, says, case: undefined, alarm });
  const wanted = rule.play.writers.flat();
  return [
    check("contract", "Every call answers in time and in the promised shape.", ({ broken }) => broken[0]),
    // Who refuses everything keeps every promise.
    check("acknowledged", "What is appended to a log that nobody has damaged is acknowledged.", ({ acknowledged }) => (acknowledged.length === wanted.length || hasFaults(rule.faults) ? undefined : `${acknowledged.length} of ${wanted.length} receipts were acknowledged`)),
    ...rule.checks.map((name) => check(name, SAYS[name], ALARMS[name])),
  ];
}

const SAYS: Readonly<Record<CheckedReceiptRule["checks"][number], string>> = {
  kept: "What was acknowledged is found, in its last state.",
  "not-absent": "A key that has a receipt is not called absent because it cannot be read.",
  "no-old-state": "An old state is not called healthy when the newest cannot be read.",
  "none-invented": "Nothing is found that nobody appended.",
  "after-stands": "What is appended behind a torn tail is acknowledged, and found.",
  "numbers-differ": "No two acknowledged receipts have one number.",
};

const lastOf = (acknowledged: readonly Kept[]): Map<string, ReceiptToKeep["state"]> => new Map(acknowledged.map(({ key, state }) => [key, state]));
const isAmong = (appended: readonly ReceiptToKeep[], key: string, state: KeyAnswer["state"]): boolean => appended.some((one) => one.key === key && one.state === state);
const text = (answer: KeyAnswer | undefined): string => (answer === undefined ? "nothing" : `${answer.health}${answer.state === undefined ? "" : `, ${answer.state}`}`);

function firstOf<T>(all: Iterable<T>, says: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const said = says(one);
    if (said !== undefined) return said;
  }
  return undefined;
}

const ALARMS: Readonly<Record<CheckedReceiptRule["checks"][number], (seen: ReceiptsSeen) => string | undefined>> = {
  // A later state that was appended and not acknowledged may stand there as well.
  kept: ({ acknowledged, answers, appended }) =>
    firstOf(lastOf(acknowledged), ([key, state]) => {
      const answer = answers.get(key);
      const isRight = answer?.health === "found" && (answer.state === state || (state === "pending" && isAmong(appended, key, answer.state)));
      return isRight ? undefined : `${key} was acknowledged as ${state}, and the answer is ${text(answer)}`;
    }),
  "not-absent": ({ acknowledged, answers }) => firstOf(lastOf(acknowledged), ([key]) => (answers.get(key)?.health === "absent" ? `${key} was acknowledged, its bytes are damaged, and the answer is absent` : undefined)),
  "no-old-state": ({ acknowledged, answers }) =>
    firstOf(lastOf(acknowledged), ([key, state]) => (answers.get(key)?.health === "found" && answers.get(key)?.state !== state ? `${key} was ${state}, which cannot be read any more, and the answer is ${text(answers.get(key))}` : undefined)),
  "none-invented": ({ answers, appended, isWhole }) =>
    firstOf(answers, ([key, answer]) => {
      if (isWhole && answer.health === "damaged") return `nothing was damaged, and the answer for ${key} is ${text(answer)}`;
      if (answer.state === undefined || isAmong(appended, key, answer.state)) return undefined;
      return `nobody appended ${key}${appended.some((one) => one.key === key) ? ` as ${answer.state}` : ""}, and the answer is ${text(answer)}`;
    }),
  "after-stands": ({ afterward, answers }) => {
    if (afterward.length === 0) return "nothing was appended behind the damage";
    return firstOf(afterward, ({ key, state }) => (answers.get(key)?.state === state ? undefined : `${key} was acknowledged behind the damage, and the answer is ${text(answers.get(key))}`));
  },
  "numbers-differ": ({ acknowledged }) => {
    const numbers = acknowledged.map(({ number }) => number);
    if (numbers.includes(undefined)) return "an acknowledgement has no number";
    return new Set(numbers).size === numbers.length ? undefined : `acknowledged numbers: ${numbers.toSorted((one, other) => (one ?? 0) - (other ?? 0)).join(", ")}`;
  },
};
