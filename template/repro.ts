/**
 * Case 000: a lock that nobody removes ends every later run.
 *
 * A nightly job takes a lock so that it never runs twice at a time. One night it dies while it holds it. Every later night
 * finds the lock, takes that for a run that is still at work, and ends with success.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { lockStale } from "@casebook/guards";
import type { Disk, Ports } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";

const LOCK = "/job/lock";
const HOUR_MS = 3_600_000;
/** A run takes minutes; a lock as old as this has no owner. */
const STALE_AFTER_MS = HOUR_MS;

export interface Nights {
  readonly nights: number;
  /** The night on which the job dies while it holds the lock; 0: on none. */
  readonly diesOn: number;
  readonly lock: "for-ever" | "expires";
}

export interface Seen extends Facts {
  readonly nights: number;
  readonly ran: number;
  readonly skipped: number;
  /** What the operator looks at: nights whose exit code was not 0. */
  readonly redNights: number;
  /** `silent`, or `ALARM: ` and why. */
  readonly guard: string;
}

async function someNights({ ports }: World, { nights, diesOn, lock }: Nights): Promise<Seen> {
  const seen = { nights, ran: 0, skipped: 0, redNights: 0 };
  for (let night = 1; night <= nights; night += 1) {
    const outcome = await oneNight(ports, lock, night === diesOn);
    if (outcome === "died") seen.redNights += 1;
    else seen[outcome] += 1;
    await ports.clock.sleep(24 * HOUR_MS);
  }
  const finding = lockStale({ locks: await locksOn(ports.disk), nowMs: ports.clock.now() });
  return { ...seen, guard: finding === undefined ? "silent" : `ALARM: ${finding.message}` };
}

async function oneNight({ disk, clock }: Ports, lock: Nights["lock"], dies: boolean): Promise<"ran" | "skipped" | "died"> {
  const [held] = await locksOn(disk);
  if (held !== undefined) {
    if (lock === "for-ever" || clock.now() - held.atMs <= STALE_AFTER_MS) return "skipped";
    await disk.unlink(LOCK);
  }
  await (await disk.open(LOCK, "wx")).close();
  if (dies) return "died";
  await disk.unlink(LOCK);
  return "ran";
}

async function locksOn(disk: Disk) {
  const names = (await disk.readdir("/job")).map(({ name }) => `/job/${name}`);
  return Promise.all(names.map(async (path) => ({ path, atMs: (await disk.stat(path)).modifiedAtMs, staleAfterMs: STALE_AFTER_MS })));
}

function scene(name: string, parameters: Nights, expect: Omit<Seen, "nights">): Scene<Nights, Seen> {
  const run = async (world: World, given: Nights) => {
    await world.ports.disk.mkdir("/job");
    return someNights(world, given);
  };
  return { name, run, with: parameters, expect: { nights: parameters.nights, ...expect } as Seen };
}

const DIES_FIRST: Nights = { nights: 4, diesOn: 1, lock: "for-ever" };

export const forEver = scene("for-ever", DIES_FIRST, {
  ran: 0,
  skipped: 3,
  redNights: 1,
  guard: "ALARM: 1 of 1 locks are stale: /job/lock is 4.0 d old, stale after 60 min",
});

export const expires = scene("expires", { ...DIES_FIRST, lock: "expires" }, { ran: 3, skipped: 0, redNights: 1, guard: "silent" });

/** The same lock on nights when nothing dies. */
export const undisturbed = scene("undisturbed", { ...DIES_FIRST, diesOn: 0 }, { ran: 4, skipped: 0, redNights: 0, guard: "silent" });

export const repro = defineRepro({
  id: "000",
  claim: "A job that dies while it holds its lock ends every later run, and each of those says success.",
  seed: 1,
  epoch: "2026-09-02T02:00:00Z",
  broken: forEver,
  fixed: expires,
  control: undisturbed,
  shown: [forEver, expires, undisturbed],
  more: [],
  print: (seen) => seen.map(({ name, facts }) => `mode=${name.padEnd(11)} ${counters(facts)}`),
});

function counters({ nights, ran, skipped, redNights, guard }: Seen): string {
  return `nights=${nights} ran=${ran} skipped=${skipped} red_nights=${redNights} guard=${guard}`;
}

await runAsScript(import.meta, repro);
