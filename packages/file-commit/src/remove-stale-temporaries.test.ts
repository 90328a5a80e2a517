import { DiskError, type Ports } from "@casebook/ports";
import { createWorld, type World } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { commitFile, isTemporaryOf, removeStaleTemporaries, STALE_AFTER_MS } from "./index.ts";

/** Files made one after the other, `apartMs` of the clock between them. */
async function worldWith(paths: readonly string[], apartMs = 0): Promise<World> {
  const world = createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });
  await world.run(async ({ disk, clock }) => {
    await disk.mkdir("/state");
    for (const path of paths) {
      await (await disk.open(path, "wx")).close();
      await clock.sleep(apartMs);
    }
  });
  return world;
}

const remaining = (world: World): string[] => Object.keys(world.volume().toJSON()).sort();

describe("removeStaleTemporaries", () => {
  it("removes what is ours and old enough, says what it removed, and touches no other file", async () => {
    const [old, exact, young] = ["a", "b", "c"].map((id) => `/state/tasks.json.commit-${id}.tmp`) as [string, string, string];
    const others = ["/state/tasks.json", "/state/tasks.json.tmp", "/state/tasks.json.bak.commit-a.tmp", "/state/jobs.json.commit-a.tmp", "/state/tasks.json.commit-.tmp"];
    const world = await worldWith([...others, old, exact, young], 10);
    // 20 ms after `exact` was made, 10 ms after `young`.
    expect(await world.run((ports) => removeStaleTemporaries(ports, "/state/tasks.json", 20))).toEqual({
      entries: 8,
      removed: [old, exact],
      kept: [young],
      refused: [],
    });
    expect(remaining(world)).toEqual([...others, young].sort());
  });

  it.each([Number.NaN, -1])("removes nothing for an age of %d, which every file would have", async (age) => {
    const young = "/state/tasks.json.commit-a.tmp";
    const world = await worldWith([young]);
    await expect(removeStaleTemporaries(world.ports, "/state/tasks.json", age)).rejects.toThrow(
      `STALE_AGE_INVALID: an age of ${age} ms was asked for; with it the temporary file of a writer that is at work would be removed. Give milliseconds, 0 or more`,
    );
    expect(remaining(world)).toEqual([young]);
  });

  it("waits an hour if nobody says otherwise", async () => {
    const world = await worldWith(["/state/tasks.json.commit-a.tmp"]);
    const look = async (afterMs: number): Promise<number> => {
      await world.run(({ clock }) => clock.sleep(afterMs));
      return (await removeStaleTemporaries(world.ports, "/state/tasks.json")).removed.length;
    };
    expect([await look(STALE_AFTER_MS - 1), await look(1), await look(0)]).toEqual([0, 1, 0]);
  });

  it("leaves a file that is dated in the future, as a clock that was set back makes it", async () => {
    const world = await worldWith(["/state/tasks.json.commit-a.tmp"]);
    world.setClock(world.epochMs - 2 * STALE_AFTER_MS);
    expect((await removeStaleTemporaries(world.ports, "/state/tasks.json")).kept).toEqual(["/state/tasks.json.commit-a.tmp"]);
  });

  it("says what the disk does not let go, and goes on with the next", async () => {
    const [first, second] = ["/state/tasks.json.commit-a.tmp", "/state/tasks.json.commit-b.tmp"] as const;
    const world = await worldWith([first, second]);
    const { disk } = world.ports;
    const unlink = (path: string): Promise<void> => (path === first ? Promise.reject(new DiskError("EPERM", "unlink", path)) : disk.unlink(path));
    expect(await removeStaleTemporaries({ ...world.ports, disk: { ...disk, unlink } }, "/state/tasks.json", 0)).toEqual({
      entries: 2,
      removed: [second],
      kept: [],
      refused: [{ path: first, errno: "EPERM" }],
    });
  });

  it("finds nothing in a directory that is not there, and says so when it cannot be listed", async () => {
    const world = await worldWith([]);
    expect(await removeStaleTemporaries(world.ports, "/none/tasks.json")).toEqual({ entries: 0, removed: [], kept: [], refused: [] });
    const readdir = (path: string): Promise<never> => Promise.reject(new DiskError("EACCES", "readdir", path));
    await expect(removeStaleTemporaries({ ...world.ports, disk: { ...world.ports.disk, readdir } }, "/state/a")).rejects.toThrow("EACCES: readdir '/state'");
  });

  it("costs a writer that stood still for too long its commit, and never the target", async () => {
    const world = await worldWith(["/state/tasks.json"]);
    const bytes = new TextEncoder().encode("new");
    const run = world.run(async (ports) => {
      const reach = async (point: string): Promise<void> => {
        if (point !== "file-commit.before-rename") return;
        await ports.clock.sleep(STALE_AFTER_MS);
        await removeStaleTemporaries(ports, "/state/tasks.json");
      };
      await commitFile({ ...ports, faults: { reach } }, "/state/tasks.json", bytes);
    });
    await expect(run).rejects.toMatchObject({ code: "COMMIT_RENAME_REFUSED", errno: "ENOENT", target: "unknown" });
    expect(world.volume().toJSON()).toEqual({ "/state/tasks.json": "" });
  });

  it("knows every name that commitFile gives, in the root directory too", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });
    const names: string[] = [];
    const spied = ({ disk, ...ports }: Ports): Ports => ({
      ...ports,
      disk: { ...disk, rename: (from, to) => (names.push(from), disk.rename(from, to)) },
    });
    await world.run((ports) => commitFile(spied(ports), "/a.json", new Uint8Array(1)));
    expect(names.map((name) => isTemporaryOf("/a.json", name.slice(1)))).toEqual([true]);
  });
});
