import { DiskError } from "@casebook/ports";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { readReceipts, surveyReceipts } from "@casebook/receipt-reader";
import { PIECE_BYTES } from "./pieces.ts";
import { bytesOf, completed, LOG, pending, plant, withFile } from "./log.fixture.ts";

const inWorld = <T>(act: (ports: ReturnType<typeof createWorld>["ports"]) => Promise<T>) => createWorld({ seed: 1, epoch: 0 }).run(act);

describe("reading a log from a disk", () => {
  it("tells a missing file from an empty one; neither has the key", async () => {
    await inWorld(async (ports) => {
      expect(await readReceipts(ports, LOG, "k1")).toMatchObject({ outcome: "read", file: "missing", value: { health: "absent", tail: "empty", searched: { lines: 0 } } });
      await plant(ports, LOG, new Uint8Array(0));
      expect(await readReceipts(ports, LOG, "k1")).toMatchObject({ outcome: "read", file: "present", value: { health: "absent", searched: { bytes: 0 } } });
    });
  });

  it("says that a directory is none, and what the disk refused", async () => {
    await inWorld(async (ports) => {
      await ports.disk.mkdir(LOG);
      expect(await readReceipts(ports, LOG, "k1")).toEqual({ outcome: "not-read", code: "LOG_IS_DIRECTORY", say: `LOG_IS_DIRECTORY: ${LOG} is a directory, where a log should be. Give the path of a file` });
      expect(await readReceipts(ports, "/gone/log", "k1")).toEqual({ outcome: "not-read", code: "LOG_NO_DIRECTORY", say: "LOG_NO_DIRECTORY: the directory of /gone/log is not there. Make it, or check the path" });
      const broken = withFile(ports, "/other", () => ({ read: () => Promise.reject(new DiskError("EIO", "read", "/other")) }));
      await plant(ports, "/other", bytesOf(pending("k1", 1)));
      expect(await readReceipts(broken, "/other", "k1")).toEqual({ outcome: "not-read", code: "LOG_UNREADABLE", say: "LOG_UNREADABLE: the disk refuses to read /other: EIO. Check permissions and the disk" });
    });
  });

  it("reads no more of a large log than it needs, and all of it when nothing is found", async () => {
    const world = createWorld({ seed: 1, epoch: 0 });
    const lines = Array.from({ length: 2_000 }, (_, index) => completed(`k${index}`, index + 1));
    await world.run((ports) => plant(ports, LOG, bytesOf(...lines)));
    const reads = async (key: string) => {
      const before = world.trace.events.length;
      await world.run((ports) => readReceipts(ports, LOG, key));
      return world.trace.events.slice(before).filter(({ operation }) => operation === "disk.read").length;
    };
    expect(await reads("k1999")).toBe(1);
    expect(await reads("none")).toBe(Math.ceil(bytesOf(...lines).length / PIECE_BYTES));
  });

  it("reads again when a record was being written at its end, and then says so", async () => {
    await inWorld(async (ports) => {
      const whole = bytesOf(pending("k1", 1), completed("k1", 2));
      const half = whole.subarray(0, whole.length - 30);
      await plant(ports, LOG, half);
      let stats = 0;
      const growing = withFile(ports, LOG, (file) => ({
        stat: async () => {
          stats += 1;
          if (stats === 2) await plant(ports, LOG, whole.subarray(0, whole.length - 10));
          return file.stat();
        },
      }));
      expect(await readReceipts(growing, LOG, "k1")).toMatchObject({ value: { health: "found", found: { receipt: { state: "pending" } }, tail: "growing", damage: { lines: 0 } } });
      await plant(ports, LOG, half);
      expect(await readReceipts(ports, LOG, "k1")).toMatchObject({ value: { health: "corrupt", tail: "torn" } });
    });
  });

  it("surveys again when a record was being written at its end, and does not call that damage", async () => {
    await inWorld(async (ports) => {
      const whole = bytesOf(pending("k1", 1), completed("k1", 2));
      await plant(ports, LOG, whole.subarray(0, whole.length - 30));
      let stats = 0;
      const growing = withFile(ports, LOG, (file) => ({
        stat: async () => {
          stats += 1;
          if (stats % 2 === 0) await plant(ports, LOG, whole.subarray(0, whole.length - 30 + stats));
          return file.stat();
        },
      }));
      expect(await surveyReceipts(growing, LOG)).toMatchObject({ value: { receipts: 1, damage: { lines: 0 }, searched: { lines: 1 }, keys: [{ key: "k1", unreadableBehind: 0 }] } });
      expect(await surveyReceipts(ports, LOG)).toMatchObject({ value: { damage: { counts: { TORN_TAIL: 1 } } } });
    });
  });

  it("gives no answer about a key that is none", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(pending("k1", 1)));
      for (const key of ["", "k".repeat(201)]) {
        expect(await readReceipts(ports, LOG, key)).toEqual({ outcome: "not-read", code: "RECEIPT_INVALID", say: `RECEIPT_INVALID: a key has 1 to 200 characters, and this one has ${key.length}. No log can hold it, so that nothing was looked up. Give the key of the command` });
      }
    });
  });

  it("gives no answer about a log that is shortened under it each time", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(pending("k1", 1)));
      const shrinking = withFile(ports, LOG, () => ({ read: () => Promise.resolve(new Uint8Array(0)) }));
      for (const read of [readReceipts(shrinking, LOG, "k1"), surveyReceipts(shrinking, LOG)]) expect(await read).toMatchObject({ outcome: "not-read", code: "LOG_UNSTABLE" });
    });
  });

  it("takes reads that answer fewer bytes than were asked for", async () => {
    await inWorld(async (ports) => {
      await plant(ports, LOG, bytesOf(pending("k1", 1), completed("k1", 2)));
      const slow = withFile(ports, LOG, (file) => ({ read: (length, position) => file.read(Math.min(7, length), position) }));
      expect(await readReceipts(slow, LOG, "k1")).toMatchObject({ value: { health: "found", found: { receipt: { state: "completed" } } } });
    });
  });
});
