import { Volume } from "memfs";
import { describe, expect, it } from "vitest";
import { createWorld } from "./index.ts";

const epoch = "2026-03-01T00:00:00Z";

describe("a world", () => {
  it("moves its clock only by waiting, and at once", async () => {
    const world = createWorld({ seed: 1, epoch });
    const seen = await world.run(async ({ clock }) => {
      const before = clock.now();
      await clock.sleep(90 * 24 * 3_600_000);
      return clock.now() - before;
    });
    expect(seen).toBe(90 * 24 * 3_600_000);
  });

  it("hands a volume in and out", async () => {
    const volume = Volume.fromJSON({ "/a/tasks.json": "[1]", "/empty": null });
    const world = createWorld({ seed: 1, epoch, volume });
    await world.run(async ({ disk }) => {
      const file = await disk.open("/a/new.txt", "wx");
      await file.write(new TextEncoder().encode("hello"));
      await file.close();
    });
    expect(world.volume().toJSON()).toEqual({ "/a/tasks.json": "[1]", "/a/new.txt": "hello", "/empty": null });
  });
});
