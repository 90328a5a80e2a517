/**
 * Case 006: any reply counts as healthy.
 *
 * Twelve sessions wait behind a queue. Two of them have lost their worker; the queue still takes every message and says so.
 * A watchdog asks each session for a sign of life, takes the queue's word for one, and reports 0 orphans, 22 times in a row.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { heartbeatLoopsWithoutSuccess, watchdogFalseGreen } from "@casebook/guards";
import { createCancellation, type Disk, errorCode, type Ports } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { Volume } from "memfs";

const MINUTE_MS = 60_000;
const EPOCH = "2026-08-15T06:00:00Z";
/** How often a worker goes round, and how often the watchdog looks. */
const ROUND_MS = 10 * MINUTE_MS;
const LOOK_MS = 10 * MINUTE_MS;
/** How old a heartbeat may be: one round may be missed. */
const FRESH_MS = 2 * ROUND_MS;
const FLEET = "/fleet";
export const LOG = `${FLEET}/watchdog.jsonl`;
/** Bad on purpose: nobody gives it a worker. */
const PLANTED = "planted";

export interface Watch {
  /** All of them: what the next three leave is at work. */
  readonly sessions: number;
  /** Sessions without a worker. The queue in front of them answers. */
  readonly orphans: number;
  /** Sessions whose worker goes round and finishes nothing. */
  readonly spinning: number;
  /** Sessions at work whose record of what is finished cannot be read. */
  readonly unreadable: number;
  /**
   * What the watchdog takes for health. `any-reply`: something answered. `loop`: the worker goes round. `finished`: the count
   * of what is finished grew, and what is not there is 0. `finished-or-not-measured`: the same, and what cannot be compared
   * is neither good nor bad.
   */
  readonly takes: "any-reply" | "loop" | "finished" | "finished-or-not-measured";
  /** `healed`: somebody meant well and gave it a worker. */
  readonly planted: "none" | "one" | "healed";
  /** Who judges the watchdog: nobody, or the guards, with or without a look at the work. */
  readonly judge: "nobody" | "guards" | "guards-with-evidence";
  readonly runs: number;
}

/** By the watchdog's own log, except for `idle`. */
export interface Seen extends Facts {
  readonly runs: number;
  /** Runs that said that all is well, that something is bad, and that they could not tell. */
  readonly green: number;
  readonly bad: number;
  readonly notMeasured: number;
  /** Messages that were answered, of all that were sent. */
  readonly replies: string;
  /** What the last run called an orphan, without the planted one. */
  readonly said: readonly string[];
  /** Sessions that finished nothing all the time, by a look at the work; what cannot be read is not among them. */
  readonly idle: readonly string[];
  /** In how many of the green runs the planted one was found; `none` without one, or without a green run. */
  readonly plantedFound: string;
  readonly alarms: readonly string[];
}

type Health = "ok" | "bad" | "not-measured";

/** A line of the watchdog's log. */
interface Report {
  readonly at: string;
  readonly verdict: Health;
  readonly asked: number;
  readonly replies: number;
  readonly orphans: readonly string[];
}

/** What a look at a session finds. Undefined: it cannot be read. */
interface Look {
  readonly reply: string | undefined;
  /** The two heartbeats: when the worker last went round, how much it has finished, and when it last said so. */
  readonly loopedAtMs: number | undefined;
  readonly finished: number | undefined;
  readonly finishedAtMs: number;
}

const idOf = (index: number) => `session-${String(index + 1).padStart(2, "0")}`;

function idsOf({ sessions, planted }: Pick<Watch, "sessions" | "planted">): string[] {
  const ids = Array.from({ length: sessions }, (_, index) => idOf(index));
  return planted === "none" ? ids : [...ids, PLANTED];
}

type Work = "at-work" | "no-worker" | "spinning" | "unreadable";

