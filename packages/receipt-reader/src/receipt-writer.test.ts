import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskError } from "@casebook/ports";
import { createNodePorts } from "@casebook/ports/node";
import { createReceiptWriter, LOCK_LEASE_MS, readReceipts, REFERENCE_POLICIES, surveyReceipts, type WriterPorts } from "@casebook/receipt-reader";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { bytesOf, completed, cut, draftOf, line, LOG, pending, plant, textAt, withDisk, withFile } from "./log.fixture.ts";

const freshWorld = () => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });
const refuse = (code: string, what: string) => Promise.reject(new DiskError(code, what, LOG));

async function surveyed(ports: WriterPorts) {
  const read = await surveyReceipts(ports, LOG);
  if (read.outcome === "not-read") throw new Error(read.say);
  return read.value;
}

/** Numbers that were acknowledged, in the order of the answers. */
async function appendAll(ports: WriterPorts, keys: readonly string[], policies = REFERENCE_POLICIES): Promise<number[]> {
  const writer = createReceiptWriter(ports, LOG, policies);
  const numbers: number[] = [];
  for (const key of keys) {
    const result = await writer.append(draftOf(key));
    if (result.outcome === "acknowledged") numbers.push(result.receipt.seq);
  }
  return numbers;
}

describe("appending", () => {
  it("acknowledges when bytes and name are durable, and not before", async () => {
    const world = freshWorld();
    await world.run((ports) => appendAll(ports, ["k1"]));
    const steps = world.trace.events.filter(({ object }) => object === LOG || object === "/" || object.startsWith("receipt-reader"));
    expect(steps.map(({ operation, object }) => `${operation} ${object}`)).toEqual([
      "disk.readdir /",
      `disk.open ${LOG}`,
      `disk.fstat ${LOG}`,
      "faults.reach receipt-reader.before-write",
      `disk.write ${LOG}`,
      "faults.reach receipt-reader.after-write",
      `disk.sync ${LOG}`,
      "disk.syncDirectory /",
      "faults.reach receipt-reader.after-sync",
      `disk.close ${LOG}`,
    ]);
  });

  it.each([
    ["torn", pending("old", 1).slice(0, 70), { old: "corrupt", damage: 1, next: 2 }],
    ["whole, but for its line feed", pending("old", 1).trimEnd(), { old: "found", damage: 0, next: 2 }],
  ])("begins on a line of its own behind one that is %s", async (_what, before, { old, damage, next }) => {
    const world = freshWorld();
    await world.run(async (ports) => {
      await plant(ports, LOG, bytesOf(before));
      expect(await appendAll(ports, ["k1"])).toEqual([next]);
      const [of, own] = [await readReceipts(ports, LOG, "old"), await readReceipts(ports, LOG, "k1")];
      expect([of, own]).toMatchObject([{ value: { health: old } }, { value: { health: "found" } }]);
      expect((await surveyed(ports)).damage.lines).toBe(damage);
      expect((await textAt(ports, LOG)).startsWith(`${before}\n{`)).toBe(true);
    });
  });

  it("refuses where no number is left that a reader would take, and a receipt that no reader would", async () => {
    await freshWorld().run(async (ports) => {
      await plant(ports, LOG, bytesOf(line({ seq: Number.MAX_SAFE_INTEGER })));
      const writer = createReceiptWriter(ports, LOG);
      const before = await textAt(ports, LOG);
      expect(await writer.append(draftOf("k2"))).toEqual({ outcome: "refused", code: "LOG_NUMBERS_EXHAUSTED", say: `LOG_NUMBERS_EXHAUSTED: the highest number in ${LOG} is 9007199254740991, and readers take none above it. Nothing was written. Look where that number comes from, and start a new log` });
      const { reason: _reason, ...incomplete } = draftOf("k2");
      expect(await createReceiptWriter(ports, "/other.jsonl").append(incomplete as ReturnType<typeof draftOf>)).toMatchObject({ outcome: "refused", code: "RECEIPT_INVALID" });
      expect(await textAt(ports, LOG)).toBe(before);
    });
  });

  it("looks behind a byte order mark for the last number, and for the version", async () => {
    await freshWorld().run(async (ports) => {
      const mark = new Uint8Array([0xef, 0xbb, 0xbf]);
      await plant(ports, LOG, bytesOf(mark, line({ seq: 7 })));
      expect(await appendAll(ports, ["k2"])).toEqual([8]);
      await plant(ports, LOG, bytesOf(mark, '{"schema":2,"seq":7,"key":"k1"}\n'));
      expect(await createReceiptWriter(ports, LOG).append(draftOf("k2"))).toMatchObject({ outcome: "refused", code: "LOG_NEWER_VERSION" });
    });
  });

  it("numbers on where two writers write at once", async () => {
    const both = await freshWorld().run((ports) => Promise.all([appendAll(ports, ["a1", "a2", "a3"]), appendAll(ports, ["b1", "b2", "b3"])]));
    expect(both.flat().toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    ["under-lock", [1, 2, 3, 4]],
    ["from-memory", [1, 2, 2, 3]],
  ] as const)("numbers %s where two writers take turns", async (sequence, numbers) => {
    await freshWorld().run(async (ports) => {
      const writers = ["a", "b"].map(() => createReceiptWriter(ports, LOG, { ...REFERENCE_POLICIES, sequence }));
      for (const key of ["k1", "k2"]) for (const writer of writers) await writer.append(draftOf(key));
      const text = await textAt(ports, LOG);
      expect([...text.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq))).toEqual(numbers);
    });
  });

  it("gives no number again that a line may have had which cannot be read", async () => {
    await freshWorld().run(async (ports) => {
      await plant(ports, LOG, bytesOf(pending("k1", 1), cut(completed("k1", 2)), "\0\0\n"));
      expect(await appendAll(ports, ["k2"])).toEqual([4]);
    });
  });

  it("lets no epoch go back in a log whose lock was lost", async () => {
    await freshWorld().run(async (ports) => {
      await plant(ports, LOG, bytesOf(line({ key: "old", epoch: 7 })));
      await appendAll(ports, ["k1"]);
      expect(await readReceipts(ports, LOG, "k1")).toMatchObject({ value: { found: { receipt: { epoch: 7 } } } });
    });
  });

  it("waits for the lease of an owner that died, and goes on", async () => {
    const world = freshWorld();
    await world.run(async (ports) => {
      const dead = createReceiptWriter({ ...ports, faults: { reach: () => new Promise(() => undefined) } }, LOG);
      void dead.append(draftOf("dead"));
      await ports.clock.sleep(1);
      expect(await appendAll(ports, ["k1"])).toEqual([1]);
      expect(ports.clock.now() - world.epochMs).toBeGreaterThanOrEqual(LOCK_LEASE_MS);
    });
  });

  it.each([
    ["receipt-reader.before-write", "refused", "Nothing was written.", ["k1"]],
    ["receipt-reader.after-write", "unknown", "The record was written, and may stand behind those of the next owner.", ["late", "k1"]],
  ])("acknowledges nothing to an owner that slept from %s until its time was over", async (point, outcome, what, keys) => {
    await freshWorld().run(async (ports) => {
      const sleepy = { ...ports, faults: { reach: async (at: string) => void (at === point && (await ports.clock.sleep(LOCK_LEASE_MS + 5_000))) } };
      const late = createReceiptWriter(sleepy, LOG).append(draftOf("late"));
      await ports.clock.sleep(1);
      const [own] = await appendAll(ports, ["k1"]);
      expect(await late).toEqual({ outcome, code: "LOG_LOCK_LOST", say: `LOG_LOCK_LOST: the lock of ${LOG} was taken over meanwhile. ${what} It is not acknowledged. Read the log before the command is repeated` });
      const { keys: read, sequence } = await surveyed(ports);
      expect([read.map(({ key }) => key).toSorted(), sequence.repeats, own]).toEqual([keys.toSorted(), 0, keys.length]);
    });
  });

  it("says that the disk is full, acknowledges nothing, and leaves a torn line that the next one stays clear of", async () => {
    await freshWorld().run(async (ports) => {
      let taken = 0;
      const full = withFile(ports, LOG, (file) => ({ write: (bytes) => (taken++ === 0 ? file.write(bytes.subarray(0, 30)) : refuse("ENOSPC", "write")) }));
      expect(await createReceiptWriter(full, LOG).append(draftOf("k1"))).toEqual({
        outcome: "refused",
        code: "LOG_DISK_FULL",
        say: `LOG_DISK_FULL: there is no room left to write ${LOG}. Nothing was acknowledged. Make room and repeat the command`,
      });
      expect(await appendAll(ports, ["k1"])).toEqual([2]);
      expect(await surveyed(ports)).toMatchObject({ receipts: 1, damage: { lines: 1 } });
    });
  });

  it("does not know what became of a record whose sync failed, or of which the line feed only is missing", async () => {
    await freshWorld().run(async (ports) => {
      const unsynced = withFile(ports, LOG, () => ({ sync: () => refuse("EIO", "sync") }));
      expect(await createReceiptWriter(unsynced, LOG).append(draftOf("k1"))).toMatchObject({ outcome: "unknown", code: "LOG_WRITE_FAILED" });
      let taken = 0;
      const short = withFile(ports, LOG, (file) => ({ write: (bytes) => (taken++ === 0 ? file.write(bytes.subarray(0, -1)) : Promise.resolve(0)) }));
      expect(await createReceiptWriter(short, LOG).append(draftOf("k2"))).toMatchObject({ outcome: "unknown", code: "LOG_DISK_FULL" });
      expect(await surveyed(ports)).toMatchObject({ receipts: 2, damage: { lines: 0 } });
    });
  });

  it("acknowledges on a disk that syncs no directories, and says so", async () => {
    await freshWorld().run(async (ports) => {
      const plain = withDisk(ports, { syncDirectory: () => refuse("EINVAL", "syncDirectory") });
      expect(await createReceiptWriter(plain, LOG).append(draftOf("k1"))).toMatchObject({ outcome: "acknowledged", directorySync: "unsupported" });
      const broken = withDisk(ports, { syncDirectory: () => refuse("EIO", "syncDirectory") });
      expect(await createReceiptWriter(broken, LOG).append(draftOf("k2"))).toMatchObject({ outcome: "unknown" });
    });
  });

  it("does not write into a log of a newer version", async () => {
    await freshWorld().run(async (ports) => {
      const newer = '{"schema":3,"key":"k1"}\n';
      await plant(ports, LOG, bytesOf(pending("k1", 1), newer, pending("k2", 2)));
      expect(await createReceiptWriter(ports, LOG).append(draftOf("k1"))).toEqual({
        outcome: "refused",
        code: "LOG_NEWER_VERSION",
        say: `LOG_NEWER_VERSION: ${LOG} has records of version 3, and this writer knows 1. It is read and not written. Use the newer program`,
      });
      expect(await textAt(ports, LOG)).toBe(pending("k1", 1) + newer + pending("k2", 2));
    });
  });

  it("refuses a directory, a missing directory, and a draft that no reader would take", async () => {
    await freshWorld().run(async (ports) => {
      await ports.disk.mkdir("/dir");
      expect(await createReceiptWriter(ports, "/dir").append(draftOf("k1"))).toMatchObject({ outcome: "refused", code: "LOG_IS_DIRECTORY" });
      expect(await createReceiptWriter(ports, "/gone/log").append(draftOf("k1"))).toMatchObject({ outcome: "refused", code: "LOG_NO_DIRECTORY" });
      const writer = createReceiptWriter(ports, LOG);
      expect(await writer.append(draftOf(""))).toMatchObject({ outcome: "refused", code: "RECEIPT_INVALID" });
      expect(await writer.append({ ...draftOf("k1"), reason: "x".repeat(600_000) })).toMatchObject({ outcome: "refused", code: "RECEIPT_INVALID" });
    });
  });

  it("is busy, and says so, while a clock that was set back makes a dead owner's time not end", async () => {
    const world = freshWorld();
    await world.run(async (ports) => {
      await ports.disk.mkdir(`${LOG}.lock`);
      await plant(ports, `${LOG}.lock/000000000001`, new Uint8Array(0));
      world.setClock(world.epochMs - 3_600_000);
      expect(await createReceiptWriter(ports, LOG).append(draftOf("k1"))).toMatchObject({ outcome: "refused", code: "LOG_BUSY" });
    });
  });

  it("does the same on a real disk", async () => {
    const root = await mkdtemp(join(tmpdir(), "casebook-receipts-"));
    try {
      const ports = createNodePorts({ root });
      const both = await Promise.all([appendAll(ports, ["a1", "a2"]), appendAll(ports, ["b1", "b2"])]);
      expect(both.flat().toSorted()).toEqual([1, 2, 3, 4]);
      expect((await readFile(join(root, LOG), "utf8")).split("\n").length).toBe(5);
      expect(await readReceipts(ports, LOG, "b2")).toMatchObject({ value: { health: "found" }, file: "present" });
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
