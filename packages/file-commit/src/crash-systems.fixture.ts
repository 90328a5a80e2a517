/**
 * A writer that replaces one file twice, and a reader that looks long afterwards, on one machine: what the searches beside this file
 * play every crash in. With two writers each replaces it once, at the same time. Judged from outside: what each was handed and
 * answered, what the disk refused, what the reader finds. Leaves out a machine that never comes back: nobody looks there.
 */
import { type Check, type System } from "@casebook/explore";
import { residueLeftovers, storageAcknowledgedLost, storageNeitherVersion, storageNoRetry, storageSilentFailure, storageUnboundedRetry, type StoredVersion } from "@casebook/guards";
import { type Disk, errorCode } from "@casebook/ports";
import type { ArmedFault, Build, ProcessPorts, Space } from "@casebook/sim/kernel";
import { Volume } from "memfs";
import { commitFile, type CommitPolicies, isTemporaryOf, REFERENCE_POLICIES, RENAME_PAUSES_MS, removeStaleTemporaries } from "./index.ts";
import type { CommitRule } from "./known-bad/index.ts";

const MACHINE = "machine";
const DIRECTORY = "/state";
export const TARGET = `${DIRECTORY}/tasks.json`;
const BEFORE = "before";
/** Longer than anything below takes but a start: 1.27 s of refusals, or a minute's pause. */
const STALE_MS = 120_000;
const READ_AFTER_MS = 10 * STALE_MS;
const MAX_ATTEMPTS = RENAME_PAUSES_MS.length + 1;

export interface Told {
  /** The first was there before. */
  readonly versions: readonly StoredVersion[];
  /** What the reader found, undefined: no file. Nothing here: nobody read. */
  readonly read: { readonly found: string | undefined; readonly entries: number; readonly stale: readonly string[] } | undefined;
  /** Instants at which somebody began again, after the last acknowledgement. */
  readonly crashes: number;
  /** The same, after the last clean-up, or from the beginning. */
  readonly crashesSinceCleanUp: number;
  /** What the disk answered to the renames, by the version that they were for: a code, or `ok`. */
  readonly renames: readonly { readonly version: string; readonly answers: readonly string[] }[];
  readonly refusedUnlinks: number;
  /** Temporary files of the dead. */
  readonly removed: number;
  /** Processes that are dead for good, or hang. */
  readonly gone: readonly string[];
}

function build(policies: CommitPolicies, writers: 1 | 2): Build<Told> {
  const names = writers === 1 ? ["writer"] : ["writer", "other-writer"];
  const before = Volume.fromJSON({ [TARGET]: BEFORE });
  return (space) => {
    space.disk(MACHINE, before);
    for (const name of names) space.process(name, (ports) => writer(ports, policies, writers === 1 ? 2 : 1), { host: MACHINE });
    space.process("reader", reader, { host: MACHINE });
    return { facts: () => tell(space) };
  };
}

async function writer(ports: ProcessPorts, policies: CommitPolicies, versions: number): Promise<void> {
  const { process, log, clock, ids, faults } = ports;
  log.write("info", "began", { life: process.life });
  if (process.life > 1) return cleanUp(ports, policies);
  for (let number = 1; number <= versions; number += 1) {
    // No two have one length, so that one written over the other is neither.
    const version = `${process.name} ${"version ".repeat(number)}${number}`;
    log.write("info", "handed", { version });
    try {
      const { directorySync } = await commitFile({ clock, ids, faults, disk: counted(ports, version) }, TARGET, Uint8Array.from(version, (letter) => letter.charCodeAt(0)), policies);
      // A writer that says that this disk cannot keep a name promises nothing about a power loss.
      log.write("info", directorySync === "done" ? "acknowledged" : "written", { version });
    } catch (failure) {
      log.write("error", "failed", { version, code: errorCode(failure) });
    }
  }
}

/** A start that comes when whoever died is stale. */
async function cleanUp(ports: ProcessPorts, policies: CommitPolicies): Promise<void> {
  await ports.clock.sleep(STALE_MS);
  const { removed } = await removeStaleTemporaries({ disk: ports.disk, clock: ports.clock }, TARGET, STALE_MS, policies.staleTemporaries);
  ports.log.write("info", "cleaned-up", { removed: removed.length });
}

