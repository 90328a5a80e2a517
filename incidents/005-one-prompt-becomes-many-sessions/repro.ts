/**
 * Case 005: one prompt becomes many sessions.
 *
 * A bridge delivers one prompt to the local host and to every idle peer that answers for the account. Each takes the delivery
 * for its own, and starts. One claim for each prompt id, taken in one step, leaves one of them.
 *
 * Models a bridge, its hosts and a table of the account that is always there, each process on a machine of its own. A session is
 * a row in that table and one effect; it ends with its host. Leaves out disks, what a session does, and a table that fails.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { playAlone, staying, type System } from "@casebook/explore";
import { dispatchDuplicateSession } from "@casebook/guards";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { type ArmedFault, asynchronousRunner, type Build, type CellState, createSimulation, type FaultKind, type ProcessPorts, type Space } from "@casebook/sim/kernel";

const EPOCH = "2026-08-24T09:00:00Z";
const MINUTE_MS = 60_000;
/** How long the bridge waits for an answer: longer than a host may wait for a lease. */
const ANSWER_MS = 1.5 * MINUTE_MS;
const RETRY_MS = MINUTE_MS;
/** Deliveries of one prompt to one host. */
const ATTEMPTS = 3;
/** As long as a fault lasts, so that the end of a pause and the end of a lease come in either order. */
const LEASE_MS = MINUTE_MS;
const HEAL_MS = 10 * MINUTE_MS;

/**
 * When a host starts a session. `every-delivery`: always. `look-then-claim`: when a look showed no claim. `claim`: when its claim
 * was taken, in one step. `takeover`: also when a claim has run out and nothing was started. `fenced-takeover`: the same, and a
 * start counts only while the claim is still the one it was made under.
 */
export type Policy = "every-delivery" | "look-then-claim" | "claim" | "takeover" | "fenced-takeover";

export interface Fleet {
  /** The local one and its peers. */
  readonly hosts: number;
  /** One prompt each. */
  readonly texts: readonly string[];
  readonly starts: Policy;
  /** What makes two deliveries one prompt. */
  readonly claimedBy: "id" | "text";
  readonly fault: keyof typeof FAULTS;
  readonly watcher: "nobody" | "guard";
}

const FAULTS = {
  none: [],
  "answer-lost": [{ at: "network.laptop->bridge", kind: "drop" }],
  "claimer-killed": [{ at: "host.after-claim", kind: "kill" }],
  "claimer-restarted": [{ at: "host.after-claim", kind: "kill-restart" }],
  "claimer-stopped": [{ at: "host.after-claim", kind: "stop-continue" }],
} as const satisfies Record<string, readonly ArmedFault[]>;

export interface Prompt {
  /** Given once, where it was submitted. */
  readonly id: string;
  readonly text: string;
}

interface Session {
  readonly id: string;
  readonly prompt: string;
}

/** What the account's table keeps of a prompt. */
interface Row {
  readonly holder: string | undefined;
  /** How often it was claimed. */
  readonly epoch: number;
  readonly untilMs: number;
  readonly sessions: readonly Session[];
}

const FREE: Row = { holder: undefined, epoch: 0, untilMs: 0, sessions: [] };

const promptsOf = ({ texts }: Fleet): Prompt[] => texts.map((text, index) => ({ id: `prompt-${index + 1}`, text }));
const hostsOf = ({ hosts }: Fleet): string[] => Array.from({ length: hosts }, (_, index) => (index === 0 ? "laptop" : `peer-${index}`));

/** The account, as one execution has it. */
interface Account {
  readonly fleet: Fleet;
  readonly prompts: readonly Prompt[];
  readonly rowOf: (prompt: Prompt) => CellState<Row>;
  /** Sessions that did their work. */
  readonly effects: CellState<readonly Session[]>;
}

export function build(fleet: Fleet): Build<Told> {
  return (space) => {
    const prompts = promptsOf(fleet);
    const keyOf = ({ id, text }: Prompt): string => (fleet.claimedBy === "id" ? id : text);
    const rows = new Map([...new Set(prompts.map(keyOf))].map((key) => [key, space.cell(`claim ${key}`, FREE)]));
    const account: Account = {
      fleet,
      prompts,
      rowOf: (prompt) => rows.get(keyOf(prompt)) as CellState<Row>,
      effects: space.cell<readonly Session[]>("effects", []),
    };
    space.process("bridge", (ports) => bridge(ports, account));
    for (const name of hostsOf(fleet)) space.process(name, (ports) => host(ports, account), { isDaemon: true });
    return { facts: () => tell(space, account) };
  };
}

