/** A rule and an adapter as a system that can be played, searched and replayed: what is put into the world, and what is asked at the end. */
import type { Check, System } from "@casebook/explore";
import { KERNEL_EPOCH_MS, type RuntimeState, type Space } from "@casebook/sim/kernel";
import { hasFaults, type Playable, refuses, type RuleCheck } from "../play/playable.ts";
import type { DispatcherAdapter } from "./adapter.ts";
import { addClient } from "./client.ts";
import { addDispatcherProcess, addOnlooker, DEFAULT_UNTIL_MS, type Stage } from "./driver.ts";
import { SEEN_GUARDS } from "./guards.ts";
import type { CheckedRule, Stranger } from "./rule.ts";
import { emptyRecord, isTaken, type Seen, TRUST } from "./seen.ts";

/** Ten times what a careful dispatcher needs in the longest rule. */
const MAX_STEPS = 60_000;
/** Behind the last look of a dispatcher. */
const LATER_MS = 30_000;

export function playableOf(rule: CheckedRule, adapter: DispatcherAdapter): Playable<Seen> {
  return {
    rule,
    subject: adapter.name,
    system: systemOf(rule, adapter),
    checks: checksOf(rule),
    ...(rule.needsProbe === undefined ? {} : { shows: PROBED[rule.needsProbe] }),
    unsupported({ histories, attempts, broken, threw }) {
      // One that is there and does not answer is broken, and not missing.
      if ([...broken, ...threw].some((text) => text.startsWith("probe "))) return undefined;
      if (rule.needsProbe === "history" && histories.length === 0) return "probe answers no history";
      if (rule.needsProbe === "attempts" && attempts === undefined) return "probe answers no attempts";
      return undefined;
    },
  };
}

/** Nothing can be wrong with what is empty. */
const PROBED: Readonly<Record<NonNullable<CheckedRule["needsProbe"]>, NonNullable<Playable<Seen>["shows"]>>> = {
  history: { what: "a record in the history of probe", isShown: ({ histories }) => histories.some((one) => one.length > 0) },
  attempts: { what: "a task of the rule in the attempts of probe", isShown: ({ attempts = [], submitted }) => attempts.some(({ task }) => submitted.some((one) => one.task.id === task)) },
};

function systemOf(rule: CheckedRule, adapter: DispatcherAdapter): System<Seen> {
  return {
    name: `conformance/${rule.number}`,
    claim: rule.sentence,
    build(space) {
      const { runtime: options = {}, dispatchers = 1, namesake = false, strangers = [], elsewhereAtMs } = rule.play;
      const runtime = space.sessions("runtime", options);
      const observed = emptyRecord(rule, KERNEL_EPOCH_MS);
      const foreign = new Set<string>();
      const stage: Stage = { space, runtime, adapter, rule, observed };
      const names = Array.from({ length: dispatchers }, (_, at) => `dispatcher-${at + 1}`);
      for (const name of names) addDispatcherProcess(stage, name, names.filter((other) => other !== name), namesake && name !== names[0] ? names[0] : undefined);
      addClient(stage);
      if (strangers.length > 0) addStrangers(space, runtime, strangers, foreign);
      if (elsewhereAtMs !== undefined) {
        addOnlooker(stage, { process: "elsewhere", host: "elsewhere", name: "elsewhere", runtime: space.sessions("another runtime", options), atMs: elsewhereAtMs });
        // Over the disk of the first, when that has ended: what somebody keeps outside of his instances is another's by then.
        if (adapter.capabilities.includes("durable")) addOnlooker(stage, { process: "later", host: "desk", name: names[0] as string, runtime, atMs: (rule.play.untilMs ?? DEFAULT_UNTIL_MS) + LATER_MS });
      }
      return {
        facts() {
          // At no time: a look may not end a session that runs.
          const sessions = runtime.sessions(0);
          return {
          ...observed,
          rule,
          capabilities: adapter.capabilities,
          sessions: sessions.filter(({ id }) => !foreign.has(id)),
          strangers: sessions.filter(({ id }) => foreign.has(id)),
          startMs: KERNEL_EPOCH_MS,
          runsForMs: options.runsForMs ?? Number.POSITIVE_INFINITY,
          endsWell: options.endsAs !== "failed",
          hasDied: space.states().some(({ life }) => life > 1),
          };
        },
      };
    },
    checks: checksOf(rule).map(({ id, alarm }): Check<Seen> => ({ id, when: "end", alarm })),
    onThrow: "fails",
    ...(rule.play.durability === undefined ? {} : { durability: rule.play.durability }),
    maxSteps: MAX_STEPS,
  };
}

