/** A rule and a supervisor as a system that can be played, searched and replayed. */
import { SUPERVISOR_RULES } from "@casebook/supervisor/rules";
import { hasFaults, type Playable, type RuleCheck } from "../play/playable.ts";
import type { SupervisorAdapter } from "./adapter.ts";
import { accountSpeaks, type Alarm, ALARMS } from "./checks.ts";
import type { CheckedSupervisionRule } from "./rule.ts";
import { emptyRecord, type SupervisionSeen } from "./seen.ts";
import { addProcesses, runOf } from "./world.ts";

/** Ours needs fourteen hundred in the longest rule. */
const MAX_STEPS = 20_000;

export function playableOf(rule: CheckedSupervisionRule, adapter: SupervisorAdapter): Playable<SupervisionSeen> {
  const checks = checksOf(rule);
  return {
    rule,
    subject: adapter.name,
    checks,
    ...(rule.shows === undefined ? {} : { shows: rule.shows }),
    system: {
      name: `conformance/${rule.number}`,
      claim: rule.sentence,
      build(space) {
        const observed = emptyRecord();
        const run = runOf(rule);
        const { accounts, artefacts } = addProcesses({ space, rule, adapter, run, observed });
        return { facts: () => ({ ...observed, rule, run, accounts: accounts.all, artefacts }) };
      },
      checks: checks.map(({ id, alarm }) => ({ id, when: "end" as const, alarm })),
      onThrow: "fails",
      maxSteps: MAX_STEPS,
    },
  };
}

function checksOf(rule: CheckedSupervisionRule): readonly RuleCheck<SupervisionSeen>[] {
  const check = (name: string, says: string, alarm: Alarm): RuleCheck<SupervisionSeen> => ({ id: `${rule.number}/${name}`, says, case: undefined, alarm });
  return [
    check("contract", "Every body comes back in time, nothing is thrown, and what read answers has the promised shape.", ({ broken }) => broken[0]),
    ...(hasFaults(rule.faults) ? [] : [check("account", "While an agent works, the ledger names what is held and what is owed.", accountSpeaks)]),
    ...rule.asks.map((sentence) => check(sentence, SUPERVISOR_RULES[sentence], ALARMS[sentence])),
  ];
}
