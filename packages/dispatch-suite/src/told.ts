/**
 * What can be said about a desk afterwards: from its bytes, the runtime's list and the world's log. Reads with the judging half only,
 * and works out the permits by itself, so that a dispatcher is not its own witness.
 */
import { explainTree, fingerprint, type Folder, isFolder, type LedgerReading, type LifecycleObject, type LifecycleReading, PENDING, readLedger, readLifecycle, readObject, recordText, type TreeAccount, type TreeFile } from "@casebook/dispatcher/judge";
import type { Session } from "@casebook/ports";
import type { Space } from "@casebook/sim/kernel";
import { type Cast, type DeskFile, HOST, pathOf, ROOT } from "./desk.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** A text that somebody published, and when; 0: it was there at the start. */
export interface Declared {
  readonly path: string;
  readonly folder: Folder;
  readonly object: LifecycleObject;
  readonly atMs: number;
}

/** The layers, each counted where it is; what nobody measured is not 0. */
export interface Layers {
  readonly bytesKept: number;
  readonly stateLoaded: number;
  readonly callbackEntries: number;
  readonly attemptsCreated: number;
  readonly executionsStarted: number;
  readonly externalEffects: "not measured";
}

export interface Told {
  readonly files: readonly TreeFile[];
  readonly pending: readonly string[];
  readonly reading: LifecycleReading;
  readonly ledger: LedgerReading;
  readonly account: TreeAccount;
  readonly declared: readonly Declared[];
  readonly sessions: readonly Session[];
  readonly log: Space["log"];
  readonly startMs: number;
  /** How long a session of this runtime runs. */
  readonly runsForMs: number;
  readonly layers: Layers;
}

export function tell({ space, runtime }: Pick<Cast, "space" | "runtime">, files: readonly DeskFile[], runsForMs: number, startMs: number): Told {
  const tree = filesOf(space);
  const nowMs = Math.max(startMs, ...space.log.map(({ atMs }) => atMs));
  const sessions = runtime.sessions(nowMs);
  const ledger = readLedger(tree.files);
  return {
    ...tree,
    reading: readLifecycle(tree.files),
    ledger,
    account: explainTree(tree.files, nowMs, "LEAD"),
    declared: declaredIn(files, space.log),
    sessions,
    log: space.log,
    startMs,
    runsForMs,
    layers: {
      bytesKept: tree.files.reduce((sum, { bytes }) => sum + bytes.length, 0),
      stateLoaded: ledger.records.length,
      callbackEntries: space.log.filter(({ event }) => event === "dispatcher.entered").length,
      attemptsCreated: ledger.state.attempts.size,
      executionsStarted: sessions.length,
      externalEffects: "not measured",
    },
  };
}

/** Everything below the root, as it is on the disk. */
export function filesOf(space: Space): { files: TreeFile[]; pending: string[] } {
  const disk = space.files(HOST);
  const files: TreeFile[] = [];
  const walk = (below: string): void => {
    for (const name of disk.list(below === "" ? ROOT : `${ROOT}/${below}`) ?? []) {
      const path = below === "" ? name : `${below}/${name}`;
      const bytes = disk.read(`${ROOT}/${path}`);
      if (bytes === undefined) walk(path);
      else files.push({ path, bytes });
    }
  };
  walk("");
  return { files, pending: [...(disk.list(`${ROOT}/${PENDING}`) ?? [])] };
}

/** A later text at one path takes the place of the earlier one: that was its publisher's own doing. */
function declaredIn(files: readonly DeskFile[], log: Space["log"]): Declared[] {
  const byPath = new Map<string, Declared>();
  const add = (path: string, text: string, atMs: number): void => {
    const read = readObject(new TextEncoder().encode(text));
    const folder = path.split("/")[1] ?? "";
    if (read.outcome === "object" && isFolder(folder)) byPath.set(path, { path, folder, object: read.object, atMs });
  };
  for (const file of files) add(pathOf(file), file.text, 0);
  for (const { event, facts, atMs } of log) {
    if (event === "actor.published") {
      // Who edits a task that was moved meanwhile declares it anew, and does not add to it.
      const path = String(facts["path"]);
      for (const [known] of byPath) if (known !== path && nameOf(known) === nameOf(path) && facts["replaces"] === true) byPath.delete(known);
      add(path, String(facts["text"]), atMs);
    }
  }
  return [...byPath.values()];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function revisionOf(text: string): string {
  return fingerprint(new TextEncoder().encode(text));
}

/** The folders in which a file declares the id now. */
export function foldersOf({ reading }: Told, id: string): string[] {
  return [...new Set(reading.sources.filter(({ object }) => object.id === id).map(({ folder }) => folder))].sort();
}

export function sessionsOf({ sessions }: Told, task: string): readonly Session[] {
  return sessions.filter((session) => session.task === task);
}

export function recordsOf({ ledger }: Told, kind: string, task?: string): { readonly because?: string; readonly atMs: number; readonly text: string }[] {
  return ledger.records.flatMap(({ record }) => (record.kind === kind && (task === undefined || ("task" in record && record.task === task)) ? [{ ...record, text: recordText(record) }] : []));
}

export function loggedIn({ log }: Told, event: string): Space["log"] {
  return log.filter((entry) => entry.event === event);
}

