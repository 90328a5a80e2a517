import { DiskError } from "@casebook/ports";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { createReceiptWriter, LOCK_LEASE_MS, readReceipts, REFERENCE_POLICIES, repairLog } from "@casebook/receipt-reader";
import { bytesOf, completed, cut, draftOf, LOG, pending, plant, textAt, withDisk, withFile } from "./log.fixture.ts";

type WorldPorts = ReturnType<typeof createWorld>["ports"];
const inWorld = <T>(act: (ports: ReturnType<typeof createWorld>["ports"]) => Promise<T>) => createWorld({ seed: 1, epoch: 0 }).run(act);
const damaged = pending("k1", 1) + cut(completed("k1", 2)) + pending("k2", 3) + completed("k2", 4).trimEnd() + pending("k3", 5);

describe("repairing a log", () => {
  it("publishes what can be read as the next generation, and leaves every byte of the old one", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(damaged));
      const second = { path: `${LOG}.g000002`, number: 2 };
      expect(await repairLog(ports, LOG)).toEqual({ outcome: "repaired", generation: second, kept: { path: LOG, number: 1 }, records: 4, tombstones: 1 });
      expect(await textAt(ports, LOG)).toBe(damaged);
      const tombstone = JSON.stringify({ schema: 1, tombstone: { damage: "TRUNCATED", of: "receipts.jsonl", byteOffset: pending("k1", 1).length, bytes: 60, mentions: ["k1"], isOnlyCut: true } });
      expect(await textAt(ports, second.path)).toBe(`${pending("k1", 1)}${tombstone}\n${pending("k2", 3)}${completed("k2", 4)}${pending("k3", 5)}`);
      expect(await repairLog(ports, LOG)).toEqual({ outcome: "nothing-to-repair", generation: second });
    });
  });

  it("keeps what it does not know of a readable record, letter by letter", async () => {
    await inWorld(async (ports) => {
      const odd = completed("k2", 3).replace('"atMs"', '"cost": 12345678901234567890, "10":1, "atMs"');
      await plant(ports, LOG, bytesOf(cut(pending("k1", 1)), odd.replace("\n", "\r\n"), odd.trimEnd(), pending("k3", 4)));
      await repairLog(ports, LOG);
      const [, ...lines] = (await textAt(ports, `${LOG}.g000002`)).split("\n");
      expect(lines).toEqual([odd.trimEnd(), odd.trimEnd(), pending("k3", 4).trimEnd(), ""]);
    });
  });

  it("makes no damage undone: what was doubtful before is doubtful after", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(damaged));
      await repairLog(ports, LOG);
      expect(await readReceipts(ports, LOG, "k1")).toMatchObject({ generation: { number: 2 }, value: { health: "corrupt", found: { receipt: { state: "pending" } }, isStateRegression: true } });
      expect(await readReceipts(ports, LOG, "k2")).toMatchObject({ value: { health: "found", found: { receipt: { state: "completed" } } } });
    });
  });

  it("is where the next receipt goes, under the next number", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(damaged));
      await repairLog(ports, LOG);
      expect(await createReceiptWriter(ports, LOG).append(draftOf("k4"))).toMatchObject({ outcome: "acknowledged", path: `${LOG}.g000002`, receipt: { seq: 6 } });
    });
  });

  it("gives no number again that a line had which the repair took for damage", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(pending("k1", 1), cut(completed("k1", 2))));
      await repairLog(ports, LOG);
      expect(await createReceiptWriter(ports, LOG).append(draftOf("k2"))).toMatchObject({ receipt: { seq: 3 } });
    });
  });

  it("publishes nothing when its time was over before it was done", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(damaged));
      const slow = withFile(ports, LOG, (file) => ({ read: async (length, position) => (await ports.clock.sleep(LOCK_LEASE_MS + 5_000), file.read(length, position)) }));
      const late = repairLog(slow, LOG);
      await ports.clock.sleep(1);
      await createReceiptWriter(ports, LOG).append(draftOf("k4"));
      expect(await late).toMatchObject({ outcome: "refused", code: "LOG_LOCK_LOST" });
      expect(await readReceipts(ports, LOG, "k4")).toMatchObject({ generation: { number: 1 }, value: { found: { receipt: { key: "k4" } } } });
    });
  });

  it("leaves a log alone that is whole, of a newer version, or too large to hold", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(pending("k1", 1)));
      expect(await repairLog(ports, LOG)).toMatchObject({ outcome: "nothing-to-repair" });
      await plant(ports, LOG, bytesOf("?\n", '{"schema":2}\n'));
      expect(await repairLog(ports, LOG)).toMatchObject({ outcome: "refused", code: "LOG_NEWER_VERSION" });
      const file = await ports.disk.open(LOG, "r+");
      await file.truncate(64 * 1024 * 1024 + 1);
      await file.close();
      expect(await repairLog(ports, LOG)).toMatchObject({ outcome: "refused", code: "LOG_TOO_LARGE" });
      expect((await ports.disk.readdir("/")).map(({ name }) => name).toSorted()).toEqual(["receipts.jsonl", "receipts.jsonl.lock"]);
    });
  });

  it("says what became of it when the disk fails while the next generation is published", async () => {
    const NEXT = `${LOG}.g000002`;
    const refuse = (code: string, what: string) => Promise.reject(new DiskError(code, what, NEXT));
    const failing = async (replaced: (ports: WorldPorts) => WorldPorts) =>
      inWorld(async (ports) => {
        await plant(ports, LOG, bytesOf(damaged));
        const { outcome, ...rest } = await repairLog(replaced(ports), LOG);
        expect(await textAt(ports, LOG)).toBe(damaged);
        return [outcome, "code" in rest ? rest.code : ""];
      });
    expect(await failing((ports) => withDisk(ports, { rename: () => refuse("EACCES", "rename") }))).toEqual(["refused", "LOG_WRITE_FAILED"]);
    expect(await failing((ports) => withDisk(ports, { syncDirectory: () => refuse("EIO", "syncDirectory") }))).toEqual(["unknown", "LOG_WRITE_FAILED"]);
    const short = (ports: WorldPorts) => withDisk(ports, { open: async (path, flags) => ({ ...(await ports.disk.open(path, flags)), ...(path.endsWith(".tmp") ? { write: () => Promise.resolve(0) } : {}) }) });
    expect(await failing(short)).toEqual(["refused", "LOG_DISK_FULL"]);
  });

  it("of the careless kinds loses good lines, or makes one up", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(damaged));
      await repairLog(ports, LOG, { ...REFERENCE_POLICIES, repair: "truncate-at-damage" });
      expect(await textAt(ports, LOG)).toBe(pending("k1", 1));
      await plant(ports, LOG, bytesOf(damaged));
      await repairLog(ports, LOG, { ...REFERENCE_POLICIES, repair: "complete-torn" });
      expect(await readReceipts(ports, LOG, "k1")).toMatchObject({ value: { health: "found", found: { receipt: { state: "completed" } } } });
    });
  });
});
