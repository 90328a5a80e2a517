/**
 * Makes a dispatcher in memory durable: what it was told it is told again when it is created over the same disk. The list of that is one
 * file, replaced for each word. Each protection can be taken out. Models one process; says nothing about power loss.
 */
import type { AdapterPorts, DispatcherAdapter, DispatcherUnderTest, Notice, Task } from "../index.ts";

export const KEPT = ["holds are kept", "releases are kept", "approvals are kept", "acceptances are kept", "a refusal is waited for", "a refusal is said"] as const;
export type Kept = (typeof KEPT)[number];

type Word = { readonly task: Task } | { readonly notice: Notice };

const KEEPS: Partial<Record<Notice["kind"], Kept>> = { hold: "holds are kept", release: "releases are kept", approve: "approvals are kept", accept: "acceptances are kept" };
const PATH = "/told.json";
const MOST_TRIES = 5;

export function kept(inner: DispatcherAdapter, without?: Kept): DispatcherAdapter {
  const capabilities = [...inner.capabilities.filter((one) => !["concurrent-calls", "wakes", "edits"].includes(one)), "durable", "replaces-files"] as const;
  return { ...inner, name: `${inner.name}, kept`, capabilities: capabilities as DispatcherAdapter["capabilities"], create: (ports) => create(inner, ports, (protection) => protection !== without) };
}

async function create(inner: DispatcherAdapter, { disk, clock, ...ports }: AdapterPorts, has: (protection: Kept) => boolean): Promise<DispatcherUnderTest> {
  const own = await inner.create({ disk, clock, ...ports });
  let words: readonly Word[] = await load(disk);
  for (const word of words) await ("task" in word ? own.submit(word.task) : own.tell?.(word.notice));

  async function keep(word: Word): Promise<void> {
    const after = [...words, word];
    const file = await disk.open(`${PATH}.new`, "w");
    const bytes = new TextEncoder().encode(JSON.stringify(after));
    for (let written = 0; written < bytes.length; ) written += await file.write(bytes.subarray(written), written);
    await file.close();
    for (let tries = 1; ; tries += 1) {
      const failure: unknown = await disk.rename(`${PATH}.new`, PATH).then(() => undefined, (refused: unknown) => refused);
      if (failure === undefined || (tries === MOST_TRIES && !has("a refusal is said"))) break;
      if (tries === MOST_TRIES || !has("a refusal is waited for")) throw failure;
      await clock.sleep(100);
    }
    words = after;
  }

  return {
    ...own,
    async submit(task) {
      await keep({ task });
      return own.submit(task);
    },
    async tell(notice) {
      const protection = KEEPS[notice.kind];
      if (protection !== undefined && has(protection)) await keep({ notice });
      await own.tell?.(notice);
    },
  };
}

async function load(disk: AdapterPorts["disk"]): Promise<readonly Word[]> {
  const file = await disk.open(PATH, "r").catch((failure: { code?: string }) => {
    if (failure.code === "ENOENT") return undefined;
    throw failure;
  });
  if (file === undefined) return [];
  const bytes = await file.read((await file.stat()).size, 0);
  await file.close();
  return JSON.parse(new TextDecoder().decode(bytes)) as Word[];
}
