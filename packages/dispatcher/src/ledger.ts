/**
 * The attempt store: an append-only ledger in numbered folders. A record is written aside, synced, and renamed to the next number;
 * a folder that is there cannot be renamed over, so a number is given once, and what was decided on an older state is decided again.
 * Nothing is changed or taken out. Models one mount and any number of writers; leaves out compaction, and clocks that disagree.
 */
import { commitFile } from "@casebook/file-commit";
import { errorCode, isHeld, type Lease } from "@casebook/ports";
import { type DispatcherConfig, type DispatcherPorts, MAX_RACES } from "./config.ts";
import { makeDirectories, readWhole, renamePatiently } from "./files.ts";
import { type DispatchState, EMPTY_STATE, encodeText, fittedRecord, LEDGER, type LedgerProblem, type LedgerRecord, PENDING, readRecord, RECORD_FILE, recordFolder, recordText, taskOf, withBytes, withRecord } from "./judge/index.ts";

/** A record is a few hundred bytes. */
const MAX_RECORD_BYTES = 64 * 1024;

export class LedgerError extends Error {
  override readonly name = "LedgerError";
  readonly code: "LEDGER_DAMAGED" | "LEDGER_WRITE_FAILED" | "LEDGER_RACES" | "RECORD_INVALID";

  constructor(code: LedgerError["code"], text: string) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

/** The fields that every record has are put in here. */
export type Draft = LedgerRecord extends infer Record ? (Record extends LedgerRecord ? Omit<Record, "v" | "atMs" | "by"> : never) : never;

export type Appended<T> = { readonly record: LedgerRecord; readonly state: DispatchState } | { readonly refused: T; readonly state: DispatchState };

export interface Ledger {
  /** Reads what others have written since. Rejects with LEDGER_DAMAGED. */
  load(): Promise<DispatchState>;
  /**
   * Decides on the newest state and publishes the answer as the next record, or decides again because another was faster.
   * Rejects with LEDGER_DAMAGED, LEDGER_WRITE_FAILED, LEDGER_RACES, RECORD_INVALID; then the record was not published by this call.
   */
  append<T>(decide: (state: DispatchState, nowMs: number) => Draft | { readonly refused: T }): Promise<Appended<T>>;
  /** As above, if the lease is still the current one when the record gets its number. */
  appendUnder(held: Held, draft: (state: DispatchState) => Draft): Promise<Appended<"lease-lost">>;
  /** Removes what dead writers left beside it. */
  clean(): Promise<number>;
  readonly problems: readonly LedgerProblem[];
}

/** A lease, and what it is for. */
export interface Held {
  readonly task: string;
  readonly attempt: string;
  readonly lease: Lease;
}

export function createLedger(ports: DispatcherPorts, config: DispatcherConfig): Ledger {
  const { disk, clock, ids, log, faults } = ports;
  const { root, name, policies } = config;
  const folder = `${root}/${LEDGER}`;
  const pending = `${root}/${PENDING}`;
  const problems: LedgerProblem[] = [];
  let state = EMPTY_STATE;
  let isOpen = false;
  /** Number of the last folder that was there at the beginning. */
  let newest = 0;
  // State in memory is one: its changes go one after the other, whatever is done about tasks.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  async function catchUp(): Promise<void> {
    if (!isOpen) await open();
    for (;;) {
      const seq = state.seq + 1;
      const read = await readWhole(disk, `${folder}/${recordFolder(seq)}/${RECORD_FILE}`, MAX_RECORD_BYTES);
      if (read === undefined) {
        // Its writer publishes folders with a record in them: this one lost it, or is of another kind of writer.
        if (seq <= newest && problems.length === 0) problems.push({ code: "LEDGER_GAP", seq, task: undefined, says: `record ${seq} is a folder without ${RECORD_FILE}` });
        break;
      }
      take(seq, read.bytes);
    }
    const damage = problems.find(({ task }) => task === undefined);
    if (damage !== undefined) {
      throw new LedgerError("LEDGER_DAMAGED", `${folder}: ${damage.says}. Nobody can say what was decided, so nothing is started. Restore record ${damage.seq} from a copy.`);
    }
  }

  function take(seq: number, bytes: Uint8Array): void {
    const step = withBytes(state, seq, bytes);
    state = step.state;
    if (step.problem !== undefined) problems.push(step.problem);
  }

  async function open(): Promise<void> {
    await makeDirectories(disk, root, LEDGER);
    await makeDirectories(disk, root, PENDING);
    const seqs = (await disk.readdir(folder)).map((entry) => Number(entry.name)).filter((seq) => Number.isInteger(seq) && seq > 0);
    newest = seqs.reduce((last, seq) => Math.max(last, seq), 0);
    const missing = Array.from({ length: newest }, (_, index) => index + 1).find((seq) => !seqs.includes(seq));
    if (missing !== undefined) problems.push({ code: "LEDGER_GAP", seq: missing, task: undefined, says: `record ${missing} is missing, and ${newest} is there` });
    isOpen = true;
  }