/** Counted from the end, so that the first session is at work. */
function workOf(watch: Watch): ReadonlyMap<string, Work> {
  const { sessions, orphans, spinning, unreadable, planted } = watch;
  const works: Work[] = [
    ...Array.from({ length: orphans }, () => "no-worker" as const),
    ...Array.from({ length: spinning }, () => "spinning" as const),
    ...Array.from({ length: unreadable }, () => "unreadable" as const),
  ];
  const plantedWork = planted === "healed" ? "at-work" : "no-worker";
  return new Map(idsOf(watch).map((id, index) => [id, id === PLANTED ? plantedWork : (works[sessions - 1 - index] ?? "at-work")]));
}

export function disk(watch: Watch): Volume {
  const files = [...workOf(watch)].map(([id, work]) => ({
    [`${FLEET}/${id}/session.json`]: JSON.stringify({ id, queue: "open" }),
    [`${FLEET}/${id}/looped`]: "0",
    // What a crash leaves of a file that was being replaced.
    [`${FLEET}/${id}/finished`]: work === "unreadable" ? "" : "0",
  }));
  return Volume.fromJSON(Object.assign({ [LOG]: "" }, ...files));
}

async function oneWatch({ ports }: World, watch: Watch): Promise<Seen> {
  const ids = idsOf(watch);
  const before = await lookAtAll(ports, ids);
  const stop = createCancellation();
  const working = keepWorking(ports, workOf(watch), stop.signal);
  await watchFleet(ports, watch);
  stop.cancel();
  await working;
  const reports = (await readText(ports.disk, LOG)).trimEnd().split("\n").map((line): Report => JSON.parse(line));
  const after = await lookAtAll(ports, ids);
  const alarms = new Set(watch.judge === "guards-with-evidence" ? heartbeatAlarms(after, ports.clock.now()) : []);
  return count(watch, reports, idleOf(before, after), [...alarms]);
}

async function keepWorking(ports: Ports, works: ReadonlyMap<string, Work>, signal: ReturnType<typeof createCancellation>["signal"]): Promise<void> {
  for (let round = 1; (await ports.clock.sleep(ROUND_MS, signal)) === "elapsed"; round += 1) {
    for (const [id, work] of works) {
      if (work === "no-worker") continue;
      await writeText(ports.disk, `${FLEET}/${id}/looped`, String(ports.clock.now()));
      // One thing a round.
      if (work === "at-work") await writeText(ports.disk, `${FLEET}/${id}/finished`, String(round));
    }
  }
}

async function watchFleet(ports: Ports, watch: Watch): Promise<void> {
  const ids = idsOf(watch);
  let last = new Map<string, Look>();
  for (let run = 0; run < watch.runs; run += 1) {
    // A minute after the workers' round.
    await ports.clock.sleep(run === 0 ? LOOK_MS + MINUTE_MS : LOOK_MS);
    const looks = await lookAtAll(ports, ids);
    const health = new Map(ids.map((id) => [id, healthOf(watch.takes, ports.clock.now(), looks.get(id), last.get(id))]));
    const report: Report = {
      at: new Date(ports.clock.now()).toISOString(),
      verdict: verdictOf(watch, health),
      asked: ids.length,
      replies: [...looks.values()].filter(({ reply }) => reply !== undefined).length,
      orphans: ids.filter((id) => health.get(id) === "bad"),
    };
    await writeText(ports.disk, LOG, `${JSON.stringify(report)}\n`, "a");
    last = looks;
  }
}

function healthOf(takes: Watch["takes"], nowMs: number, now: Look | undefined, last: Look | undefined): Health {
  switch (takes) {
    case "any-reply":
      return now?.reply === undefined ? "bad" : "ok";
    case "loop":
      return nowMs - (now?.loopedAtMs ?? 0) <= FRESH_MS ? "ok" : "bad";
    case "finished":
      return (now?.finished ?? 0) > (last?.finished ?? 0) ? "ok" : "bad";
    case "finished-or-not-measured":
      if (now?.finished === undefined || last?.finished === undefined) return "not-measured";
      return now.finished > last.finished ? "ok" : "bad";
  }
}

