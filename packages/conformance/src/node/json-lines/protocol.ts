/**
 * The lines between the kit and a program in any language. One JSON object a line, UTF-8. The kit writes calls to standard input; the
 * program asks for ports and returns on standard output; what it has to say to people goes to standard error. One call at a time,
 * and in it one request at a time, so that each line that one side writes is answered by exactly one of the other.
 *
 *     kit      {"call":1,"do":"submit","task":{…},"nowMs":0}
 *     program  {"ask":"disk.read","path":"/tasks.json"}
 *     kit      {"answer":null,"nowMs":0}
 *     program  {"return":"accepted"}
 */
import { errorCode, type DiskFile } from "@casebook/ports";
import type { AdapterPorts } from "../../dispatch/adapter.ts";

export type Line = Readonly<Record<string, unknown>>;

export type ReadLine = { readonly line: Line } | { readonly wrong: string };

const LONGEST_SHOWN = 80;

/** Of the program. */
export function readLine(text: string): ReadLine {
  const shown = JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { wrong: `${shown} on standard output, which is no JSON. Print what is meant for people to standard error` };
  }
  const isLine = typeof value === "object" && value !== null && ("ask" in value || "return" in value || "throw" in value);
  return isLine ? { line: value as Line } : { wrong: `${shown} on standard output, which has no ask, return or throw. Answer each line with one of them` };
}

const LONGEST_FILE = 16 * 1024 * 1024;

/** What a program may ask for. Files are whole and text; a missing file reads as null. */
export const ASKS: Readonly<Record<string, (ports: AdapterPorts, line: Line) => Promise<unknown>>> = {
  "disk.read": async ({ disk }, { path }) => {
    const file = await disk.open(text(path, "path"), "r").catch((failure: unknown) => {
      if (errorCode(failure) === "ENOENT") return undefined;
      throw failure;
    });
    if (file === undefined) return null;
    return closing(file, async () => {
      const { size } = await file.stat();
      return new TextDecoder().decode(await file.read(Math.min(size, LONGEST_FILE), 0));
    });
  },
  // Not synced: that is a request of its own, and forgetting it is a mistake that can be made.
  "disk.write": async ({ disk }, { path, text: content }) => writeAll(await disk.open(text(path, "path"), "w"), text(content, "text")),
  "disk.append": async ({ disk }, { path, text: content }) => writeAll(await disk.open(text(path, "path"), "a"), text(content, "text")),
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
  "sessions.start": ({ sessions }, { key, task, revision, agent, attempt = "", epoch = 0 }) =>
    sessions.start({ key: text(key, "key"), task: text(task, "task"), revision: text(revision, "revision"), agent: text(agent, "agent"), attempt: text(attempt, "attempt"), epoch: Number(epoch) }),
  "sessions.find": async ({ sessions }, { key }) => (await sessions.find(text(key, "key"))) ?? null,
  "sessions.list": ({ sessions }) => sessions.list().then((all) => [...all]),
  "sessions.status": ({ sessions }, { id }) => sessions.status(text(id, "id")),
  "sessions.cancel": ({ sessions }, { id }) => sessions.cancel(text(id, "id")),
  "clock.sleep": ({ clock }, { ms }) => clock.sleep(Number(ms)),
  "ids.next": ({ ids }, { prefix }) => Promise.resolve(ids.next(text(prefix, "prefix"))),
  "faults.reach": ({ faults }, { point }) => faults.reach(text(point, "point")),
};

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw Object.assign(new Error(`${name} is ${JSON.stringify(value) ?? "missing"}; a text is needed`), { code: "EINVAL" });
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
