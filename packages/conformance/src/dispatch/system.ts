/** A rule and an adapter as a system that can be played, searched and replayed: what is put into the world, and what is asked at the end. */
import type { Check, System } from "@casebook/explore";
import { KERNEL_EPOCH_MS } from "@casebook/sim/kernel";
import { hasFaults, type Playable, refuses, type RuleCheck } from "../play/playable.ts";
import type { DispatcherAdapter } from "./adapter.ts";
import { addClient } from "./client.ts";
import { addDispatcherProcess, type Stage } from "./driver.ts";
import { SEEN_GUARDS } from "./guards.ts";
import type { CheckedRule } from "./rule.ts";
import { emptyRecord, type Seen } from "./seen.ts";

/** Ten times what a careful dispatcher needs in the longest rule. */
const MAX_STEPS = 60_000;

export function playableOf(rule: CheckedRule, adapter: DispatcherAdapter): Playable<Seen> {
  return {
    rule,
    subject: adapter.name,
    system: systemOf(rule, adapter),
    checks: checksOf(rule),
    unsupported({ histories, attempts }) {
      if (rule.needsProbe === "history" && histories.length === 0) return "probe answers no history";
      if (rule.needsProbe === "attempts" && attempts === undefined) return "probe answers no attempts";
      return undefined;
    },
  };
}

function systemOf(rule: CheckedRule, adapter: DispatcherAdapter): System<Seen> {
  return {
    name: `conformance/${rule.number}`,
    claim: rule.sentence,
    build(space) {
      const { runtime: options = {}, dispatchers = 1 } = rule.play;
      const runtime = space.sessions("runtime", options);
      const observed = emptyRecord(rule, KERNEL_EPOCH_MS);
      const stage: Stage = { space, runtime, adapter, rule, observed };
      const names = Array.from({ length: dispatchers }, (_, at) => `dispatcher-${at + 1}`);
      for (const name of names) addDispatcherProcess(stage, name, names.filter((other) => other !== name));
      addClient(stage);
      return {
        facts: () => ({
          ...observed,
          rule,
          capabilities: adapter.capabilities,
          // At no time: a look may not end a session that runs.
          sessions: runtime.sessions(0),
          runsForMs: options.runsForMs ?? Number.POSITIVE_INFINITY,
          endsWell: options.endsAs !== "failed",
          hasDied: space.states().some(({ life }) => life > 1),
        }),
      };
    },
    checks: checksOf(rule).map(({ id, alarm }): Check<Seen> => ({ id, when: "end", alarm })),
    onThrow: "fails",
    ...(rule.play.durability === undefined ? {} : { durability: rule.play.durability }),
    maxSteps: MAX_STEPS,
  };
}

const firstOf = (says: readonly (string | undefined)[]): string | undefined => says.find((one) => one !== undefined);

function checksOf(rule: CheckedRule): readonly RuleCheck<Seen>[] {
  const check = (name: string, says: string, alarm: RuleCheck<Seen>["alarm"]): RuleCheck<Seen> => ({ id: `${rule.number}/${name}`, says, case: undefined, alarm });
  return [
    check("contract", "Every call answers in time and in the promised shape.", contract),
    check("starts", "Each task is started as often as it may, and no less.", (seen) => firstOf(Object.entries(rule.starts).map(([task, [least, most]]) => started(seen, task, least, most)))),
    check("answers", "Every submission is answered, and what is answered fits what was submitted.", answers),
    check("states", "The list at the end names each task that was taken on, and how it stands.", states),
    ...SEEN_GUARDS.filter(({ id }) => rule.guards.includes(id)).map(({ id, text, case: shownBy, alarm }): RuleCheck<Seen> => ({ id: `${rule.number}/${id}`, says: text, case: shownBy, alarm })),
  ];
}

function contract({ broken, threw, rule, first }: Seen): string | undefined {
  const known = first === undefined || first.length === 0 ? undefined : `an instance on an empty disk knows ${first.map(({ id }) => id).join(", ")}. Keep nothing outside of what create makes`;
  return firstOf([broken[0], refuses(rule.faults) ? undefined : threw[0], known]);
}

function started({ sessions }: Seen, task: string, least: number, most: number): string | undefined {
  const count = sessions.filter((one) => one.task === task).length;
  if (count >= least && count <= most) return undefined;
  return `${task} was started ${count} times, and ${least === most ? least : `${least} to ${most}`} would be right`;
}

function answers({ submitted, rule }: Seen): string | undefined {
  const isDisturbed = hasFaults(rule.faults);
  for (const [at, { task, atMs, answers: given }] of submitted.entries()) {
    const which = `submission ${at + 1} (${task.id})`;
    if (given.length === 0) return `${which} was never answered`;
    const twin = submitted.filter((one) => one.task.id === task.id);
    const isAlone = twin.every((one) => one.task.revision === task.revision);
    if (isAlone && given.some((answer) => answer === "conflict" || answer === "rejected")) return `${which} was answered ${given.join(", ")}, and nobody submitted another text`;
    if (isDisturbed || !isAlone) continue;
    const earlier = twin.filter((one) => one.atMs < atMs);
    if (earlier.length > 0 && given[0] !== "duplicate") return `${which} was answered ${given[0]}, and it was known: duplicate would be right`;
    // Of several at once each may be the first that was heard.
    if (earlier.length === 0 && !twin.some((one) => one.atMs === atMs && one.answers[0] === "accepted")) return `${which} was answered ${given[0]}, and it was new: accepted would be right`;
  }
  return undefined;
}

function states({ views, rule, hasDied, capabilities, sessions, submitted }: Seen): string | undefined {
  if (hasDied && !capabilities.includes("durable")) return undefined;
  if (views === undefined) return "there is no list at the end";
  for (const { task, answers: given } of submitted) {
    if (given.includes("accepted") && !views.some(({ id }) => id === task.id)) return `${task.id} was accepted and is not on the list`;
  }
  for (const { id, state, session } of views) {
    if (session !== undefined && !sessions.some((one) => one.id === session)) return `${id} names the session ${session}, which was never started`;
    if ((state === "running" || state === "done" || state === "failed") && !sessions.some((one) => one.task === id)) return `${id} is said to be ${state}, and no session was started for it`;
    const allowed = rule.states?.[id];
    if (allowed !== undefined && !allowed.includes(state)) return `${id} is said to be ${state} at the end, and ${allowed.join(" or ")} would be right`;
  }
  const missing = Object.keys(rule.states ?? {}).find((id) => !views.some((view) => view.id === id));
  return missing === undefined ? undefined : `${missing} is not on the list`;
}