/** The planted one is no news. A watchdog that knows of three answers takes back its green when it did not find it. */
function verdictOf({ takes, planted }: Watch, health: ReadonlyMap<string, Health>): Health {
  const answers = [...health].filter(([id]) => id !== PLANTED).map(([, answer]) => answer);
  if (answers.includes("bad")) return "bad";
  if (answers.includes("not-measured")) return "not-measured";
  return takes === "finished-or-not-measured" && planted !== "none" && health.get(PLANTED) !== "bad" ? "not-measured" : "ok";
}

async function lookAtAll(ports: Ports, ids: readonly string[]): Promise<Map<string, Look>> {
  const looks = new Map<string, Look>();
  for (const id of ids) {
    looks.set(id, {
      reply: await ask(ports, id),
      loopedAtMs: await readNumber(ports.disk, `${FLEET}/${id}/looped`),
      finished: await readNumber(ports.disk, `${FLEET}/${id}/finished`),
      finishedAtMs: (await ports.disk.stat(`${FLEET}/${id}/finished`)).modifiedAtMs,
    });
  }
  return looks;
}

/** Sends a message. The queue answers, for every session that it knows of; whether a worker ever takes it out is not its business. */
async function ask({ disk: { stat } }: Ports, id: string): Promise<string | undefined> {
  try {
    await stat(`${FLEET}/${id}/session.json`);
    return "queued";
  } catch (refusal) {
    if (errorCode(refusal) === "ENOENT") return undefined;
    throw refusal;
  }
}

/** Somebody else's look at the work, from before the first run to after the last one. */
function idleOf(before: ReadonlyMap<string, Look>, after: ReadonlyMap<string, Look>): { looked: number; idle: string[] } {
  const readable = [...after].filter(([id, { finished }]) => id !== PLANTED && finished !== undefined);
  return {
    looked: readable.length,
    idle: readable.filter(([id, { finished }]) => finished === before.get(id)?.finished).map(([id]) => id),
  };
}

/** Asked of each session; one whose record cannot be read is left out. */
function heartbeatAlarms(looks: ReadonlyMap<string, Look>, nowMs: number): string[] {
  return [...looks.values()].flatMap(({ loopedAtMs, finished, finishedAtMs }) => {
    if (loopedAtMs === undefined || finished === undefined) return [];
    const succeededAtMs = finished === 0 ? undefined : finishedAtMs;
    return heartbeatLoopsWithoutSuccess({ loopedAtMs, succeededAtMs, staleAfterMs: FRESH_MS, nowMs })?.guard ?? [];
  });
}

function count(
  watch: Watch,
  reports: readonly Report[],
  { looked, idle }: ReturnType<typeof idleOf>,
  heartbeats: readonly string[],
): Seen {
  const withVerdict = (verdict: Health) => reports.filter((report) => report.verdict === verdict);
  const green = withVerdict("ok");
  const found = green.filter(({ orphans }) => orphans.includes(PLANTED)).length;
  const isPlanted = watch.planted !== "none" && green.length > 0;
  const finding = watchdogFalseGreen({
    watchdog: "orphan-check",
    runs: reports.length,
    greenRuns: green.length,
    evidence: watch.judge === "guards-with-evidence" ? { looked, bad: idle.length } : undefined,
    planted: isPlanted ? { runs: green.length, found } : undefined,
  });
  const sum = (key: "asked" | "replies") => reports.reduce((total, report) => total + report[key], 0);
  return {
    runs: reports.length,
    green: green.length,
    bad: withVerdict("bad").length,
    notMeasured: withVerdict("not-measured").length,
    replies: `${sum("replies")}/${sum("asked")}`,
    said: reports.at(-1)?.orphans.filter((id) => id !== PLANTED) ?? [],
    idle,
    plantedFound: isPlanted ? `${found}/${green.length}` : "none",
    alarms: [...heartbeats, ...(watch.judge === "nobody" || finding === undefined ? [] : [finding.guard])],
  };
}

async function readNumber(disk: Disk, path: string): Promise<number | undefined> {
  const text = await readText(disk, path);
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

async function readText({ open }: Disk, path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    return new TextDecoder().decode(await file.read((await file.stat()).size, 0));
  } finally {
    await file.close();
  }
}