/** Hands every prompt to every host, and again until it has an answer. A new life knows nothing of what the last one delivered. */
export async function bridge(ports: ProcessPorts, { prompts, fleet }: Account): Promise<void> {
  for (const prompt of prompts) {
    await ports.faults.reach("bridge.before-delivery");
    await Promise.all(hostsOf(fleet).map((name) => deliver(ports, prompt, name)));
    await ports.faults.reach("bridge.after-delivery");
  }
}

async function deliver(ports: ProcessPorts, prompt: Prompt, name: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (attempt > 1) await ports.clock.sleep(RETRY_MS);
    if (attempt > 1 || ports.process.life > 1) note(ports, "redelivered", prompt);
    const { outcome } = await ports.network.request(name, prompt, ANSWER_MS);
    if (outcome === "ok") return note(ports, "answered", prompt);
  }
  note(ports, "gave-up", prompt);
}

/** Answers when it knows what became of the prompt. */
export async function host(ports: ProcessPorts, account: Account): Promise<void> {
  if (ports.process.life > 1) await resume(ports, account);
  for (;;) {
    const delivery = await ports.network.receive();
    if (delivery.kind === "closed") continue;
    const prompt = delivery.body as Prompt;
    note(ports, "received", prompt);
    await ports.faults.reach("host.after-delivery");
    const epoch = account.fleet.starts === "every-delivery" ? 0 : await claim(ports, account, prompt);
    if (epoch !== undefined) await start(ports, account, prompt, epoch);
    await delivery.answer("known");
  }
}

/** After a restart: what this host had claimed and not started is still its own. */
async function resume(ports: ProcessPorts, account: Account): Promise<void> {
  for (const prompt of account.prompts) {
    const { holder, epoch, sessions } = await ports.cell(account.rowOf(prompt)).read();
    if (holder !== ports.process.name || sessions.length > 0) continue;
    note(ports, "resumed", prompt);
    await start(ports, account, prompt, epoch);
  }
}

/** The epoch of the claim, or undefined: another has it. */
async function claim(ports: ProcessPorts, account: Account, prompt: Prompt): Promise<number | undefined> {
  const { starts } = account.fleet;
  const row = ports.cell(account.rowOf(prompt));
  const seen = await row.read();
  if (seen.holder === undefined) {
    // An update without a condition: it keeps what it does not mean to change, and takes the claim from whoever has it by now.
    if (starts === "look-then-claim") return (await row.update((now) => claimed(ports, now))).epoch + 1;
    const mine = claimed(ports, seen);
    if (await row.compareAndSet(seen, mine)) return mine.epoch;
    note(ports, "lost-race", prompt);
  }
  return starts === "takeover" || starts === "fenced-takeover" ? takeOver(ports, account, prompt) : undefined;
}

/** Waits for the lease to run out, by this host's own clock, and looks once more. */
async function takeOver(ports: ProcessPorts, account: Account, prompt: Prompt): Promise<number | undefined> {
  const row = ports.cell(account.rowOf(prompt));
  const before = await row.read();
  if (before.sessions.length > 0) return undefined;
  await ports.clock.sleep(Math.min(Math.max(before.untilMs - ports.clock.now(), 0), LEASE_MS));
  const seen = await row.read();
  if (seen.sessions.length > 0 || ports.clock.now() < seen.untilMs) return undefined;
  const mine = claimed(ports, seen);
  if (!(await row.compareAndSet(seen, mine))) return undefined;
  note(ports, "took-over", prompt);
  return mine.epoch;
}

function claimed({ process, clock }: ProcessPorts, seen: Row): Row {
  return { ...seen, holder: process.name, epoch: seen.epoch + 1, untilMs: clock.now() + LEASE_MS };
}

async function start(ports: ProcessPorts, account: Account, prompt: Prompt, epoch: number): Promise<void> {
  await ports.faults.reach("host.after-claim");
  const session = { id: ports.ids.next("session"), prompt: prompt.id };
  const isFenced = account.fleet.starts === "fenced-takeover";
  const before = await ports
    .cell(account.rowOf(prompt))
    .update((row) => (isFenced && row.epoch !== epoch ? row : { ...row, sessions: [...row.sessions, session] }));
  if (isFenced && before.epoch !== epoch) return note(ports, "refused", prompt);
  await ports.faults.reach("host.after-start");
  await ports.cell(account.effects).update((done) => [...done, session]);
  await ports.faults.reach("host.after-effect");
}

