/**
 * The desk of a scenario: a volume with lifecycle folders, a runtime, dispatchers on one host, and actors who publish, move, and send
 * events. Everything is written down in the log of the world, so that what happened can be told apart from what is on the disk.
 */
import { createDispatcher, type Dispatcher, type DispatcherPolicies, runDispatcher } from "@casebook/dispatcher";
import { FOLDERS, fingerprint, type Folder, LIFECYCLE } from "@casebook/dispatcher/judge";
import { commitFile } from "@casebook/file-commit";
import type { ProcessPorts, RuntimeOptions, RuntimeState, Space } from "@casebook/sim/kernel";
import { Volume } from "memfs";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

export const ROOT = "/desk";
export const HOST = "desk";
export const LEASE_MS = 60_000;
export const PERIOD_MS = 20_000;
/** A runtime that has said nothing for so long is silent: less than a period, so that a look comes to its end before the next. */
export const ANSWER_MS = 10_000;
/** Three leases and a scan: long enough for a recovery, and for one from it. */
export const RUN_MS = 200_000;
export const TRUST = { routes: ["board"], reviewers: ["LEAD", "DEV"] } as const;

export interface DeskFile {
  readonly folder: Folder;
  /** Default: the id. */
  readonly name?: string;
  readonly text: string;
}

export type Header = { readonly id: string; readonly kind?: string } & Readonly<Record<string, string | readonly string[]>>;

/** A TASK from the board for DEV, unless said otherwise. */
export function objectText({ id, kind = "TASK", ...fields }: Header, body = "Do it."): string {
  const standard: Readonly<Record<string, string>> = kind === "TASK" ? { from: "PM", to: "DEV", source: "board" } : { from: "DEV" };
  const lines = Object.entries({ ...standard, ...fields }).map(([name, value]) => `${name}: ${typeof value === "string" ? value : `[${value.join(", ")}]`}`);
  return ["---", `id: ${id}`, `kind: ${kind}`, ...lines, "---", body, ""].join("\n");
}

export function pathOf({ folder, name, text }: DeskFile): string {
  return `${LIFECYCLE}/${folder}/${name ?? /^id: (.*)$/m.exec(text)?.[1]}.md`;
}

export interface Cast {
  readonly space: Space;
  readonly runtime: RuntimeState;
  readonly policies: Partial<DispatcherPolicies>;
}

/** Made once for many executions: a world copies it. */
export function volumeOf(files: readonly DeskFile[]): Volume {
  const volume = new Volume();
  for (const folder of FOLDERS) volume.mkdirSync(`${ROOT}/${LIFECYCLE}/${folder}`, { recursive: true });
  for (const file of files) {
    const path = `${ROOT}/${pathOf(file)}`;
    volume.writeFileSync(path, file.text);
    // Published in 2025: nothing here is being written.
    volume.utimesSync(path, 1_750_000_000, 1_750_000_000);
  }
  return volume;
}

export function setDesk(space: Space, policies: Partial<DispatcherPolicies>, volume: Volume, runtime: RuntimeOptions = {}): Cast {
  space.disk(HOST, volume);
  return { space, runtime: space.sessions("runtime", runtime), policies };
}

export interface DispatcherRole {
  /** Of the process. */
  readonly process?: string;
  /** In records and leases. Default: that of the process. */
  readonly name?: string;
  readonly forMs?: number;
  readonly startsAfterMs?: number;
  /** Done beside the scans, in the same process. */
  readonly beside?: (dispatcher: Dispatcher, ports: ProcessPorts) => Promise<void>;
  /** No scans: only what stands beside. */
  readonly scans?: boolean;
  /** Default true. Without a watcher one life is one thread of calls, which a search can play out. */
  readonly watches?: boolean;
}

export function addDispatcher({ space, runtime, policies }: Cast, { process = "dispatcher-1", name = process, forMs = RUN_MS, startsAfterMs = 0, beside, scans = true, watches = true }: DispatcherRole = {}): void {
  space.process(
    process,
    async (ports) => {
      const { clock, disk, ids, log, faults, watch } = ports;
      if (startsAfterMs > 0) await clock.sleep(startsAfterMs);
      const dispatcher = createDispatcher({ clock, disk, ids, log, faults, sessions: ports.sessions(runtime) }, { root: ROOT, name, trust: TRUST, leaseMs: LEASE_MS, answerMs: ANSWER_MS, policies });
      const { observation = "events-and-scan" } = policies;
      const loop = async (): Promise<void> => {
        if (scans) await runDispatcher(dispatcher, { ports: { clock, log, ...(watches ? { watch } : {}) }, root: ROOT, periodMs: PERIOD_MS, forMs, observation });
      };
      await Promise.all([loop(), beside?.(dispatcher, ports).catch((failure: unknown) => log.write("error", "suite.beside-failed", { says: String(failure) }))]);
    },
    { host: HOST },
  );
}

export interface Actor {
  readonly at: (ms: number) => Promise<void>;
  publish(file: DeskFile): Promise<void>;
  move(path: string, to: string): Promise<void>;
  readonly ports: ProcessPorts;
}

/** Somebody who is no dispatcher. Times are from the start. */
export function addActor({ space }: Cast, name: string, play: (actor: Actor) => Promise<void>): void {
  space.process(
    name,
    async (ports) => {
      const { clock, disk, log } = ports;
      const startedAtMs = clock.now();
      await play({
        ports,
        async at(ms) {
          await clock.sleep(Math.max(0, startedAtMs + ms - clock.now()));
        },
        async publish(file) {
          const bytes = new TextEncoder().encode(file.text);
          await commitFile(ports, `${ROOT}/${pathOf(file)}`, bytes);
          log.write("info", "actor.published", { path: pathOf(file), text: file.text, revision: fingerprint(bytes) });
        },
        async move(path, to) {
          await disk.rename(`${ROOT}/${path}`, `${ROOT}/${to}`);
          log.write("info", "actor.moved", { path, to });
        },
      });
    },
    { host: HOST },
  );
}