async function writeText({ open }: Disk, path: string, text: string, flags: "w" | "a" = "w"): Promise<void> {
  const file = await open(path, flags);
  await file.write(new TextEncoder().encode(text));
  await file.close();
}

function scene(name: string, parameters: Watch, expect: Seen): Scene<Watch, Seen> {
  return { name, disk, run: oneWatch, with: parameters, expect };
}

const TWO_ORPHANS: Watch = {
  sessions: 12,
  orphans: 2,
  spinning: 0,
  unreadable: 0,
  takes: "any-reply",
  planted: "none",
  judge: "nobody",
  runs: 22,
};
const LAST_TWO = ["session-11", "session-12"];
const ALL_GREEN: Seen = {
  runs: 22,
  green: 22,
  bad: 0,
  notMeasured: 0,
  replies: "264/264",
  said: [],
  idle: LAST_TWO,
  plantedFound: "none",
  alarms: [],
};

export const anyReply = scene("any-reply", TWO_ORPHANS, ALL_GREEN);

export const finished = scene("finished", { ...TWO_ORPHANS, takes: "finished" }, { ...ALL_GREEN, green: 0, bad: 22, said: LAST_TWO });

/** Nothing to compare the first look with, so the first run says so. */
export const threeAnswers = scene(
  "three-answers",
  { ...TWO_ORPHANS, takes: "finished-or-not-measured", planted: "one", judge: "guards-with-evidence" },
  { ...ALL_GREEN, green: 0, bad: 21, notMeasured: 1, replies: "286/286", said: LAST_TWO },
);

export const healthy = scene(
  "healthy",
  { ...threeAnswers.with, orphans: 0 },
  { ...ALL_GREEN, green: 21, notMeasured: 1, replies: "286/286", idle: [], plantedFound: "21/21" },
);

/** What an operator can do about somebody else's watchdog: plant one, and see whether it is found. */
export const watched = scene(
  "planted",
  { ...TWO_ORPHANS, planted: "one", judge: "guards" },
  { ...ALL_GREEN, replies: "286/286", plantedFound: "0/22", alarms: ["watchdog/false-green"] },
);

/** Two answers are one too few: what cannot be read has to be something, and is called an orphan. */
export const twoAnswers = scene(
  "two-answers",
  { ...TWO_ORPHANS, orphans: 0, unreadable: 1, takes: "finished" },
  { ...ALL_GREEN, green: 0, bad: 22, said: ["session-12"], idle: [] },
);

const notMeasured = scene(
  "not-measured",
  { ...twoAnswers.with, takes: "finished-or-not-measured" },
  { ...ALL_GREEN, green: 0, notMeasured: 22, idle: [] },
);

/** The loop is alive and the work is dead. */
export const loopAlive = scene(
  "loop-alive",
  { ...TWO_ORPHANS, orphans: 0, spinning: 2, takes: "loop" },
  ALL_GREEN,
);

export const twoHeartbeats = scene(
  "two-heartbeats",
  { ...loopAlive.with, takes: "finished-or-not-measured", judge: "guards-with-evidence" },
  { ...ALL_GREEN, green: 0, bad: 21, notMeasured: 1, said: LAST_TWO, alarms: ["heartbeat/loops-without-success"] },
);

export const repro = defineRepro({
  id: "006",
  claim: "A watchdog that takes any reply for service reports 0 orphans across 2 real ones, and every further run makes it look more certain.",
  seed: 6,
  epoch: EPOCH,
  broken: anyReply,
  fixed: threeAnswers,
  control: healthy,
  shown: [anyReply, finished, threeAnswers, healthy],
  more: [watched, twoAnswers, notMeasured, loopAlive, twoHeartbeats],
  print: (seen) => seen.map(({ name, facts }) => `mode=${name.padEnd(14)} ${counters(facts)}`),
});

function counters({ runs, green, bad, notMeasured, said, idle, plantedFound, alarms }: Seen): string {
  const isSilent = green === runs && idle.length > 0 && alarms.length === 0;
  return (
    `runs=${runs} green=${green} bad=${bad} not_measured=${notMeasured} said=${said.length} idle=${idle.length} ` +
    `planted_found=${plantedFound} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