type Event = "redelivered" | "answered" | "gave-up" | "received" | "resumed" | "lost-race" | "took-over" | "refused";

function note({ log }: ProcessPorts, event: Event, { id }: Prompt): void {
  log.write("info", event, { prompt: id });
}

/** What a prompt is that has no session. */
interface Open {
  readonly prompt: string;
  readonly holder: string | undefined;
  readonly holderStands: string;
  readonly gaveUp: boolean;
}

/** Counted from the account's table, from what each process wrote to its log, and from how each stands in the end. */
export interface Told {
  readonly deliveries: number;
  readonly redeliveries: number;
  readonly answered: number;
  readonly claims: number;
  readonly takeovers: number;
  readonly refused: number;
  readonly resumed: number;
  readonly lostRaces: number;
  readonly sessions: readonly Session[];
  readonly effects: readonly Session[];
  readonly open: readonly Open[];
  /** Processes that can still do something: not dead, not stopped, not hanging. */
  readonly able: readonly string[];
}

function tell(space: Space, { prompts, rowOf, effects }: Account): Told {
  const count = (event: Event): number => space.log.filter((entry) => entry.event === event).length;
  const rows = [...new Set(prompts.map(rowOf))].map(({ value }) => value);
  const sessions = rows.flatMap((row) => row.sessions);
  const states = new Map(space.states().map(({ name, status, hangs }) => [name, hangs > 0 ? "hanging" : status]));
  return {
    deliveries: count("received"),
    redeliveries: count("redelivered"),
    answered: count("answered"),
    claims: rows.reduce((total, { epoch }) => total + epoch, 0),
    takeovers: count("took-over"),
    refused: count("refused"),
    resumed: count("resumed"),
    lostRaces: count("lost-race"),
    sessions,
    effects: effects.value,
    open: prompts
      .filter(({ id }) => !sessions.some(({ prompt }) => prompt === id))
      .map((prompt) => {
        const { holder } = rowOf(prompt).value;
        const gaveUp = space.log.some(({ event, facts }) => event === "gave-up" && facts["prompt"] === prompt.id);
        return { prompt: prompt.id, holder, holderStands: states.get(holder ?? "") ?? "", gaveUp };
      }),
    able: [...states].filter(([, stands]) => stands === "running" || stands === "ended").map(([name]) => name),
  };
}

const duplicates = ({ sessions }: Told) => dispatchDuplicateSession(sessions.map(({ id, prompt }) => ({ session: id, prompt })));

type Check = System<Told>["checks"][number];

const ONE_SESSION: Check = { id: dispatchDuplicateSession.about.id, when: "end", alarm: (told) => duplicates(told)?.message };

const ONE_EFFECT: Check = {
  id: "prompt/one-effect",
  when: "end",
  alarm({ effects }) {
    const prompts = effects.map(({ prompt }) => prompt);
    const twice = prompts.find((prompt, at) => prompts.indexOf(prompt) !== at);
    return twice === undefined ? undefined : `${twice} took effect ${prompts.filter((prompt) => prompt === twice).length} times`;
  },
};

/** A prompt may stay without a session, but not in silence: whoever holds it is gone, or the bridge is gone, or says that it gave up. */
const ACCOUNTED_FOR: Check = {
  id: "prompt/accounted-for",
  when: "end",
  alarm({ open, able }) {
    const lost = open.find(({ holder, gaveUp }) => able.includes(holder ?? "bridge") && !(holder === undefined && gaveUp));
    return lost === undefined ? undefined : `${lost.prompt} was not started: ${lost.holder ?? "nobody"} has it, and nothing says that it never will`;
  },
};

/** What a takeover is for. */
const NOT_LEFT: Check = {
  id: "prompt/not-left-with-the-dead",
  when: "end",
  alarm({ open, able }) {
    const others = able.filter((name) => name !== "bridge");
    const left = open.find(({ holder }) => holder !== undefined && others.length > 0);
    return left === undefined ? undefined : `${left.prompt} was left with ${left.holder} (${left.holderStands}) while ${others.join(" and ")} could have started it`;
  },
};

/** The whole list; in a search each is armed at its first reach. */
const POINTS = [
  "bridge.before-delivery",
  "bridge.after-delivery",
  "host.after-delivery",
  "host.after-claim",
  "host.after-start",
  "host.after-effect",
  "network.bridge->laptop",
  "network.bridge->peer-1",
  "network.laptop->bridge",
  "network.peer-1->bridge",
];
/** Without `error`, which ends a process as a kill does, and `disk-full`: nothing here has a disk. */
const KINDS: readonly FaultKind[] = [
  ...(["hang", "slow", "hold", "kill", "kill-restart", "stop-continue", "host-dead", "host-unreachable", "clock-jump"] as const),
  ...(["drop", "duplicate", "delay", "reorder", "cut", "blackhole", "reset"] as const),
];