/** For a task of ours by its name, under a key and an agent of nobody's here. `foreign`: what was started, by id, since a key is anybody's. */
function addStrangers(space: Space, runtime: RuntimeState, strangers: readonly Stranger[], foreign: Set<string>): void {
  space.process("somebody-else", async (ports) => {
    const { clock } = ports;
    await Promise.all(
      strangers.map(async ({ atMs, task }, at) => {
        await clock.sleep(atMs);
        const { id } = await ports.sessions(runtime).start({ key: `somebody-else-${at + 1}`, task, revision: "", agent: "OPS", attempt: "", epoch: 0 });
        foreign.add(id);
      }),
    );
  });
}

const firstOf = (says: readonly (string | undefined)[]): string | undefined => says.find((one) => one !== undefined);

function checksOf(rule: CheckedRule): readonly RuleCheck<Seen>[] {
  const check = (name: string, says: string, alarm: RuleCheck<Seen>["alarm"]): RuleCheck<Seen> => ({ id: `${rule.number}/${name}`, says, case: undefined, alarm });
  return [
    check("contract", "Every call answers in time and in the promised shape.", contract),
    check("starts", "Each task is started as often as it may, and no less.", (seen) => firstOf(Object.entries(rule.starts).map(([task, [least, most]]) => started(seen, task, least, most)))),
    check("answers", "Every submission is answered, and what is answered fits what was submitted.", answers),
    ...(rule.startedByMs === undefined ? [] : [check("in-time", "It is started in time.", inTime)]),
    ...(rule.waitsFor === undefined ? [] : [check("because", "The list says what a task waits for.", because)]),
    ...(rule.play.strangers === undefined ? [] : [check("strangers", "What others started is not adopted, not stopped, and listed where it is asked.", strangersLeftAlone)]),
    check("states", "The list at the end names each task that was taken on, and how it stands.", states),
    ...SEEN_GUARDS.filter(({ id }) => rule.guards.includes(id)).map(({ id, text, case: shownBy, alarm }): RuleCheck<Seen> => ({ id: `${rule.number}/${id}`, says: text, case: shownBy, alarm })),
  ];
}

function contract({ broken, threw, rule, submitted, first = [], elsewhere = [], later }: Seen): string | undefined {
  const foreign = [...first, ...elsewhere].map(({ id }) => id);
  const known = foreign.length === 0 ? undefined : `an instance on an empty disk knows ${[...new Set(foreign)].join(", ")}. Keep nothing outside of what create makes`;
  const forgotten = later && submitted.find((one) => isTaken(one) && !later.some(({ id }) => id === one.task.id));
  const unknown = forgotten && `an instance that is created later over the same disk does not know ${forgotten.task.id}, which was accepted. Keep it on the disk, and nothing outside of what create makes`;
  return firstOf([broken[0], rejected(threw, rule), known, unknown]);
}

/** While the disk refuses a look may say so, and the next one tries again. Who submits is told so only where it stays refused. */
function rejected(threw: readonly string[], { faults, isRefusedForGood }: CheckedRule): string | undefined {
  if (isRefusedForGood === true) return undefined;
  return refuses(faults) ? threw.find((text) => text.startsWith("submit ")) : threw[0];
}

function started(seen: Seen, task: string, least: number, most: number): string | undefined {
  const { sessions } = seen;
  const count = sessions.filter((one) => one.task === task).length;
  if (count >= least && count <= most) return misled(seen, task);
  return `${task} was started ${count} times, and ${least === most ? least : `${least} to ${most}`} would be right`;
}

/** No submission gives a task to another agent. */
function misled({ sessions, submitted }: Seen, id: string): string | undefined {
  const agent = submitted.find(({ task }) => task.id === id)?.task.agent;
  const wrong = sessions.find((one) => one.task === id && agent !== undefined && one.agent !== agent);
  return wrong && `${id} was started for ${wrong.agent}, and ${agent} would be right`;
}