  async function publish(seq: number, record: LedgerRecord): Promise<"published" | "taken"> {
    const bytes = encodeText(recordText(record));
    const target = `${folder}/${recordFolder(seq)}`;
    if (policies.append !== "exclusive") return publishInPlace(target, bytes);
    const own = `${pending}/${ids.next("record")}`;
    try {
      await disk.mkdir(own);
      await faults.reach("dispatcher.record-begun");
      const file = await disk.open(`${own}/${RECORD_FILE}`, "wx");
      try {
        let written = 0;
        while (written < bytes.length) written += await file.write(bytes.subarray(written), written);
        await file.sync();
      } finally {
        await file.close();
      }
      if (policies.directorySync === "before-acknowledging") await disk.syncDirectory(own);
      await faults.reach("dispatcher.record-written");
      await renamePatiently(ports, config, "dispatcher.publish", own, target, async (code) => code !== "ENOENT" && (await isThere(`${target}/${RECORD_FILE}`)));
      if (policies.directorySync === "before-acknowledging") await disk.syncDirectory(folder);
      return "published";
    } catch (failure) {
      await remove(own);
      // Windows refuses with EPERM what POSIX calls ENOTEMPTY; what counts is that the number is given.
      if (["EEXIST", "ENOTEMPTY"].includes(errorCode(failure)) || (await isThere(`${target}/${RECORD_FILE}`))) return "taken";
      log.write("error", "dispatcher.write-failed", { code: errorCode(failure), kind: record.kind });
      throw new LedgerError("LEDGER_WRITE_FAILED", `record ${seq} (${record.kind}) could not be published: ${errorCode(failure)}. Nothing was started on it. Mend the disk; the next scan tries again.`);
    }
  }

  /** The careless ways: nothing keeps two writers, or a writer and a reader, apart. */
  async function publishInPlace(target: string, bytes: Uint8Array): Promise<"published"> {
    await makeDirectories(disk, folder, target.slice(folder.length + 1));
    if (policies.append === "last-writer") {
      await faults.reach("dispatcher.record-begun");
      await commitFile(ports, `${target}/${RECORD_FILE}`, bytes);
      return "published";
    }
    const file = await disk.open(`${target}/${RECORD_FILE}`, "w");
    await faults.reach("dispatcher.record-begun");
    await file.write(bytes, 0);
    await file.close();
    return "published";
  }

  async function isThere(path: string): Promise<boolean> {
    return disk.stat(path).then(
      () => true,
      () => false,
    );
  }

  /** What cannot be removed now is removed by a later scan. */
  async function remove(own: string): Promise<void> {
    await disk.unlink(`${own}/${RECORD_FILE}`).catch(() => undefined);
    await disk.rmdir(own).catch(() => undefined);
  }

  async function appendNow<T>(decide: (state: DispatchState, nowMs: number) => Draft | { readonly refused: T }): Promise<Appended<T>> {
    for (let race = 1; race <= MAX_RACES; race += 1) {
      await catchUp();
      const atMs = clock.now();
      const answer = decide(state, atMs);
      if ("refused" in answer) return { refused: answer.refused, state };
      const record = fittedRecord({ v: 1, atMs, by: name, ...answer } as LedgerRecord);
      // Whoever reads it later would have to stop: an empty task, a key of a thousand characters.
      const again = readRecord(encodeText(recordText(record)));
      if (again.outcome === "problem") throw new LedgerError("RECORD_INVALID", `${again.says}. Nothing was written. Ask with words that a record can hold.`);
      if ((await publish(state.seq + 1, record)) === "taken") continue;
      state = withRecord(state, record);
      log.write("info", "dispatcher.appended", { seq: state.seq, kind: record.kind, text: recordText(record) });
      return { record, state };
    }
    throw new LedgerError("LEDGER_RACES", `${MAX_RACES} times another writer was faster. Look who else writes to ${folder}.`);
  }

  return {
    problems,
    load: () =>
      inTurn(async () => {
        await catchUp();
        return state;
      }),
    append: (decide) => inTurn(() => appendNow(decide)),
    appendUnder: ({ task, lease }, draft) =>
      inTurn(() => appendNow((now, nowMs) => (isCurrent(taskOf(now, task).lease, lease, nowMs) ? draft(now) : { refused: "lease-lost" as const }))),
    clean: () =>
      inTurn(async () => {
        if (policies.leftovers === "kept") return 0;
        let removed = 0;
        for (const entry of await disk.readdir(pending)) {
          const own = `${pending}/${entry.name}`;
          const stat = await disk.stat(own).catch(() => undefined);
          // A younger one may be somebody's who is at work; who loses it to us writes it again.
          if (stat === undefined || clock.now() - stat.modifiedAtMs < config.leaseMs) continue;
          await remove(own);
          removed += 1;
        }
        return removed;
      }),
  };

  function isCurrent(current: Lease | undefined, held: Lease, nowMs: number): boolean {
    switch (policies.fence) {
      case "none":
        return true;
      case "owner":
        return current?.owner === held.owner;
      case "epoch":
        return isHeld(current, held, nowMs);
    }
  }
}
