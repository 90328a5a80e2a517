import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { holdLock, LOCK_LEASE_MS, type LockPorts } from "@casebook/receipt-reader";
import { plant, withDisk } from "./log.fixture.ts";

const LOCK = "/log.lock";
const inWorld = <T>(act: (ports: ReturnType<typeof createWorld>["ports"]) => Promise<T>) => createWorld({ seed: 1, epoch: 0 }).run(act);
const epochsIn = async ({ disk }: LockPorts) => (await disk.readdir(LOCK)).map(({ name }) => Number(name)).toSorted();
const hold = (ports: LockPorts) => holdLock(ports, LOCK, ({ epoch }) => Promise.resolve(epoch));

describe("the lock of a log", () => {
  it("is free as soon as it is released, and leaves one file", async () => {
    await inWorld(async (ports) => {
      const epochs = [await hold(ports), await hold(ports), await hold(ports)];
      expect([epochs, ports.clock.now(), await epochsIn(ports)]).toEqual([[{ value: 1 }, { value: 2 }, { value: 3 }], 0, [3]]);
    });
  });

  it("is released when its holder throws, and the error is thrown on", async () => {
    await inWorld(async (ports) => {
      await expect(holdLock(ports, LOCK, () => Promise.reject(new Error("no"))).catch((thrown: Error) => thrown.message)).resolves.toBe("no");
      expect([await hold(ports), ports.clock.now()]).toEqual([{ value: 2 }, 0]);
    });
  });

  it("is held by one of many at a time, by each in turn", async () => {
    await inWorld(async (ports) => {
      let inside = 0;
      let most = 0;
      const visit = () =>
        holdLock(ports, LOCK, async () => {
          most = Math.max(most, ++inside);
          await ports.clock.sleep(5);
          inside -= 1;
        });
      await Promise.all(Array.from({ length: 6 }, visit));
      expect(most).toBe(1);
      expect(await epochsIn(ports)).toEqual([6]);
    });
  });

  it("is not taken by one who looked long ago, when others have come and gone since", async () => {
    await inWorld(async (ports) => {
      await ports.disk.mkdir(LOCK);
      await plant(ports, `${LOCK}/000000000003`, new Uint8Array(0));
      let looks = 0;
      const late = withDisk(ports, { readdir: async (path) => (looks++ === 0 ? [{ name: "000000000001", kind: "file" }] : ports.disk.readdir(path)) });
      // The second epoch was free to create, and the third is held: it has to wait for that.
      expect(await hold(late)).toEqual({ value: 4 });
      expect(ports.clock.now()).toBeGreaterThanOrEqual(LOCK_LEASE_MS);
    });
  });

  it("says that it was taken over, to an owner that asks", async () => {
    await inWorld(async (ports) => {
      const asked: boolean[] = [];
      await holdLock(ports, LOCK, async ({ isMine }) => {
        asked.push(await isMine());
        await ports.clock.sleep(LOCK_LEASE_MS);
        await hold(ports);
        asked.push(await isMine());
      });
      expect([asked, await epochsIn(ports)]).toEqual([[true, false], [2]]);
    });
  });
});
