import { describe, expect, it } from "vitest";
import { memoryTree, type FixtureEntry } from "../trees/memory-tree.ts";
import { matchGlob } from "./glob.ts";
import { walk, type WalkOptions } from "./walk.ts";

const HOME: Readonly<Record<string, FixtureEntry>> = {
  "/home/me/.hermes/cron/jobs.json": "{}",
  "/home/me/.hermes/cron/output/a1/2026.md": "",
  "/home/me/.hermes/cron/output/b2/": "",
  "/home/me/notes/jobs.json": "{}",
};

async function pathsOf(globs: readonly string[], options: WalkOptions = {}, place = "/home/me", entries = HOME) {
  return (await walk(memoryTree(entries), [place], globs, options)).found.map(({ path }) => path);
}

describe("a walk", () => {
  it("finds files and folders, and says what the stars stood for", async () => {
    const { found } = await walk(memoryTree(HOME), ["/home/me/"], [".hermes/cron/output/*", ".hermes/cron/output/*/*.md"]);
    expect(found.map(({ path, kind, matches }) => [path, kind, [...matches.values()]])).toEqual([
      ["/home/me/.hermes/cron/output/a1", "directory", [["a1"]]],
      ["/home/me/.hermes/cron/output/a1/2026.md", "file", [["a1", "2026"]]],
      ["/home/me/.hermes/cron/output/b2", "directory", [["b2"]]],
    ]);
  });

  it("never lists a folder below which nothing can match", async () => {
    const listed: string[] = [];
    const tree = memoryTree(HOME);
    const watched = { ...tree, list: (path: string) => (listed.push(path), tree.list(path)) };
    await walk(watched, ["/home/me"], [".hermes/cron/jobs.json"]);
    expect(listed).toEqual(["/home/me", "/home/me/.hermes", "/home/me/.hermes/cron"]);
  });

  it("recognises a place that is the inner folder of a layout, or one of its files", async () => {
    const anywhere: WalkOptions = { globsFrom: "anywhere" };
    const glob = [".hermes/cron/jobs.json"];
    for (const place of ["/", "/home/me/.hermes", "/home/me/.hermes/cron", "/home/me/.hermes/cron/jobs.json"]) {
      expect(await pathsOf(glob, anywhere, place)).toEqual(["/home/me/.hermes/cron/jobs.json"]);
    }
    expect(await pathsOf(glob, anywhere, "/home/me/notes")).toEqual([]);
  });

  it("counts what is in two places once", async () => {
    const { found } = await walk(memoryTree(HOME), ["/home/me", "/home"], ["**/jobs.json"]);
    expect(found).toHaveLength(2);
  });

  it("tells an absent place from an empty, an unreadable and a linked one", async () => {
    const tree = memoryTree({
      "/empty/": "",
      "/locked": { refuses: "EACCES", kind: "directory" },
      "/link": { link: "/empty" },
    });
    const { places, notRead } = await walk(tree, ["/gone", "/empty", "/locked", "/link", "/locked/in"], ["*"]);
    expect(places.map(({ found }) => found)).toEqual(["absent", "folder", "folder", "link", "unreadable"]);
    expect(notRead.map(({ what, reason }) => [what, reason])).toEqual([
      ["/locked/in", "missing-input"],
      ["/locked", "missing-input"],
      ["/link", "unsupported"],
    ]);
  });

  it("goes on past a folder that refuses, and names it", async () => {
    const { found, notRead } = await walk(
      memoryTree({ "/p/a": { refuses: "EACCES", kind: "directory" }, "/p/b/x.json": "1" }),
      ["/p"],
      ["*/x.json"],
    );
    expect(found.map(({ path }) => path)).toEqual(["/p/b/x.json"]);
    expect(notRead).toEqual([
      {
        what: "/p/a",
        reason: "missing-input",
        message: "/p/a may not be read by this user (EACCES)",
        evidence: { firstLines: ["EACCES"] },
      },
    ]);
  });

  it("follows no link and opens no pipe, and names those that stand where a match could be", async () => {
    const tree = memoryTree({
      "/p/runs": { link: "/p" },
      "/p/else": { link: "/" },
      "/p/out/x.json": { other: "fifo" },
      "/p/out/y.json": { link: "/etc/passwd" },
    });
    const { notRead, looked } = await walk(tree, ["/p"], ["runs/*.json", "out/*.json"]);
    expect(notRead.map(({ message }) => message)).toEqual([
      "/p/runs is a link, and links are not followed",
      "/p/out/x.json is neither a file nor a folder",
      "/p/out/y.json is a link, and links are not followed",
    ]);
    expect(looked.links).toBe(3);
  });

  it("names every limit that it hits, and what it left out", async () => {
    const tree = memoryTree(HOME);
    const capped = async (options: WalkOptions) => (await walk(tree, ["/home"], ["**"], options)).capped;
    expect(await capped({ maxEntries: 3 })).toEqual(["entries: 3 looked at, 2 folder(s) not listed, the next is /home/me/.hermes"]);
    expect(await capped({ maxDepth: 2 })).toEqual([
      "depth: nothing below 2 folders was listed, first left out: /home/me/.hermes",
    ]);
    let ticks = 0;
    const budget = { now: () => (ticks += 1), untilMs: 3 };
    expect(await capped({ budget })).toEqual(["time: 2 folder(s) not listed, the next is /home/me/.hermes"]);
    expect(await capped({})).toEqual([]);
  });

  it("agrees with matching every path by itself", async () => {
    const all = await pathsOf(["**"]);
    for (const glob of ["**/*.json", "*/*", "**/cron/**", ".hermes/**/a1/*", "**/*o*/**"]) {
      const expected = all.filter((path) => path !== "/home/me" && matchGlob(glob, path.split("/").slice(3)) !== undefined);
      expect(await pathsOf([glob])).toEqual(expected);
    }
  });

  it("enters no folder that is to be skipped, and counts it", async () => {
    const { found, looked } = await walk(memoryTree(HOME), ["/home/me"], ["**/jobs.json"], { skip: ["notes"] });
    expect([found.length, looked.skipped]).toEqual([1, 1]);
  });
});