/** Counts at the door of the disk, not in the writer. */
function counted({ disk, log }: ProcessPorts, version: string): Disk {
  const note = (event: string, code: string): void => log.write("info", event, { version, code });
  const noted = (event: string, work: Promise<void>): Promise<void> =>
    work.then(
      () => note(event, "ok"),
      (refusal: unknown) => {
        note(event, errorCode(refusal));
        throw refusal;
      },
    );
  return { ...disk, rename: (from, to) => noted("rename", disk.rename(from, to)), unlink: (path) => noted("unlink", disk.unlink(path)) };
}

/** Looks once, when everybody else has had time enough. */
async function reader({ process, clock, disk, log }: ProcessPorts): Promise<void> {
  log.write("info", "began", { life: process.life });
  await clock.sleep(READ_AFTER_MS);
  const found = await contentOf(disk);
  const names = (await disk.readdir(DIRECTORY)).map(({ name }) => name).sort();
  const stale: string[] = [];
  for (const name of names.filter((one) => isTemporaryOf(TARGET, one))) {
    const { modifiedAtMs } = await disk.stat(`${DIRECTORY}/${name}`);
    if (clock.now() - modifiedAtMs >= STALE_MS) stale.push(name);
  }
  log.write("info", "read", { found: found ?? null, entries: names.length, stale: stale.join(" ") });
}

async function contentOf(disk: Disk): Promise<string | undefined> {
  try {
    const file = await disk.open(TARGET, "r");
    const { size } = await file.stat();
    const bytes = await file.read(size, 0);
    await file.close();
    return String.fromCharCode(...bytes);
  } catch (refusal) {
    if (errorCode(refusal) === "ENOENT") return undefined;
    throw refusal;
  }
}

function tell(space: Space): Told {
  const { log } = space;
  const of = (event: string) => log.filter((entry) => entry.event === event);
  const answers = new Map(log.flatMap(({ event, facts }) => (event === "acknowledged" || event === "failed" ? [[facts["version"], event] as const] : [])));
  const handed = of("handed").map(({ facts }) => String(facts["version"]));
  // A power loss has everybody begin again at one instant.
  const crashesSince = (what: string): number => {
    const last = log.findLastIndex(({ event }) => event === what);
    return new Set(log.slice(last + 1).flatMap(({ event, facts, atMs }) => (event === "began" && Number(facts["life"]) > 1 ? [atMs] : []))).size;
  };
  const read = of("read").at(-1)?.facts;
  return {
    versions: [{ content: BEFORE, answer: "acknowledged" }, ...handed.map((version): StoredVersion => ({ content: version, answer: answers.get(version) ?? "none" }))],
    read:
      read === undefined
        ? undefined
        : { found: read["found"] === null ? undefined : String(read["found"]), entries: Number(read["entries"]), stale: String(read["stale"]).split(" ").filter((name) => name !== "") },
    crashes: crashesSince("acknowledged"),
    crashesSinceCleanUp: crashesSince("cleaned-up"),
    renames: handed.map((version) => ({ version, answers: of("rename").flatMap(({ facts }) => (facts["version"] === version ? [String(facts["code"])] : [])) })),
    refusedUnlinks: of("unlink").filter(({ facts }) => facts["code"] !== "ok").length,
    removed: of("cleaned-up").reduce((total, { facts }) => total + Number(facts["removed"]), 0),
    gone: space.states().flatMap(({ name, status, hangs }) => ((status === "running" || status === "ended") && hangs === 0 ? [] : [name])),
  };
}

/** Which guard holds each rule. */
export const GUARD_OF = {
  "file-commit/old-or-new": storageNeitherVersion,
  "file-commit/acknowledged-stays": storageAcknowledgedLost,
  "file-commit/failure-is-visible": storageSilentFailure,
  "file-commit/refusals-pass": storageNoRetry,
  "file-commit/retries-end": storageUnboundedRetry,
  "file-commit/leaves-nothing": residueLeftovers,
} as const satisfies Record<CommitRule, unknown>;

const stored = (guard: typeof storageNeitherVersion): Check<Told> => ({
  id: guard.about.id,
  when: "end",
  alarm: ({ versions, read, crashes }) => (read === undefined ? undefined : guard({ file: TARGET, versions, found: read.found, crashes })?.message),
});

