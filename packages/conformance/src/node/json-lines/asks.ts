/** What a program may ask for: the ports, one request a line. Files are whole and text; what is asked for wrongly is refused with EINVAL. */
import { errorCode, withinDeadline, type Clock, type DiskFile } from "@casebook/ports";
import type { AdapterPorts, PeerNetwork } from "../../dispatch/adapter.ts";
import type { ReceiptPorts } from "../../receipts/adapter.ts";
import { type Line, shownOf } from "./protocol.ts";

export type Asks<Ports> = Readonly<Record<string, (ports: Ports, line: Line) => Promise<unknown>>>;

/** A message that comes after the deadline stays for the next who asks. */
export interface Mailbox {
  send(to: string, body: unknown): Promise<void>;
  receive(withinMs: number): Promise<{ readonly from: string; readonly body: unknown } | null>;
}

export type DispatcherAskPorts = Omit<AdapterPorts, "network"> & { readonly network: Mailbox };

/** Bytes. */
const LONGEST_FILE = 16 * 1024 * 1024;
/** Of virtual time, and longer than any rule. */
const LONGEST_SLEEP_MS = 86_400_000;
/** As long as a call may take. */
const LONGEST_RECEIVE_MS = 60_000;

/** A missing file reads as null; bytes that are no UTF-8 read as U+FFFD. */
export const RECEIPT_ASKS: Asks<ReceiptPorts> = {
  "disk.read": async ({ disk }, { path }) => {
    const file = await disk.open(text(path, "path"), "r").catch((failure: unknown) => {
      if (errorCode(failure) === "ENOENT") return undefined;
      throw failure;
    });
    if (file === undefined) return null;
    return closing(file, async () => {
      const { size, kind } = await file.stat();
      if (kind !== "file") throw refused("EISDIR", `${shownOf(path)} is a ${kind}; disk.list names what is in it`);
      if (size > LONGEST_FILE) throw refused("EFBIG", `${shownOf(path)} has ${size} bytes; at most ${LONGEST_FILE} are read`);
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.read(size, 0));
    });
  },
  // Not synced: that is a request of its own, and forgetting it is a mistake that can be made.
  "disk.write": async ({ disk }, { path, text: content }) => writeAll(await disk.open(text(path, "path"), "w"), text(content, "text")),
  "disk.append": async ({ disk }, { path, text: content }) => writeAll(await disk.open(text(path, "path"), "a"), text(content, "text")),
  // Refused with EEXIST where it is: what several processes take turns by.
  "disk.create": async ({ disk }, { path, text: content }) => writeAll(await disk.open(text(path, "path"), "wx"), text(content, "text")),
  "disk.sync": async ({ disk }, { path }) => {
    const file = await disk.open(text(path, "path"), "r+");
    await closing(file, () => file.sync());
    return null;
  },
  "disk.rename": ({ disk }, { from, to }) => disk.rename(text(from, "from"), text(to, "to")),
  "disk.unlink": ({ disk }, { path }) => disk.unlink(text(path, "path")),
  "disk.mkdir": ({ disk }, { path }) => disk.mkdir(text(path, "path")),
  "disk.list": async ({ disk }, { path }) => (await disk.readdir(text(path, "path"))).map(({ name }) => name).toSorted(),
  "disk.syncDirectory": ({ disk }, { path }) => disk.syncDirectory(text(path, "path")),
  "clock.sleep": ({ clock }, { ms }) => clock.sleep(milliseconds(ms, "ms", LONGEST_SLEEP_MS)),
  "ids.next": async ({ ids }, { prefix }) => ids.next(text(prefix, "prefix")),
  "faults.reach": ({ faults }, { point }) => faults.reach(text(point, "point")),
};

export const ASKS: Asks<DispatcherAskPorts> = {
  ...RECEIPT_ASKS,
  "sessions.start": ({ sessions }, { key, task, revision, agent, attempt = "", epoch = 0 }) =>
    sessions.start({ key: text(key, "key"), task: text(task, "task"), revision: text(revision, "revision"), agent: text(agent, "agent"), attempt: text(attempt, "attempt"), epoch: Number(epoch) }),
  "sessions.find": async ({ sessions }, { key }) => (await sessions.find(text(key, "key"))) ?? null,
  "sessions.list": ({ sessions }) => sessions.list().then((all) => [...all]),
  "sessions.status": ({ sessions }, { id }) => sessions.status(text(id, "id")),
  "sessions.cancel": ({ sessions }, { id }) => sessions.cancel(text(id, "id")),
  "network.send": ({ network }, { to, body = null }) => network.send(text(to, "to"), body),
  "network.receive": ({ network }, { withinMs }) => network.receive(milliseconds(withinMs, "withinMs", LONGEST_RECEIVE_MS)),
};

export async function answerTo<Ports>(asks: Asks<Ports>, ports: Ports, line: Line): Promise<Line> {
  const name = String(line["ask"]);
  const ask = Object.hasOwn(asks, name) ? asks[name] : undefined;
  if (ask === undefined) return { error: "EINVAL", says: `there is no ${name}; there are ${Object.keys(asks).join(", ")}` };
  try {
    return { answer: (await ask(ports, line)) ?? null };
  } catch (failure) {
    return { error: errorCode(failure) || "EIO", says: failure instanceof Error ? failure.message : String(failure) };
  }
}

export function createMailbox(network: PeerNetwork, clock: Clock): Mailbox {
  // Of those whose deadline passed: the next message goes to the first of them.
  const unheard: ReturnType<PeerNetwork["receive"]>[] = [];
  return {
    send(to, body) {
      if (!network.peers.includes(to)) throw refused("EINVAL", `there is no peer ${shownOf(to)}; there are ${network.peers.join(", ") || "none"}`);
      return network.send(to, body);
    },
    async receive(withinMs) {
      const next = unheard.shift() ?? network.receive();
      const within = await withinDeadline(clock, withinMs, next);
      if (within.outcome === "done") return within.value;
      unheard.push(next);
      return null;
    },
  };
}

const refused = (code: string, says: string): Error => Object.assign(new Error(says), { code });

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw refused("EINVAL", `${name} is ${JSON.stringify(value) ?? "missing"}; a text is needed`);
}

function milliseconds(value: unknown, name: string, most: number): number {
  if (typeof value === "number" && value >= 0 && value <= most) return value;
  throw refused("EINVAL", `${name} is ${typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "missing")}; milliseconds from 0 to ${most} are needed`);
}

async function writeAll(file: DiskFile, content: string): Promise<null> {
  const bytes = new TextEncoder().encode(content);
  await closing(file, async () => {
    for (let written = 0; written < bytes.length; ) written += await file.write(bytes.subarray(written));
  });
  return null;
}

async function closing<T>(file: DiskFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}