function system(starts: Policy, expect: "holds" | "fails", claim: string, more: readonly Check[], sometimes: System<Told>["sometimes"]): System<Told> {
  return {
    name: `005/${starts}`,
    claim,
    expect,
    build: build({ ...THREE_HOSTS, hosts: 2, starts }),
    checks: [ONE_SESSION, ONE_EFFECT, ACCOUNTED_FOR, ...more],
    sometimes: {
      "a prompt was delivered again": ({ redeliveries }) => redeliveries > 0,
      "a host died, and the other lived": ({ able }) => able.filter((name) => name !== "bridge").length === 1,
      "a session ended with its host before its effect": ({ sessions, effects }) => effects.length < sessions.length,
      ...sometimes,
    },
    faults: { points: POINTS, kinds: KINDS },
    healMs: HEAL_MS,
  };
}

const CLAIMED: System<Told>["sometimes"] = {
  "two hosts raced for the claim": ({ lostRaces }) => lostRaces > 0,
  "a host came back and started what it had claimed": ({ resumed, sessions }) => resumed > 0 && sessions.length > 0,
};
const TAKEN_OVER: System<Told>["sometimes"] = { ...CLAIMED, "a host died holding the claim and another recovered": ({ takeovers, sessions, able }) => takeovers > 0 && sessions.length > 0 && !able.includes("laptop") };

const THREE_HOSTS: Fleet = { hosts: 3, texts: ["deploy the release"], starts: "every-delivery", claimedBy: "id", fault: "none", watcher: "nobody" };

/** What can be searched: two hosts, one prompt. */
export const systems = [
  system("every-delivery", "fails", "Every delivery starts a session.", [], {}),
  system("look-then-claim", "fails", "A host that saw no claim claims and starts.", [], {}),
  system("claim", "holds", "One claim for each prompt id, taken in one step, has at most one session, and what is not started is not silent.", [], {
    ...CLAIMED,
    "a host died holding the claim, and the prompt waits for a person": ({ open }) => open.some(({ holder }) => holder !== undefined),
  }),
  system("takeover", "fails", "A claim that ran out is taken over.", [NOT_LEFT], TAKEN_OVER),
  system("fenced-takeover", "holds", "A claim that ran out is taken over, and a start counts only under the claim that stands.", [NOT_LEFT], {
    ...TAKEN_OVER,
    "a host woke behind a takeover, and its start was refused": ({ refused }) => refused > 0,
  }),
] as const satisfies readonly System<Told>[];

export function systemOf(starts: string): System<Told> {
  const found = systems.find(({ name }) => name === `005/${starts}`);
  if (found === undefined) throw new Error(`SYSTEM_UNKNOWN: case 005 has no system "${starts}"; there are ${systems.map(({ name }) => name).join(", ")}.`);
  return found;
}

export interface Seen extends Facts {
  readonly hosts: number;
  readonly prompts: number;
  /** Prompts that arrived at a host. */
  readonly deliveries: number;
  /** Of the deliveries to each host, those that the bridge has an answer to. */
  readonly answered: string;
  readonly claims: number;
  readonly sessions: number;
  readonly effects: number;
  /** Prompts without a session, and who holds each. */
  readonly open: readonly string[];
  readonly alarms: readonly string[];
}

/** One execution, in which a process goes on for as long as it can. */
async function oneDelivery({ ports }: World, fleet: Fleet): Promise<Seen> {
  const { execution, facts } = createSimulation(build(fleet), {
    chooser: { choose: staying },
    faults: FAULTS[fleet.fault],
    healMs: HEAL_MS,
    epoch: ports.clock.now(),
  });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { steps: execution.steps.length, trace: execution.hash() });
  return seen(fleet, facts());
}

function seen(fleet: Fleet, told: Told): Seen {
  const finding = fleet.watcher === "guard" ? duplicates(told) : undefined;
  return {
    hosts: fleet.hosts,
    prompts: fleet.texts.length,
    deliveries: told.deliveries,
    answered: `${told.answered}/${fleet.hosts * fleet.texts.length}`,
    claims: told.claims,
    sessions: told.sessions.length,
    effects: told.effects.length,
    open: told.open.map(({ prompt, holder, holderStands }) => `${prompt}:${holder ?? "nobody"}:${holderStands || "none"}`),
    alarms: finding === undefined ? [] : [finding.guard],
  };
}