const NO_RETRY: Check<Told> = {
  id: storageNoRetry.about.id,
  when: "end",
  alarm: ({ renames, versions }) =>
    first(renames, ({ version, answers }) => storageNoRetry({ file: TARGET, renames: answers, answer: versions.find(({ content }) => content === version)?.answer ?? "none" })?.message),
};

const UNBOUNDED: Check<Told> = {
  id: storageUnboundedRetry.about.id,
  when: "end",
  alarm: ({ renames }) =>
    first(renames, ({ answers }) => storageUnboundedRetry({ file: TARGET, refusals: answers.filter((answer) => answer !== "ok").length, maxAttempts: MAX_ATTEMPTS, openMs: undefined, maxOpenMs: 0 })?.message),
};

/**
 * A writer that is gone for good cannot clean up, and one whose removal was refused did what it could. What a power loss brings
 * back, of a removal that was not synced, is the next start's.
 */
const LEFTOVERS: Check<Told> = {
  id: residueLeftovers.about.id,
  when: "end",
  alarm: ({ read, refusedUnlinks, gone, crashesSinceCleanUp }) =>
    read === undefined || refusedUnlinks > 0 || gone.length > 0 || crashesSinceCleanUp > 0 ? undefined : residueLeftovers({ files: read.entries, leftovers: read.stale })?.message,
};

function first<T>(items: readonly T[], say: (item: T) => string | undefined): string | undefined {
  return items.map(say).find((said) => said !== undefined);
}

const refused = (errno: string, times: number, nth = 1): ArmedFault => ({ at: "disk.rename", kind: "error", errno, times, nth });
const failing = (call: string, errno: string, nth: number): ArmedFault => ({ at: `disk.${call}`, kind: "error", errno, nth });

/** What the disk answers, in the first commit and in the second: refusals that pass, that just pass, that just do not, that go on. */
export const DISK_ANSWERS: readonly ArmedFault[] = [
  ...[1, MAX_ATTEMPTS - 1, MAX_ATTEMPTS, MAX_ATTEMPTS + 1, 100].map((times) => refused("EPERM", times)),
  ...["EPERM", "ENOENT", "EXDEV"].flatMap((errno) => [1, 2].map((times) => refused(errno, times, 2))),
  ...[1, 2].flatMap((nth): ArmedFault[] => [
    ...["open", "write", "sync", "close", "rename", "syncDirectory"].map((call) => failing(call, "EIO", nth)),
    failing("write", "ENOSPC", nth),
    { at: "disk.write", kind: "short-write", nth },
    { at: "disk.write", kind: "torn-write", nth },
  ]),
  // Syncs no directories.
  { at: "disk.syncDirectory", kind: "error", errno: "EINVAL", times: 2 },
];

/** Of two writers at once nobody can say whose version is the last, so that they are asked for whole versions only. */
export function commitSystem(name: string, policies: CommitPolicies = REFERENCE_POLICIES, writers: 1 | 2 = 1): System<Told> {
  return {
    name: `file-commit/${name.replaceAll(" ", "-")}`,
    claim: "Whatever crashes or refuses, the file holds a version that was written, and one that was acknowledged stays.",
    build: build(policies, writers),
    checks: writers === 2 ? [stored(storageNeitherVersion)] : [stored(storageNeitherVersion), stored(storageAcknowledgedLost), stored(storageSilentFailure), NO_RETRY, UNBOUNDED, LEFTOVERS],
    sometimes:
      writers === 2
        ? {}
        : {
            "the old version stood after a power loss": ({ read, versions }) => read?.found === BEFORE && versions.length > 1,
            "a version that nobody had acknowledged stood after a power loss": ({ read, versions }) => versions.some(({ content, answer }) => answer === "none" && content === read?.found),
            "a refused rename took its name after all": ({ renames, versions }) => renames.some(({ version, answers }) => answers.length > 1 && versions.some(({ content, answer }) => content === version && answer === "acknowledged")),
            "a write failed in the open": ({ versions }) => versions.some(({ answer }) => answer === "failed"),
            "somebody cleaned up behind a dead writer": ({ removed }) => removed > 0,
          },
    faults: { points: [], kinds: [], steps: ["power-loss", "kill-restart"], armed: writers === 2 ? [] : DISK_ANSWERS },
    durability: "posix-min",
    onThrow: "ends",
  };
}
