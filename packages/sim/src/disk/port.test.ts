import { describe, expect, it } from "vitest";
import type { OpenFlags } from "@casebook/ports";
import { createWorld } from "../index.ts";

const fresh = (): ReturnType<typeof createWorld> => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });

describe("the disk of a world", () => {
  it("is full at 1 GiB a file, so that a wrong position does not take the memory of the machine", async () => {
    const { disk } = fresh().ports;
    const file = await disk.open("/a", "w");
    await expect(file.write(Uint8Array.of(1), 2 ** 30)).rejects.toThrow(/^ENOSPC: write '\/a'$/);
    await expect(file.truncate(2 ** 30 + 1)).rejects.toThrow(/^ENOSPC: truncate '\/a'$/);
    expect((await file.stat()).size).toBe(0);
  });

  it("lists in an order that does not tell who was created first", async () => {
    const listingAfter = async (names: readonly string[]): Promise<string[]> => {
      const { disk } = fresh().ports;
      for (const name of names) await disk.mkdir(`/${name}`);
      return (await disk.readdir("/")).map((entry) => entry.name);
    };
    expect(await listingAfter(["a", "b", "c", "d"])).toEqual(await listingAfter(["d", "b", "a", "c"]));
  });

  it("takes effect at the call, so that calls that are not awaited keep their order", async () => {
    const { disk } = fresh().ports;
    const file = await disk.open("/a", "a+");
    await Promise.all([1, 2, 3].map((byte) => file.write(Uint8Array.of(byte))));
    expect([...(await file.read(9, 0))]).toEqual([1, 2, 3]);
  });

  it("refuses flags that it does not know", async () => {
    const opened = fresh().ports.disk.open("/a", "rs+" as OpenFlags);
    await expect(opened).rejects.toThrow(/^ERR_INVALID_ARG_VALUE: open '\/a'$/);
  });
});