function scene(name: string, fleet: Fleet, expect: Seen): Scene<Fleet, Seen> {
  return { name, run: oneDelivery, with: fleet, expect };
}

const THREE: Seen = { hosts: 3, prompts: 1, deliveries: 3, answered: "3/3", claims: 0, sessions: 3, effects: 3, open: [], alarms: [] };
const ONE: Seen = { ...THREE, claims: 1, sessions: 1, effects: 1 };

export const everyDelivery = scene("every-delivery", THREE_HOSTS, THREE);

export const oneClaim = scene("claim", { ...THREE_HOSTS, starts: "claim", watcher: "guard" }, ONE);

export const oneHost = scene("one-host", { ...THREE_HOSTS, hosts: 1, watcher: "guard" }, { ...THREE, hosts: 1, deliveries: 1, answered: "1/1", sessions: 1, effects: 1 });

/** The prompt arrived, and the answer did not. */
export const answerLost = scene("answer-lost", { ...oneClaim.with, fault: "answer-lost" }, { ...ONE, deliveries: 4 });

export const equalTexts = scene(
  "equal-texts",
  { ...oneClaim.with, texts: ["deploy the release", "deploy the release"] },
  { ...ONE, prompts: 2, deliveries: 6, answered: "6/6", claims: 2, sessions: 2, effects: 2 },
);

/** What an operator can do without touching the bridge: hand the list of sessions to the guard. */
export const watched = scene("watched", { ...THREE_HOSTS, watcher: "guard" }, { ...THREE, alarms: ["dispatch/duplicate-session"] });

export const answerLostUnclaimed = scene(
  "answer-lost-open",
  { ...watched.with, fault: "answer-lost" },
  { ...THREE, deliveries: 4, sessions: 4, effects: 4, alarms: ["dispatch/duplicate-session"] },
);

/** A claim for each text takes two prompts for one, and nobody is told. */
export const claimedByText = scene(
  "claimed-by-text",
  { ...equalTexts.with, claimedBy: "text" },
  { ...equalTexts.expect, claims: 1, sessions: 1, effects: 1, open: ["prompt-2:laptop:running"] },
);

/** Green, and wrong: in this order of steps nobody looks between another's look and claim. */
export const lookThenClaim = scene("look-then-claim", { ...oneClaim.with, starts: "look-then-claim" }, ONE);

export const claimerKilled = scene(
  "claimer-killed",
  { ...oneClaim.with, fault: "claimer-killed" },
  { ...ONE, answered: "2/3", sessions: 0, effects: 0, open: ["prompt-1:laptop:killed"] },
);

export const claimerRestarted = scene("claimer-back", { ...oneClaim.with, fault: "claimer-restarted" }, { ...ONE, deliveries: 4 });

export const takenOver = scene("takeover", { ...claimerKilled.with, starts: "takeover" }, { ...ONE, answered: "2/3", claims: 2 });

export const zombie = scene(
  "zombie",
  { ...takenOver.with, fault: "claimer-stopped" },
  { ...ONE, claims: 2, sessions: 2, effects: 2, alarms: ["dispatch/duplicate-session"] },
);

export const fenced = scene("fenced-zombie", { ...zombie.with, starts: "fenced-takeover" }, { ...ONE, claims: 2 });

export const repro = defineRepro({
  id: "005",
  claim: "A bridge that delivers one prompt to every host that answers for the account gets a session and an effect from each, and one claim for each prompt id leaves one.",
  seed: 5,
  epoch: EPOCH,
  broken: everyDelivery,
  fixed: oneClaim,
  control: oneHost,
  shown: [everyDelivery, oneClaim, answerLost, equalTexts, oneHost],
  more: [watched, answerLostUnclaimed, claimedByText, lookThenClaim, claimerKilled, claimerRestarted, takenOver, zombie, fenced],
  print: (modes) => modes.map(({ name, facts }) => `mode=${name.padEnd(16)} ${counters(facts)}`),
});

function counters({ hosts, prompts, deliveries, answered, claims, sessions, effects, open, alarms }: Seen): string {
  const isSilent = (sessions > prompts || open.some((text) => text.endsWith(":running"))) && alarms.length === 0;
  return (
    `hosts=${hosts} prompts=${prompts} deliveries=${deliveries} answered=${answered} claims=${claims} sessions=${sessions} ` +
    `effects=${effects} open=${open.join("+") || "none"} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