function answers({ submitted, rule, capabilities }: Seen): string | undefined {
  const isDisturbed = hasFaults(rule.faults);
  for (const [at, { task, atMs, answers: given }] of submitted.entries()) {
    const which = `submission ${at + 1} (${task.id})`;
    // What is never kept is never accepted; a rejection or `rejected` says so.
    const isRefused = rule.isRefusedForGood === true && given.every((answer) => answer === "rejected");
    if (isRefused) continue;
    if (given.length === 0) return `${which} was never answered`;
    if (isUntrusted(task) && capabilities.includes("sources")) {
      if (given.some((answer) => answer !== "rejected")) return `${which} was answered ${given.join(", ")}, and its source ${JSON.stringify(task.source)} is not trusted: rejected would be right`;
      continue;
    }
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

function isUntrusted({ source }: Seen["submitted"][number]["task"]): boolean {
  return !TRUST.sources.some((one) => one === source);
}

function inTime({ rule, sessions, startMs }: Seen): string | undefined {
  const late = Object.entries(rule.startedByMs ?? {}).find(([task, byMs]) => !sessions.some((one) => one.task === task && one.startedAtMs <= startMs + byMs));
  return late && `${late[0]} was not started within ${late[1] / 1_000} virtual seconds`;
}

function because({ rule, midway, views, hasDied, capabilities }: Seen): string | undefined {
  if (hasDied && !capabilities.includes("durable")) return undefined;
  const list = rule.play.looksAtMs === undefined ? views : midway;
  for (const [task, names] of Object.entries(rule.waitsFor ?? {})) {
    const view = list?.find(({ id }) => id === task);
    if (view === undefined) return `${task} is not on the list`;
    // Where it does not wait, it says something else, and other checks look at that.
    if (view.state === "waiting" && !names.some((name) => view.because.includes(name))) return `${task} waits because ${JSON.stringify(view.because)}, which does not name ${names.join(" or ")}`;
  }
  return undefined;
}

function strangersLeftAlone({ strangers, views = [], listedStrangers }: Seen): string | undefined {
  for (const { id, status } of strangers) {
    const adopted = views.find(({ session }) => session === id);
    if (adopted !== undefined) return `${adopted.id} names the session ${id}, which somebody else started`;
    if (status === "cancelled") return `the session ${id}, which somebody else started, was cancelled`;
    if (listedStrangers !== undefined && !listedStrangers.includes(id)) return `the session ${id}, which somebody else started, is not among the strangers that probe answers`;
  }
  return undefined;
}

/** Work is over when its session is. */
function overTooEarly({ midway = [], midwayAtMs = 0, sessions, runsForMs }: Seen): string | undefined {
  const early = midway.find(({ id, state }) => ["review", "done", "failed"].includes(state) && !sessions.some(({ task, startedAtMs }) => task === id && startedAtMs + runsForMs <= midwayAtMs));
  return early && `${early.id} is said to be ${early.state} while no session of it has ended`;
}

function states(seen: Seen): string | undefined {
  const { views, rule, hasDied, capabilities, sessions, submitted } = seen;
  if (hasDied && !capabilities.includes("durable")) return undefined;
  const early = overTooEarly(seen);
  if (early !== undefined) return early;
  if (views === undefined) return "there is no list at the end";
  for (const { task, answers: given } of submitted) {
    if (given.includes("accepted") && !views.some(({ id }) => id === task.id)) return `${task.id} was accepted and is not on the list`;
  }
  for (const { id, state, session } of views) {
    if (state === "review" && !capabilities.includes("reviews")) return `${id} is said to be in review, and reviews is not declared`;
    if (session !== undefined && !sessions.some((one) => one.id === session)) return `${id} names the session ${session}, which was never started`;
    if (["running", "review", "done", "failed"].includes(state) && !sessions.some((one) => one.task === id)) return `${id} is said to be ${state}, and no session was started for it`;
    const allowed = rule.states?.[id];
    if (allowed !== undefined && !allowed.includes(state)) return `${id} is said to be ${state} at the end, and ${allowed.join(" or ")} would be right`;
  }
  const missing = Object.keys(rule.states ?? {}).find((id) => !views.some((view) => view.id === id));
  return missing === undefined ? undefined : `${missing} is not on the list`;
}
