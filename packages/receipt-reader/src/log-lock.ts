/**
 * Lets one writer at a time work on a log, processes of one host apart. A file over the disk port and no port of its own, because exclusive
 * creation is what every disk has, the simulated one too, and nothing else has to run for it.
 *
 * The lock is a directory of empty files, one for each epoch: the highest is the lock. Whoever creates the next one holds it; its release
 * writes a word into it. Held for longer than the lease, it is over: the next epoch may be created. So nobody removes a lock that is
 * another's, and a file is never caught half-written. An owner whose time is over may still write, no disk can stop that: it finds out
 * with `isMine`, and must not acknowledge what it wrote. Leaves out hosts that share a disk: times are compared with this host's clock.
 */
import { errorCode, type Ports } from "@casebook/ports";
import { encodeUtf8 } from "./judge/text.ts";
import { type LogProblem, logProblem } from "./log-problem.ts";

/** A hundred times what an append takes on a slow disk. */
export const LOCK_LEASE_MS = 10_000;
/** Long enough for an owner that was killed to be over, and for the next to be done. */
export const LOCK_WAIT_MS = 2 * LOCK_LEASE_MS;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
/** Each is a round that somebody else won. */
const MAX_ROUNDS = 1_000;

export interface HeldLock {
  /** From 1; each owner has a higher one than those before. */
  readonly epoch: number;
  /** Whether nobody has taken over. */
  isMine(): Promise<boolean>;
}

export type LockPorts = Pick<Ports, "disk" | "clock">;

/** Rejects with the disk's refusal, or with what `work` threw. */
export async function holdLock<T>(ports: LockPorts, directory: string, work: (lock: HeldLock) => Promise<T>): Promise<{ readonly value: T } | { readonly problem: LogProblem }> {
  const epoch = await acquire(ports, directory);
  if (epoch === undefined) {
    const text = `somebody held ${directory} for more than ${LOCK_WAIT_MS} ms. Nothing was written. Try again; if a clock was set back, wait as long as that`;
    return { problem: logProblem("LOG_BUSY", text) };
  }
  try {
    return { value: await work({ epoch, isMine: async () => (await highestEpoch(ports, directory)) === epoch }) };
  } finally {
    await release(ports, fileOf(directory, epoch));
  }
}

async function acquire(ports: LockPorts, directory: string): Promise<number | undefined> {
  const { clock } = ports;
  const startedAtMs = clock.now();
  let waitMs = FIRST_WAIT_MS;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const highest = await highestEpoch(ports, directory);
    if (highest === 0 || (await isOver(ports, fileOf(directory, highest)))) {
      if (await create(ports, directory, highest + 1)) return highest + 1;
      continue;
    }
    if (Math.abs(clock.now() - startedAtMs) >= LOCK_WAIT_MS) return undefined;
    await clock.sleep(waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
  return undefined;
}

/** Released, or held for longer than the lease, or gone because a higher one has cleaned up. */
async function isOver({ disk, clock }: LockPorts, file: string): Promise<boolean> {
  try {
    const { size, modifiedAtMs } = await disk.stat(file);
    return size > 0 || clock.now() - modifiedAtMs >= LOCK_LEASE_MS;
  } catch (refusal) {
    if (errorCode(refusal) === "ENOENT") return true;
    throw refusal;
  }
}

/** False: somebody else was first, or had been and is gone already. */
async function create(ports: LockPorts, directory: string, epoch: number): Promise<boolean> {
  const { disk } = ports;
  try {
    await (await disk.open(fileOf(directory, epoch), "wx")).close();
  } catch (refusal) {
    if (errorCode(refusal) === "EEXIST") return false;
    throw refusal;
  }
  // A number that was free because its owner is long gone is behind a higher one by now.
  const epochs = await epochsIn(ports, directory);
  if (epochs.some((other) => other > epoch)) {
    await removeQuietly(ports, fileOf(directory, epoch));
    return false;
  }
  for (const over of epochs.filter((other) => other < epoch)) await removeQuietly(ports, fileOf(directory, over));
  return true;
}

async function highestEpoch(ports: LockPorts, directory: string): Promise<number> {
  return Math.max(0, ...(await epochsIn(ports, directory)));
}

async function epochsIn({ disk }: LockPorts, directory: string): Promise<number[]> {
  try {
    const entries = await disk.readdir(directory);
    return entries.filter(({ name }) => /^\d{12}$/.test(name)).map(({ name }) => Number(name)).sort((one, two) => one - two);
  } catch (refusal) {
    if (errorCode(refusal) !== "ENOENT") throw refusal;
    await disk.mkdir(directory).catch((already: unknown) => {
      if (errorCode(already) !== "EEXIST") throw already;
    });
    return [];
  }
}

async function release({ disk }: LockPorts, file: string): Promise<void> {
  try {
    const own = await disk.open(file, "r+");
    await own.write(encodeUtf8("released\n"));
    await own.close();
  } catch (refusal) {
    // Cleaned up by a later owner, or no room for a word: then the lease frees it. What was done under the lock stays done.
    if (!/^E[A-Z0-9]+$/.test(errorCode(refusal))) throw refusal;
  }
}

async function removeQuietly({ disk }: LockPorts, file: string): Promise<void> {
  await disk.unlink(file).catch((refusal: unknown) => {
    if (errorCode(refusal) !== "ENOENT") throw refusal;
  });
}

function fileOf(directory: string, epoch: number): string {
  return `${directory}/${String(epoch).padStart(12, "0")}`;
}
